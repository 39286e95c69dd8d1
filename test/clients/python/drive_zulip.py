"""Calls every method of the client class, and talks to bots that come with it."""

import bundled_bots
import client_methods
import driver
import zulip
from driver import config

ACCOUNTS = config["accounts"]


def connect(user):
    return zulip.Client(email=user["email"], api_key=user["api_key"], site=config["site"])


OWNER, ALICE, BOT = (connect(ACCOUNTS[name]) for name in ("owner", "alice", "bot"))


def call_methods():
    others = {
        "owner": ACCOUNTS["owner"]["user_id"],
        "alice": ACCOUNTS["alice"]["user_id"],
        "alice_email": ACCOUNTS["alice"]["email"],
        "carol": ACCOUNTS["carol"]["user_id"],
        "sender": ALICE,
    }
    for method, failure in client_methods.failures(client_methods.run(OWNER, BOT, others)).items():
        driver.say(method, **({"value": None} if failure is None else {"error": failure}))


def make_bot(name):
    request = {"full_name": f"py {name}", "short_name": f"py-{name.replace('_', '-')}", "bot_type": 1}
    made = OWNER.call_endpoint(url="bots", method="POST", request=request)
    assert made["result"] == "success", made
    profile = OWNER.get_user_by_id(made["user_id"])["user"]
    email = profile["delivery_email"] or profile["email"]
    return {**made, "email": email, "name": request["full_name"], "site": config["site"], "plays": name == "tictactoe"}


def talk_to_bots():
    bots = {name: make_bot(name) for name in bundled_bots.CONVERSATIONS}
    # Where games are played.
    players = [ACCOUNTS["alice"]["user_id"], *(made["user_id"] for made in bots.values())]
    OWNER.add_subscriptions([{"name": "games"}], principals=players)
    for bot, failure in bundled_bots.run(ALICE, bots, config["folder"]).items():
        driver.say(f"bot {bot}", **({"value": None} if failure is None else {"error": failure}))


driver.run(call_methods, talk_to_bots)
