"""Notifies a topic and a person."""

import driver
from driver import config
from notifiers import get_notifier


def notify(**to):
    account = {"email": config["email"], "api_key": config["api_key"], "server": config["site"]}
    answer = get_notifier("zulip").notify(**account, **to)
    answer.raise_on_errors()
    return answer.status


def notify_topic():
    return notify(to=config["channel"], subject=config["topic"], message="The deployment is **done**.")


def notify_person():
    return notify(type="private", to=config["witness"]["email"], message="Your deployment is done.")


def refuse():
    """A channel that there is not."""
    account = {"email": config["email"], "api_key": config["api_key"], "server": config["site"]}
    answer = get_notifier("zulip").notify(**account, to="nowhere", subject="x", message="lost")
    return answer.errors


driver.run(notify_topic, notify_person, refuse)
