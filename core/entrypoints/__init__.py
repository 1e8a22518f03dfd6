"""Processes: the worker and the ASGI routes."""
