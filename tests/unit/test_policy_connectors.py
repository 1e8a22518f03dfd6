"""What imported files count as: the policy's word, strict where it says nothing, and never the owner's for mail."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from core.amend import amended, settings_of
from core.errors import BadInput
from core.model import SourceKind
from core.policy import CONNECTOR_CLASSES, ConnectorRules, Policy
from tests.factories import POLICY


def test_the_file_and_the_strict_defaults_agree():
    assert POLICY.connectors == ConnectorRules()
    assert {part: POLICY.connectors.class_of(part) for part in CONNECTOR_CLASSES} == {
        "markdown": SourceKind.EXTERNAL_DOC,
        "ics": SourceKind.THIRD_PARTY,
        "mail": SourceKind.THIRD_PARTY,
        "chat_user": SourceKind.EXTERNAL_DOC,
        "chat_agent": SourceKind.AGENT_TURN,
        "rows": SourceKind.EXTERNAL_DOC,
        "mem0": SourceKind.EXTERNAL_DOC,
    }


def test_a_policy_from_before_there_were_connectors_is_read_with_the_strict_ones():
    raw = asdict(POLICY)
    del raw["connectors"]
    assert Policy.from_sections(raw) == POLICY


@pytest.mark.parametrize("part", ["ics", "mail", "chat_agent", "mem0"])
def test_what_others_or_models_wrote_is_never_the_owners_word(part):
    with pytest.raises(BadInput, match=f"connectors.{part} is 'user_turn'; it must be"):
        amended(POLICY, {f"connectors.{part}": "user_turn"})


@pytest.mark.parametrize("part", ["markdown", "chat_user", "rows"])
def test_what_an_owner_may_have_written_alone_can_be_raised_by_an_admin(part):
    raised = amended(POLICY, {f"connectors.{part}": "user_turn"})
    assert raised.connectors.class_of(part) is SourceKind.USER_TURN
    assert raised.digest != POLICY.digest
    assert f"connectors.{part}" in settings_of(raised)


def test_a_part_that_nobody_named_has_no_class():
    with pytest.raises(KeyError):
        POLICY.connectors.class_of("trusted_notes")
    with pytest.raises(BadInput, match="it must be a number from 0"):
        amended(POLICY, {"connectors.ics_past_days": -1.0})
