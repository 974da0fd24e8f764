#!/usr/bin/env python3
"""Plays a random legal move on each board of a bot of Turnpost that waits for one.

Send `bot` from the account of the bot: a mail brings its token. Then run

    TURNPOST_URL=https://play.example.org TURNPOST_TOKEN=... examples/bot.py
"""

import json
import os
import random
import sys
import time
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

URL = os.environ["TURNPOST_URL"].rstrip("/")
HEAD = {"Authorization": "Bearer " + os.environ["TURNPOST_TOKEN"]}


def ask(path, form=None):
    """The page at `path` as JSON; with a form, the page to which the form leads."""
    body = urlencode(form).encode() if form else None
    with urlopen(Request(URL + path, body, HEAD), timeout=60) as answer:
        return json.load(answer)


def play(board):
    """Plays one ply. A turn of several plies leaves the board waiting for the next."""
    page = board["href"] + ".json"
    legal = ask(page)["legal"]
    if legal:
        ask(page, {"act": "move", "turn": random.choice(legal)})


since = ""
while True:
    try:
        me = ask("/me.json?since=" + since)
        since = me["since"]
        for board in me["waiting"]:
            play(board)
    except HTTPError as why:
        print(why, why.read().decode(), file=sys.stderr)
        if why.code == 401:
            sys.exit("TURNPOST_TOKEN is not good: send `bot` for another")
        time.sleep(60 if why.code == 429 else 5)
    except (URLError, TimeoutError, ConnectionError) as why:
        print(why, file=sys.stderr)
        time.sleep(5)
