#!/usr/bin/env python3
"""Plays a random legal move on each board of a Turnpost bot that waits for one.

Send `bot` from the account of the bot: a mail brings its token. Then run

    TURNPOST_URL=https://play.example.org TURNPOST_TOKEN=... examples/bot.py
"""

import json, os, random, sys, time
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

URL = os.environ["TURNPOST_URL"].rstrip("/")
HEAD = {"Authorization": "Bearer " + os.environ["TURNPOST_TOKEN"]}


def ask(path, form=None):
    """The page at `path`; with a form, the page to which the form leads."""
    body = urlencode(form).encode() if form else None
    with urlopen(Request(URL + path, body, HEAD), timeout=60) as answer:
        return json.load(answer)


def play(page):
    """Plays one ply. In a turn of several plies the board then waits for the next."""
    if legal := ask(page)["legal"]:
        ask(page, {"act": "move", "turn": random.choice(legal)})


since = ""
while True:
    try:
        me = ask("/me.json?since=" + since)
        for board in me["waiting"]:
            play(board["href"] + ".json")
        since = me["since"]
    except OSError as why:
        print(why, why.read().decode() if isinstance(why, HTTPError) else "", file=sys.stderr)
        if getattr(why, "code", None) == 401:
            sys.exit(1)
        time.sleep(60 if getattr(why, "code", None) == 429 else 5)
