"""The numbers: one file, named by its digest, refused where it does not fit (rules §1.1, §1.6, §1.10, §3.2)."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Misconfigured
from core.model import SourceKind
from core.policy import TOOL_CLASSES, Policy, composite_trust, ranking_trust
from tests.factories import POLICY, memory, provenance

TEXT = resources.files("core").joinpath("policies/default.toml").read_text(encoding="utf-8")


def test_the_vouch_level_counts_but_the_origin_stays():
    promoted = memory(effective_trust=0.3, source_kind=SourceKind.WEB_CONTENT, vouched_by="rita")
    assert ranking_trust(promoted, POLICY) == POLICY.trust.vouch_level
    assert promoted.effective_trust == 0.3


@given(origins=st.integers(1, 50), access=st.integers(0, 50), fresh=st.floats(0, 1), trust=st.floats(0, 1))
def test_copies_alone_never_lift_a_memory_far(origins, access, fresh, trust):
    held = memory(origins=origins, access_count=access, effective_trust=trust, source_kind=SourceKind.WEB_CONTENT)
    lifted = composite_trust(held, fresh, POLICY)
    assert 0.0 <= lifted <= 1.0
    assert lifted <= max(trust, POLICY.trust.web_content + POLICY.composite.origins_cap) + 1e-9


def test_the_digest_names_the_content():
    other = replace(POLICY, trust=replace(POLICY.trust, threshold=0.6))
    assert POLICY.digest != other.digest
    assert len(POLICY.digest) == 64


@pytest.mark.parametrize(
    ("text", "told"),
    [("[trust", "not valid TOML"), ("[trust]\nthreshold = 0.5", "does not fit"), ("", "no section")],
)
def test_a_wrong_policy_file_is_refused_by_name(text, told):
    with pytest.raises(Misconfigured, match=told):
        Policy.from_toml(text)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('policy = "newest"', 'policy = "latest"', "must be one of newest"),
        ('agent_opinions = "attribute"', 'agent_opinions = "believe"', "attribute or hold"),
        ('calculator = "compute"', 'calculator = "trusted"', "must be one of compute"),
        ("shape = 0.8", "shape = 0.8\nkinds = { hunch = { shape = 1.0 } }", "does not fit"),
        ("shape = 0.8", "shape = 0.8\nkinds = { fact = { half_life_days = 0.0 } }", "does not fit"),
    ],
)
def test_a_choice_that_does_not_exist_is_refused(old, new, told):
    with pytest.raises(Misconfigured, match=told):
        Policy.from_toml(TEXT.replace(old, new, 1))


def test_a_tool_is_worth_what_it_is_registered_as():
    def worth(tool: str) -> float:
        return POLICY.channel_trust(provenance(SourceKind.TOOL_OUTPUT, tool=tool))

    assert worth("calculator") == POLICY.tools.compute
    assert worth("web_search") == POLICY.tools.reads_web
    assert worth("inbox") == POLICY.tools.reads_people
    assert worth("anything else") == worth("") == POLICY.trust.unregistered_tool
    assert set(POLICY.tools.registry.values()) <= set(TOOL_CLASSES)
    assert POLICY.channel_trust(provenance(SourceKind.AGENT_TURN, tool="calculator")) == POLICY.trust.agent_turn


def test_the_classic_preset_is_the_original_rule():
    classic = Policy.from_toml(resources.files("core").joinpath("policies/classic.toml").read_text(encoding="utf-8"))
    assert (classic.decay.semantic_eta_days, classic.decay.archive_on, classic.decay.durable) == (7.0, "score", False)
    assert classic.trust == POLICY.trust
    assert classic.digest != POLICY.digest
