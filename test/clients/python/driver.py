"""Calls the steps of a driver in order, and writes what each returned as a line of JSON."""

import json
import subprocess
import sys
import traceback
from pathlib import Path

config = json.load(sys.stdin)
# Where the programs that come with packages are.
PROGRAMS = Path(sys.executable).parent


def say(step, **outcome):
    print(json.dumps({"step": step, **outcome}), flush=True)


def run(*steps):
    for step in steps:
        try:
            say(step.__name__, value=step())
        except Exception as error:
            traceback.print_exc()
            say(step.__name__, error=f"{type(error).__name__}: {error}"[:1000])


def write_file(name, content):
    path = Path(config["folder"]) / name
    path.write_text(content)
    return str(path)


def write_rc():
    return write_file("zuliprc", f"[api]\nemail={config['email']}\nkey={config['api_key']}\nsite={config['site']}\n")


def call_program(name, *arguments, **options):
    """Returns what a program of a package printed."""
    called = subprocess.run(
        [PROGRAMS / name, *arguments], capture_output=True, text=True, cwd=config["folder"], timeout=120, **options
    )
    if called.returncode != 0:
        raise RuntimeError(f"{name} ended with {called.returncode}: {called.stderr or called.stdout}")
    return called.stdout
