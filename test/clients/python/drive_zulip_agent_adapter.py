"""Hears, sends and edits as the adapter of an agent."""

import asyncio

import driver
from driver import config
from zulip_agent_adapter import ZulipAdapter, ZulipConfig

LOOP = asyncio.new_event_loop()
ADAPTER = ZulipAdapter(ZulipConfig(config["site"], config["email"], config["api_key"], chatmode="onmessage"))
HEARD = asyncio.Queue()
CHANNEL = f"stream:{config['channel_id']}"


async def remember(event):
    await HEARD.put(event)


def connect():
    ADAPTER.on_message = remember
    return LOOP.run_until_complete(ADAPTER.connect())


def hear():
    driver.say("listening")
    return LOOP.run_until_complete(asyncio.wait_for(HEARD.get(), 60)).text


def send():
    return LOOP.run_until_complete(ADAPTER.send(CHANNEL, "from an agent", topic=config["topic"])).success


def edit():
    sent = LOOP.run_until_complete(ADAPTER.send(CHANNEL, "a draft of an agent", topic=config["topic"]))
    return LOOP.run_until_complete(ADAPTER.edit_message(sent.message_id, "revised by an agent")).success


def send_direct():
    chat = f"private:{config['witness']['user_id']}"
    return LOOP.run_until_complete(ADAPTER.send(chat, "from an agent, to you")).success


def chat_info():
    return LOOP.run_until_complete(ADAPTER.get_chat_info(CHANNEL))


def disconnect():
    LOOP.run_until_complete(ADAPTER.disconnect())


driver.run(connect, hear, send, edit, send_direct, chat_info, disconnect)
