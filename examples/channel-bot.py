"""
A bot that decides for a channel: whoever writes "!choose tea, coffee" is answered with one of the two.

  SITE=http://127.0.0.1:9991 EMAIL=… API_KEY=… CHANNEL=general python3 examples/channel-bot.py

Python 3.8 or newer, and its standard library. README.md says where the bot's account comes from.
"""

import base64
import json
import os
import random
import time
import urllib.error
import urllib.parse
import urllib.request

SITE = os.environ["SITE"]
EMAIL = os.environ["EMAIL"]
API_KEY = os.environ["API_KEY"]
CHANNEL = os.environ.get("CHANNEL", "general")


def call(method, path, **params):
    """Asks until there is an answer: the server may be full, replaced, or out of reach for a moment."""
    form = urllib.parse.urlencode(params)
    url = SITE + "/api/v1" + path + ("?" + form if method == "GET" else "")
    key = base64.b64encode(f"{EMAIL}:{API_KEY}".encode()).decode()
    data = None if method == "GET" else form.encode()
    request = urllib.request.Request(url, data=data, method=method, headers={"Authorization": f"Basic {key}"})
    while True:
        try:
            with urllib.request.urlopen(request, timeout=90) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 502, 503):
                return json.load(error)
            time.sleep(float(error.headers.get("Retry-After", 1)))
        except OSError:
            time.sleep(1)


def succeed(reply):
    if reply["result"] != "success":
        raise SystemExit(reply["msg"])
    return reply


def choose(text):
    """What to answer to a text; None if it is not for the bot."""
    command, _, rest = text.partition(" ")
    options = [option.strip() for option in rest.split(",") if option.strip()]
    return random.choice(options) if command == "!choose" and options else None


def register():
    narrow = json.dumps([["channel", CHANNEL]])
    events = json.dumps(["message"])
    return succeed(call("POST", "/register", event_types=events, narrow=narrow, apply_markdown="false"))


def answer(message, queue_id):
    content = choose(message["content"])
    if content is None or message["sender_email"] == EMAIL:
        return
    # With a queue and a local id, a send that is repeated remains one message.
    call(
        "POST",
        "/messages",
        type="channel",
        to=json.dumps(CHANNEL),
        topic=message["subject"],
        content=content,
        queue_id=queue_id,
        local_id=message["id"],
    )


succeed(call("POST", "/users/me/subscriptions", subscriptions=json.dumps([{"name": CHANNEL}])))
queue = register()
print(f"Listening in #{CHANNEL}.", flush=True)
while True:
    reply = call("GET", "/events", queue_id=queue["queue_id"], last_event_id=queue["last_event_id"])
    if reply.get("code") == "BAD_EVENT_QUEUE_ID":
        # The bot was away for ten minutes, and its queue is gone.
        queue = register()
        continue
    for event in succeed(reply)["events"]:
        # This acknowledges the event. A reply that was lost comes again, with the same ids.
        queue["last_event_id"] = event["id"]
        if event["type"] == "message":
            answer(event["message"], queue["queue_id"])
