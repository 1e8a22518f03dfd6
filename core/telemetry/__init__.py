"""What an operator watches: counts and times for Prometheus, spans for a collector, the log's lines."""

from __future__ import annotations

from core.telemetry.meter import Meter
from core.telemetry.scrape import Scrape, Watched

__all__ = ["Meter", "Scrape", "Watched"]
