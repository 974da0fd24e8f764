"""Plays a game for both players with the client that a generator made of openapi.json.

Usage: client.py URL FOLDER-OF-MAILS
"""

import pathlib
import re
import sys
import time

from turnpost_client import Client
from turnpost_client.api.default import act_json, board, seat_json, try_robot_json
from turnpost_client.models import ActJsonBody, ActJsonBodyAct

url, mails = sys.argv[1], pathlib.Path(sys.argv[2])
asked = 0


def client():
    """Each request comes from another visitor, as behind a proxy."""
    global asked
    asked += 1
    return Client(base_url=url, headers={"X-Forwarded-For": f"10.7.{asked // 250}.{asked % 250}"})


def token(player):
    """The token of a player's newest link, which must be one that is to move."""
    for _ in range(100):
        texts = sorted((mail.stat().st_mtime_ns, mail.read_text()) for mail in mails.glob("*.eml"))
        theirs = [text for _, text in texts if f"To: {player}@example.org" in text]
        links = [link for text in theirs for link in re.findall(r"On a page: \S+/play/(\S+)", text)]
        for link in reversed(links):
            seat = seat_json.sync(link, client=client())
            if seat.to_move:
                return link, seat
        time.sleep(0.2)
    sys.exit(f"no link lets {player} move")


made = 0
while True:
    state = board.sync("dvonn", 1, client=client())
    if state.result:
        break
    link, seat = token(["ann", "bob"][state.turn])
    ply = seat.legal[made % len(seat.legal)]
    preview = seat_json.sync(link, client=client(), turn=ply.lower())
    assert preview.turn == [ply], preview
    body = ActJsonBody(act=ActJsonBodyAct.MOVE, turn=ply)
    done = act_json.sync_detailed(link, client=client(), body=body)
    assert done.status_code == 303, done
    made += 1
refused = act_json.sync_detailed(link, client=client(), body=ActJsonBody(act=ActJsonBodyAct.RESIGN))
assert refused.status_code == 409 and refused.parsed.notice, refused

# A few plies against the robot, each from the address that the answer before names.
here = try_robot_json.sync_detailed("hexmeister", client=client(), level=1).headers["location"]
for _ in range(3):
    pairs = dict(pair.split("=", 1) for pair in here.split("?", 1)[1].split("&"))
    pairs["level"], pairs["seed"] = int(pairs["level"]), int(pairs["seed"])
    game = try_robot_json.sync("hexmeister", client=client(), **pairs)
    make = game.legal[0].lower()
    next = try_robot_json.sync_detailed("hexmeister", client=client(), **pairs, make=make)
    assert next.status_code == 303, next
    here = next.headers["location"]
print(f"{made} plies: {state.result}")
