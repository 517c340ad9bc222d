"""The command as a person or a script runs it: inside this process, or as a program of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner, Result

import condyle
from condyle.cli.app import app

ENVIRONMENT = {"PYTHONPATH": str(Path(condyle.__file__).parents[1]), "COLUMNS": "200", "TERM": "dumb"}


def invoke(*arguments: object) -> Result:
    """Run a command in this process; its output is in `stdout` and `stderr`, its status in `exit_code`."""
    return CliRunner(env=ENVIRONMENT).invoke(app, [str(argument) for argument in arguments])


def started(*arguments: object, cwd: Path, script: str = "") -> subprocess.Popen[str]:
    """Start the command as a program; `script` is run in it beforehand."""
    code = f"{script}\nfrom condyle.cli import main\nmain()\n"
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=cwd,
        env=os.environ | ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def program(*arguments: object, cwd: Path, script: str = "") -> tuple[int, str, str]:
    """Run the command as a program: exit status, stdout, stderr."""
    process = started(*arguments, cwd=cwd, script=script)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err
