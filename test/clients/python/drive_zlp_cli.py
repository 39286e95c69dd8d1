"""Writes and reads a workspace from the shell."""

import json
import re

import driver
from driver import config

RC = driver.write_rc()
WHERE = ("--stream", config["channel"], "--topic", config["topic"])


def zlp(*arguments):
    return driver.call_program("zlp", "--config", RC, *arguments)


def sent_id(printed):
    return re.search(r"id=(\d+)", printed)[1]


def whoami():
    return zlp("whoami")


def streams():
    return zlp("streams").splitlines()


def send():
    return sent_id(zlp("send", *WHERE, "--msg", "from a shell"))


def edit():
    zlp("edit", "--id", sent_id(zlp("send", *WHERE, "--msg", "with a mistkae")), "--msg", "without a mistake")


def delete():
    zlp("delete", "--id", sent_id(zlp("send", *WHERE, "--msg", "to be deleted")))


def dm():
    zlp("dm", "--to", config["witness"]["email"], "--msg", "from a shell, to you")


def upload():
    file = driver.write_file("notes.txt", "notes of a shell")
    zlp("upload", *WHERE, "--file", file, "--msg", "the notes")


def topics():
    return zlp("topics", "--stream", config["channel"]).splitlines()


def messages():
    return zlp("messages", *WHERE)


def search():
    return json.loads(zlp("search", "--query", "mistake", "--format", "json"))


def pull():
    return zlp("--archive-root", config["folder"], "pull", *WHERE, "--import-history")


driver.run(whoami, streams, send, edit, delete, dm, upload, topics, messages, search, pull)
