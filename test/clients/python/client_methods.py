"""Calls every method of the client class once, and says what each was answered."""

import io
import struct
import threading
import zlib

import zulip

# Requests that servers of this feature level refuse.
REFUSED = {"remove_user_group"}


def png(width=8, height=8):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    rows = b"".join(b"\x00" + b"\xc8\x64\x00" * width for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def named(content, name):
    file = io.BytesIO(content)
    file.name = name
    return file


class Heard(Exception):
    """Leaves the client's endless loops."""


def public_methods(cls):
    return {
        name
        for name, value in vars(cls).items()
        if callable(value) and not name.startswith("_")
    }


def run(client, bot_client, others):
    """Returns {method: answer}; raises nothing for answers that are errors."""
    answers = {}

    def call(method, /, *args, **kwargs):
        caller = bot_client if method in ("get_storage", "update_storage") else client
        answers[method] = getattr(caller, method)(*args, **kwargs)
        return answers[method]

    alice = others["alice"]
    call("ensure_session")
    answers["get_user_agent"] = {"result": "success" if client.get_user_agent() else "error"}
    call("call_endpoint", url="users/me", method="GET")
    call("do_api_query", {}, client.base_url + "v1/users/me", method="GET")
    call("get_server_settings")
    profile = call("get_profile")
    call("get_user_by_id", alice)
    call("get_users")
    call("get_members", {"client_gravatar": True})
    call("create_user", {"email": "new@demo.example", "password": "words of a long password", "full_name": "New One"})
    call("update_user_by_id", alice, full_name="Alice Member")
    call("deactivate_user_by_id", others["carol"])
    call("reactivate_user_by_id", others["carol"])

    call("add_subscriptions", [{"name": "py one"}, {"name": "py two"}], principals=[profile["user_id"], alice])
    stream = call("get_stream_id", "py one")["stream_id"]
    second = client.get_stream_id("py two")["stream_id"]
    call("get_streams", include_public=True)
    call("get_subscriptions")
    call("list_subscriptions")
    call("get_subscribers", stream="py one")
    call("get_subscription_status", alice, stream)
    call("get_stream_email_address", stream)
    call("update_stream", {"stream_id": stream, "description": "from a program"})
    call("add_default_stream", stream)
    call("update_subscription_settings", [{"stream_id": stream, "property": "pin_to_top", "value": True}])

    registered = call("register", event_types=["message"])
    message = {"type": "stream", "to": "py one", "topic": "first", "content": "hello"}
    sent = call("send_message", message)["id"]
    events = call("get_events", queue_id=registered["queue_id"], last_event_id=registered["last_event_id"])
    assert events["events"][0]["message"]["id"] == sent, events
    call("deregister", registered["queue_id"])

    call("get_messages", {"anchor": "newest", "num_before": 5, "num_after": 0, "narrow": [["stream", "py one"]]})
    call("get_raw_message", sent)
    call("check_messages_match_narrow", msg_ids=[sent], narrow=[{"operator": "topic", "operand": "first"}])
    call("render_message", {"content": "*a*"})
    call("update_message", {"message_id": sent, "content": "hello again"})
    call("get_message_history", sent)
    call("add_reaction", {"message_id": sent, "emoji_name": "tada"})
    call("remove_reaction", {"message_id": sent, "emoji_name": "tada"})
    call("update_message_flags", {"messages": [sent], "op": "add", "flag": "starred"})
    call("get_stream_topics", stream)
    call("mute_topic", {"stream": "py one", "topic": "first", "op": "add"})
    call("mark_topic_as_read", stream, "first")
    call("mark_stream_as_read", stream)
    call("mark_all_as_read")
    call("set_typing_status", {"op": "start", "to": [alice]})
    call("move_topic", "py one", "py two", "first", "second")
    call("delete_message", sent)

    upload = call("upload_file", named(b"some text", "notes.txt"))
    assert upload["uri"].endswith("notes.txt"), upload
    call("get_attachments")
    call("upload_custom_emoji", "from_python", named(png(), "emoji.png"))
    call("get_realm_emoji")
    call("delete_custom_emoji", "from_python")
    call("add_alert_words", ["python"])
    call("get_alert_words")
    call("remove_alert_words", ["python"])
    call("update_notification_settings", {"enable_sounds": False})
    call("update_presence", {"status": "active", "ping_only": False, "new_user_input": True})
    others["sender"].update_presence({"status": "active", "ping_only": True, "new_user_input": True})
    call("get_user_presence", others["alice_email"])
    call("get_realm_presence")

    linkifier = call("add_realm_filter", "PY-(?P<id>[0-9]+)", "https://issues.example/{id}")["id"]
    call("get_realm_linkifiers")
    call("remove_realm_filter", linkifier)
    field = call("create_realm_profile_field", name="From Python", hint="x", field_type=1)["id"]
    call("get_realm_profile_fields")
    call("update_realm_profile_field", field, name="From a program")
    call("reorder_realm_profile_fields", order=[one["id"] for one in client.get_realm_profile_fields()["custom_fields"]])
    call("remove_realm_profile_field", field)

    call("create_user_group", {"name": "pythonists", "description": "x", "members": [alice]})
    group = next(one["id"] for one in call("get_user_groups")["user_groups"] if one["name"] == "pythonists")
    call("update_user_group", {"group_id": group, "name": "programs"})
    call("update_user_group_members", group, {"add": [profile["user_id"]], "delete": [alice]})
    call("remove_user_group", group)

    call("update_storage", {"storage": {"key": "value"}})
    assert call("get_storage")["storage"]["key"] == "value"

    answers["call_on_each_event"] = listen(client, others, lambda heard: client.call_on_each_event(heard, event_types=["message"]))
    answers["call_on_each_message"] = listen(client, others, lambda heard: client.call_on_each_message(heard))
    call("remove_subscriptions", ["py one"])
    call("delete_stream", second)
    return answers


def listen(client, others, loop):
    """Lets one of the client's loops hear a message, which is sent until it is heard."""
    done = threading.Event()

    def heard(_):
        done.set()
        raise Heard

    def send():
        message = {"type": "direct", "to": [others["owner"]], "content": "heard?"}
        while not done.wait(0.2):
            others["sender"].send_message(message)

    sending = threading.Thread(target=send, daemon=True)
    sending.start()
    try:
        loop(heard)
    except Heard:
        pass
    sending.join()
    return {"result": "success"}


def failure(name, answer):
    """What about an answer nobody expects, or None."""
    if answer is None:
        return None
    if name in REFUSED:
        is_refused = "allowed_methods" in answer
        return None if is_refused else f"was to be refused, and was answered {answer}"
    return None if answer.get("result") == "success" else f"was answered {answer}"


def failures(answers):
    """Returns what went otherwise than it should by method, or None."""
    missing = public_methods(zulip.Client) - set(answers)
    return {
        **{name: failure(name, answer) for name, answer in answers.items()},
        **{name: "was not called" for name in sorted(missing)},
    }
