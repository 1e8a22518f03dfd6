"""Outside files as streams of items: one file a format. Nothing here decides what an item is worth."""

from core.connectors.files import FileConnectors

__all__ = ["FileConnectors"]
