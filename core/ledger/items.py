"""What agents keep under a key, in the ledger."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from core.audit import stamp
from core.ledger.dialect import Connection, Row
from core.ledger.handle import StoredHandle
from core.ledger.rows import scope_of, scope_values
from core.model import Scope
from core.ports import ItemPlace, KeptItem


class StoredItems(StoredHandle):
    """The reading half of `core.ports.ItemLedger`."""

    def kept_item(self, place: ItemPlace) -> KeptItem | None:
        """One item."""
        row = self._row("kept_item_by_key", **_place_values(place))
        return _kept_of(row) if row else None

    def kept_items(self, scope: Scope, maker: str) -> list[KeptItem]:
        """All of an agent's items, last put first."""
        return [_kept_of(row) for row in self._rows("kept_items_of_maker", **scope_values(scope), maker=maker)]

    def count_items(self, scope: Scope, maker: str) -> int:
        """How many an agent keeps."""
        return int(self._rows("count_kept_items", **scope_values(scope), maker=maker)[0]["total"])


def put_item(
    connection: Connection, place: ItemPlace, *, episode_id: str, digest: str, worth: float, at: datetime
) -> None:
    """Keep the newest value of a key."""
    values = _place_values(place)
    connection.change("put_kept_item", **values, episode_id=episode_id, digest=digest, worth=worth, at=stamp(at))


def drop_item(connection: Connection, place: ItemPlace) -> bool:
    """Keep a key no more; False if there was none."""
    return bool(connection.change("drop_kept_item", **_place_values(place)))


def _place_values(place: ItemPlace) -> dict[str, str]:
    return {
        **scope_values(place.scope),
        "maker": place.maker,
        "namespace": _namespace(place.namespace),
        "key": place.key,
    }


def _namespace(labels: Sequence[str]) -> str:
    return json.dumps(list(labels), ensure_ascii=False, separators=(",", ":"))


def _kept_of(row: Row) -> KeptItem:
    return KeptItem(
        place=ItemPlace(
            scope=scope_of(row), maker=row["maker"], namespace=tuple(json.loads(row["namespace"])), key=row["key"]
        ),
        episode_id=row["episode_id"],
        text=row["text"],
        digest=row["digest"],
        read=bool(row["read"]),
        clear=bool(row["clear"]),
        promoted=bool(row["promoted"]),
        worth=row["worth"],
        created_at=datetime.fromisoformat(row["created_at"]),
        updated_at=datetime.fromisoformat(row["updated_at"]),
    )
