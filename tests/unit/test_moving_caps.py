"""Trust never rises on the way, whatever the file says and whatever policy is in force here."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.gate import decide
from core.model import CandidateState, Root, SourceKind, Standing, Verdict
from core.moving.caps import ELSEWHERE, capped, weigh
from tests.factories import NOW, POLICY, candidate, evidence

unit = st.floats(0, 1)
kinds = st.sampled_from(SourceKind)
roots = st.lists(
    st.builds(Root, episode_id=st.just("e1"), source_kind=kinds, source_ref=st.just("r"), trust=unit), max_size=4
)


def policy_with(trust: float):
    return replace(POLICY, trust=replace(POLICY.trust, user_turn=trust))


@given(unit, roots, kinds, st.sampled_from(Standing), unit)
def test_no_trust_is_above_the_record_or_the_channel(recorded, found, kind, standing, base):
    one = candidate(kind)
    policy = policy_with(base)
    given_evidence = replace(evidence(), effective_trust=recorded, roots=tuple(found), standing=standing)
    made = capped(one, given_evidence, policy, lambda _key: None)
    assert made.effective_trust <= min(recorded, policy.channel_trust(one.provenance))
    assert made.voice_trust <= given_evidence.voice_trust
    for after, before in zip(made.roots, found, strict=True):
        assert after.trust <= min(before.trust, policy.trust.base(before.source_kind))


@given(st.sampled_from(CandidateState), st.sampled_from(Verdict), st.sampled_from(["policy", "somebody"]), unit)
def test_only_what_the_gate_here_admits_may_be_in_memory(state, verdict, by, trust):
    one = candidate()
    own = Root(episode_id=one.episode_id, source_kind=SourceKind.USER_TURN, source_ref="r", trust=trust)
    found = replace(evidence(), effective_trust=trust, roots=(own,), standing=Standing.SELF)
    made = decide(one, found, POLICY, at=NOW, by=by, decision_id="d1")
    made = replace(made, verdict=verdict)
    weighed = weigh(one, state, [made], policy=POLICY, channel=lambda _key: None, at=NOW, decision_id="d2")
    if weighed.effective is not None:
        assert state in (CandidateState.ADMITTED, CandidateState.WITHDRAWN)
        assert by == "policy"
        assert weighed.effective >= POLICY.trust.threshold
    if state in (CandidateState.HELD, CandidateState.REJECTED, CandidateState.WITHDRAWN):
        assert weighed.state is state or verdict is not Verdict.ADMIT
    if state is CandidateState.PROMOTED:
        assert weighed.effective is None
        assert weighed.state is CandidateState.HELD
    if weighed.added is not None and ELSEWHERE in weighed.added.reasons:
        assert weighed.vouched
