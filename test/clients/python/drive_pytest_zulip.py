"""Reports the results of tests."""

import os

import driver
from driver import config


def report():
    tests = driver.write_file("test_report.py", "def test_one(): pass\n\n\ndef test_two(): pass\n")
    environment = {
        "ZULIP_URL": f"{config['site']}/api/v1/messages",
        "ZULIP_STREAM": config["channel"],
        "ZULIP_TOPIC": config["topic"],
        "ZULIP_BOT_EMAIL_ADDRESS": config["email"],
        "ZULIP_BOT_API_KEY": config["api_key"],
    }
    return driver.call_program("pytest", tests, "--notify-zulip", env={**os.environ, **environment})


driver.run(report)
