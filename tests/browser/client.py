"""Plays a game for both players with the client that a generator made of openapi.json.

Usage: client.py URL FOLDER-OF-MAILS
"""

import email
import email.policy
import pathlib
import re
import sys
import time

from turnpost_client import Client
from turnpost_client.api.default import (
    act_json, ask_for_link_json, ask_me_json, board, me_json, open_session_json, seat_json, try_robot_json,
)
from turnpost_client.models import (
    ActJsonBody, ActJsonBodyAct, AskForLinkJsonBody, AskMeJsonBody, AskMeJsonBodyAct, AskMeJsonBodyFirst,
)

url, mails = sys.argv[1], pathlib.Path(sys.argv[2])
asked = 0


def client(**fields):
    """Each request comes from another visitor, as behind a proxy."""
    global asked
    asked += 1
    return Client(base_url=url, headers={"X-Forwarded-For": f"10.7.{asked // 250}.{asked % 250}", **fields})


def text(path):
    """The recipient and the text of a mail."""
    mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    return f"To: {mail['To']}\n{mail.get_body(('plain',)).get_content()}"


def newest(player, pattern):
    """What a pattern finds in the mails to a player, the newest first."""
    texts = sorted((mail.stat().st_mtime_ns, text(mail)) for mail in mails.glob("*.eml"))
    theirs = [text for _, text in texts if f"To: {player}@example.org" in text]
    return list(reversed([link for text in theirs for link in re.findall(pattern, text)]))


def sign_in(player):
    """Signs in with the link of a mail; gives the fields that say so in a request."""
    ours = {"Origin": url}
    asked_for = ask_for_link_json.sync_detailed(client=client(**ours), body=AskForLinkJsonBody(who=player))
    assert asked_for.status_code == 200, asked_for
    for _ in range(100):
        links = newest(player, r"/sign-in/(s\S+)")
        if links:
            break
        time.sleep(0.2)
    opened = open_session_json.sync_detailed(links[0], client=client(**ours))
    assert opened.status_code == 303, opened
    return {**ours, "Cookie": opened.headers["set-cookie"].split(";")[0]}


def token(player):
    """The token of a player's newest link, which must be one that is to move."""
    for _ in range(100):
        for link in newest(player, r"\S+/play/(\S+)"):
            seat = seat_json.sync(link, client=client())
            if seat.to_move:
                return link, seat
        time.sleep(0.2)
    sys.exit(f"no link lets {player} move")


signed_in = sign_in("ann")
mine = me_json.sync(client=client(**signed_in))
body = AskMeJsonBody(
    code=mine.code, once=str(mine.once), act=AskMeJsonBodyAct.CHALLENGE, game="hex", opponent="bob",
    first=AskMeJsonBodyFirst.ME,
)
begun = ask_me_json.sync_detailed(client=client(**signed_in), body=body)
assert begun.status_code == 303 and "/play/" in begun.headers["location"], begun

made = 0
while True:
    state = board.sync("dvonn", 1, client=client())
    if state.result:
        break
    if state.turn == 0:
        # Who is signed in finds the board among those that wait.
        waiting = me_json.sync(client=client(**signed_in)).waiting
        link = next(row.href for row in waiting if row.board == 1).removeprefix("/play/")
        seat = seat_json.sync(link, client=client())
    else:
        link, seat = token("bob")
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
    answer = try_robot_json.sync_detailed("hexmeister", client=client(), **pairs, make=make)
    assert answer.status_code == 303, answer
    here = answer.headers["location"]
print(f"{made} plies: {state.result}")
