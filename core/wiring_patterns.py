"""Builds the parts of patterns: the worker's chore and the owner's desk (rules §5.3)."""

from __future__ import annotations

from core.accounts import Accounts
from core.intake import Intake
from core.llm.patternmodel import ModelMapper, ModelWording, RulesCounted
from core.llm.roles import CallCounter, Roles
from core.patterndesk import PatternDesk
from core.patterning import Patterning


def build_patterns(
    roles: Roles, counter: CallCounter, accounts: Accounts, intake: Intake, *, members_see_held: bool
) -> tuple[Patterning, PatternDesk]:
    """The chore and the desk, with the write path's own parts.

    The background model words and maps where one is configured; the rules do it otherwise.
    """
    rules, model = RulesCounted(counter), roles.background
    chore = Patterning(
        ledger=intake.ledger,
        store=intake.store,
        enactor=intake.enactor,
        assessor=intake.assessor,
        policy=intake.policy,
        clock=intake.clock,
        ids=intake.ids,
        wording=ModelWording(model, counter, rules) if model is not None else rules,
        called=intake.assessor.called,
    )
    desk = PatternDesk(
        accounts=accounts,
        ledger=intake.ledger,
        store=intake.store,
        enactor=intake.enactor,
        mapper=ModelMapper(model, counter, rules) if model is not None else rules,
        policy=intake.policy,
        clock=intake.clock,
        ids=intake.ids,
        members_see_held=members_see_held,
    )
    return chore, desk
