"""The Python client and its bots, unmodified, against a server that runs. Reads JSON from standard input,
and writes JSON to standard output."""

import json
import sys

import bundled_bots
import client_methods
import zulip


def main():
    config = json.load(sys.stdin)
    site = config["site"]

    def connect(user):
        return zulip.Client(email=user["email"], api_key=user["api_key"], site=site)

    owner, alice, bot = (connect(config[name]) for name in ("owner", "alice", "bot"))
    others = {
        "owner": config["owner"]["user_id"],
        "alice": config["alice"]["user_id"],
        "alice_email": config["alice"]["email"],
        "carol": config["carol"]["user_id"],
        "sender": alice,
    }
    answers = client_methods.run(owner, bot, others)
    failed = client_methods.failures(answers)
    print(f"{len(answers)} methods of the client", file=sys.stderr)

    bots = {}
    for name in bundled_bots.CONVERSATIONS:
        request = {"full_name": f"py {name}", "short_name": f"py-{name.replace('_', '-')}", "bot_type": 1}
        made = owner.call_endpoint(url="bots", method="POST", request=request)
        assert made["result"] == "success", made
        profile = owner.get_user_by_id(made["user_id"])["user"]
        email = profile["delivery_email"] or profile["email"]
        bots[name] = {**made, "email": email, "name": request["full_name"], "site": site, "plays": name == "tictactoe"}
    # Where games are played.
    players = [others["alice"], *(made["user_id"] for made in bots.values())]
    owner.add_subscriptions([{"name": "games"}], principals=players)
    failed += bundled_bots.run(alice, bots, config["folder"])
    print(f"{len(bots)} bots that come with it: {', '.join(bots)}", file=sys.stderr)
    print(json.dumps({"methods": len(answers), "bots": len(bots), "failed": failed}))


main()
