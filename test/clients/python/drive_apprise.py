"""Notifies a topic and a person by one address."""

import apprise
import driver
from driver import config


def notify():
    notifier = apprise.Apprise()
    bot = config["email"].split("-bot@")[0]
    targets = f"{config['channel']}/{config['witness']['email']}"
    assert notifier.add(f"zulip://{bot}@{config['host']}/{config['api_key']}/{targets}")
    return bool(notifier.notify(body="The backup is **done**.", title=config["topic"]))


driver.run(notify)
