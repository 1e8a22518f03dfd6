"""What the auditor makes of evidence, and what it asks a person: rules §3.3, §4.3 and §5.2."""

from core.evidence.auditor import Auditor
from core.evidence.observed import Accuracy, Observed, Reliability, Session
from core.evidence.questions import QuestionDesk
from core.evidence.values import NOT_NOW, Asked, Decided, Option, Said

__all__ = [
    "NOT_NOW",
    "Accuracy",
    "Asked",
    "Auditor",
    "Decided",
    "Observed",
    "Option",
    "QuestionDesk",
    "Reliability",
    "Said",
    "Session",
]
