"""Writes, reads and searches from the shell."""

import os

import driver
from driver import config

RC = driver.write_rc()
ENVIRONMENT = {**os.environ, "HOME": config["folder"], "COLUMNS": "200"}


def zulipcli(*arguments):
    return driver.call_program("zulipcli", "--zuliprc", RC, *arguments, env=ENVIRONMENT)


def send():
    zulipcli("send", "--stream", config["channel"], "--topic", config["topic"], "from a terminal")


def send_direct():
    zulipcli("send", "--to", config["witness"]["email"], "--yes", "from a terminal, to you")


def streams():
    return zulipcli("streams")


def topics():
    return zulipcli("topics", config["channel"])


def read():
    return zulipcli("read", config["channel"], config["topic"])


def read_direct():
    return zulipcli("dm", config["witness"]["email"])


def search():
    return zulipcli("search", "terminal")


def users():
    return zulipcli("users", "list")


driver.run(send, send_direct, streams, topics, read, read_direct, search, users)
