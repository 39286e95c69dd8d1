"""Sends a notification to a channel and to a person."""

import driver
from driver import config
from wei.zulip import send_zulip

ACCOUNT = (config["site"], config["email"], config["api_key"])


def send_to_topic():
    send_zulip(*ACCOUNT, f"{config['channel']}:{config['topic']}", "The job is **done**.")


def send_to_person():
    send_zulip(*ACCOUNT, [config["witness"]["email"]], "Your job is done.")


driver.run(send_to_topic, send_to_person)
