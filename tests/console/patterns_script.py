"""A page with nothing but the patterns section, for its tests."""

from __future__ import annotations

from console import session, widgets
from console.patterns import patterns_section

widgets.page(lambda: patterns_section(session.layer(), session.current_actor()))
