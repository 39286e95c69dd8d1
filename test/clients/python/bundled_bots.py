"""Runs bots that come with the client, as programs of their own, and talks to them."""

import re
import subprocess
import sys
import time

WAIT_SECONDS = 60


class Talk:
    """A conversation of a person with a bot: a direct one, or one of mentions in the channel for games."""

    def __init__(self, client, bot):
        self.client = client
        self.bot = bot
        registered = client.register(event_types=["message", "update_message"])
        self.queue = {"queue_id": registered["queue_id"], "last_event_id": registered["last_event_id"]}

    def hear(self):
        """What the bot has said, or changed in what it said, since it was last asked."""
        answer = self.client.get_events(dont_block=True, **self.queue)
        assert answer["result"] == "success", answer
        said = []
        for event in answer["events"]:
            self.queue["last_event_id"] = event["id"]
            if event["type"] == "update_message" and event["user_id"] == self.bot["user_id"]:
                said.append(event["content"])
            if event["type"] == "message" and event["message"]["sender_id"] == self.bot["user_id"]:
                said.append(event["message"]["content"])
        return said

    def addressed(self, content):
        if not self.bot["plays"]:
            return {"type": "direct", "to": [self.bot["user_id"]], "content": content}
        mention = f"@**{self.bot['name']}** {content}"
        return {"type": "stream", "to": "games", "topic": "a game", "content": mention}

    def ask(self, content, is_answered):
        """Says something until the bot answers it: what it was told before it listened is lost to it."""
        until = time.monotonic() + WAIT_SECONDS
        heard = []
        while time.monotonic() < until:
            sent = self.client.send_message(self.addressed(content))
            assert sent["result"] == "success", sent
            for _ in range(50):
                heard += self.hear()
                if is_answered(heard):
                    return heard
                time.sleep(0.1)
        raise AssertionError(f"The bot's answers to {content!r} were {heard}.")


SQUARES = [f":{name}:" for name in "one two three four five six seven eight nine".split()]
BOARD = re.compile(r"\s+".join([r"(:\w+:)"] * len(SQUARES)))
GAME_OVER = re.compile(r"won! :tada:|It was a draw!")


def play(talk):
    """Plays a game to its end. Who begins, and some of the bot's moves, are up to chance."""
    own = 0
    said = f"start game with {talk.bot['name']}"
    while True:
        heard = talk.ask(said, lambda heard: any("(:x:) turn" in one or GAME_OVER.search(one) for one in heard))
        board = [match.groups() for one in heard for match in BOARD.finditer(one)][-1]
        assert board.count(":x:") == own, f"{own} moves were made, and the board is {board}."
        if any(GAME_OVER.search(one) for one in heard):
            return
        assert board.count(":o:") in (own, own + 1), f"The bot made a wrong number of moves: {board}."
        free = [number for number, square in enumerate(board, 1) if square == SQUARES[number - 1]]
        said = f"move {free[0]}"
        own += 1


CONVERSATIONS = {
    "incrementor": [("one more", "1"), ("one more", "2")],
    "virtual_fs": [
        ("mkdir notes", "directory created"),
        ("write notes/tea at five", "file written"),
        ("read notes/tea", "at five"),
        ("ls notes", "*tea*"),
    ],
    "tictactoe": [("help", "Tic Tac Toe")],
}


def run(client, bots, folder):
    """Returns what failed by bot, or None."""
    failures = dict.fromkeys(CONVERSATIONS)
    for name, conversation in CONVERSATIONS.items():
        bot = bots[name]
        rc = f"{folder}/{name}.rc"
        with open(rc, "w") as file:
            file.write(f"[api]\nemail={bot['email']}\nkey={bot['api_key']}\nsite={bot['site']}\n")
        with open(f"{folder}/{name}.log", "w+") as log:
            program = subprocess.Popen(
                [sys.executable, "-m", "zulip_bots.run", name, "--config-file", rc],
                stdout=log,
                stderr=subprocess.STDOUT,
            )
            try:
                talk = Talk(client, bot)
                for content, wanted in conversation:
                    talk.ask(content, lambda heard: any(wanted in said for said in heard))
                if bot["plays"]:
                    play(talk)
            except AssertionError as error:
                log.seek(0)
                failures[name] = f"{error}\n{log.read()[-3000:]}"
            finally:
                program.terminate()
                program.wait()
    return failures
