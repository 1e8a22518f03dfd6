"""Programs, accounts and process ids, for the embedded server."""

from __future__ import annotations

import os
import pwd
import subprocess
import tempfile
from pathlib import Path

from core.errors import Misconfigured

SYSTEM_USER = "pgserver"


def is_server(pid: int, cluster: Path) -> bool:
    """Whether a live process is this cluster's server: Postgres works in its data directory, a stranger does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return False
    if not Path("/proc/self/cwd").exists():
        return True
    try:
        return (Path("/proc") / str(pid) / "cwd").samefile(cluster)
    except OSError:
        return False


def system_user() -> int:
    """User id of the account that a server of root's runs under, made if need be.

    Raises:
        Misconfigured: there is none and none can be made.
    """
    try:
        return pwd.getpwnam(SYSTEM_USER).pw_uid
    except KeyError:
        pass
    made = run(
        ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", SYSTEM_USER], None, cwd=Path("/")
    )
    if made.returncode == 0:
        return pwd.getpwnam(SYSTEM_USER).pw_uid
    try:
        return pwd.getpwnam("nobody").pw_uid
    except KeyError as error:
        msg = f"Postgres may not run as root and the account {SYSTEM_USER} could not be made: start as an ordinary user"
        raise Misconfigured(msg) from error


def name_of(uid: int) -> str:
    """An account's name for a message."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user {uid}"


def group_of(uid: int) -> int:
    """An account's first group.

    Raises:
        Misconfigured: there is no such account.
    """
    try:
        return pwd.getpwuid(uid).pw_gid
    except KeyError as error:
        msg = f"the cluster belongs to user {uid}, who has no account here: chown -R it to {SYSTEM_USER}"
        raise Misconfigured(msg) from error


def run(command: list[str], user: int | None, *, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a program, its output in files: a pipe would stay open in the server that pg_ctl leaves behind."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as errors:
        try:
            done = subprocess.run(  # noqa: S603 - fixed programs, no shell
                command,
                cwd=cwd,
                user=user,
                # Root's own group would be kept otherwise, and the group's bits of root's directories would count.
                group=None if user is None else group_of(user),
                extra_groups=None if user is None else [],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                check=False,
                start_new_session=True,
            )
        except FileNotFoundError as error:
            return subprocess.CompletedProcess(command, 127, "", str(error))
        errors.seek(0)
        return subprocess.CompletedProcess(command, done.returncode, "", errors.read())


def last_line(text: str) -> str:
    """The last line that says something."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1] if lines else "no message"
