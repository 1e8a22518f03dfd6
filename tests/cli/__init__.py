"""The command `chronomemory`."""
