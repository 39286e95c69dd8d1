"""Calls every method of the small client of an agent framework."""

import driver
from chatzulip.client import ZulipClient
from driver import config

CLIENT = ZulipClient(
    site=config["site"],
    bot_email=config["email"],
    bot_api_key=config["api_key"],
    chatarch_home=config["folder"],
)


def profile():
    return CLIENT.get_profile()["user_id"]


def send():
    return CLIENT.send_message("stream", config["channel"], "from a framework", config["topic"])["id"]


def send_direct():
    return CLIENT.send_message("direct", [config["witness"]["user_id"]], "from a framework, to you")["id"]


def react():
    sent = CLIENT.send_message("stream", config["channel"], "liked", config["topic"])["id"]
    CLIENT.react_to_message(sent, "tada", reaction_type="unicode_emoji")


def react_by_default():
    sent = CLIENT.send_message("stream", config["channel"], "liked by default", config["topic"])["id"]
    CLIENT.react_to_message(sent, "tada")


def upload():
    uri = CLIENT.upload_file(driver.write_file("plan.txt", "a plan"))
    CLIENT.send_message("stream", config["channel"], f"[the plan]({uri})", config["topic"])


def streams():
    return [stream["name"] for stream in CLIENT.list_streams()]


def subscriptions():
    return [stream["name"] for stream in CLIENT.list_subscriptions()]


def topics():
    return [topic["name"] for topic in CLIENT.list_topics(config["channel_id"])]


def newest():
    return [message["content"] for message in CLIENT.get_messages(num_before=3)]


def history():
    found = CLIENT.get_topic_messages(config["channel"], config["topic"], batch_size=2)
    return [message["content"] for message in found]


driver.run(
    profile, send, send_direct, react, react_by_default, upload, streams, subscriptions, topics, newest, history
)
