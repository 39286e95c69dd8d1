"""Fetches the history of a channel."""

import driver
from driver import config
from perceval.backends.zulip.zulip import Zulip


def fetch():
    backend = Zulip(config["site"], config["channel"], config["email"], config["api_key"])
    return [item["data"]["content"] for item in backend.fetch()]


driver.run(fetch)
