#!/usr/bin/env python3
"""GNU Backgammon's engine (PyPI `gnubg-nn`) as an oracle for the legal turns. README.md says how to run this.

    backgammon.py COUNT     compares the turns of COUNT positions with dice, from seed 50

A board is GNU's pair (opponent, mover) of 25 counts, each from its owner's side, the bar last.
"""
import random
import subprocess
import sys

import gnubg_nn

TURNS = ["cargo", "run", "--quiet", "--release", "--locked", "-p", "turnpost-games", "--example", "turns"]
# The checkers of a side at the start, by game. A side of hypergammon has three.
STARTS = {
    "backgammon": {24: 2, 13: 5, 8: 3, 6: 5},
    "nackgammon": {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
    "hypergammon": {24: 1, 23: 1, 22: 1},
}


def side(points):
    return tuple(points.get(point, 0) for point in range(1, 26))


def after(board, steps):
    opponent, mover = list(board[0]), list(board[1])
    for start, end in steps:
        mover[start - 1] -= 1
        if end > 0:
            mover[end - 1] += 1
            if opponent[24 - end]:
                opponent[24 - end] = 0
                opponent[24] += 1
    return tuple(opponent), tuple(mover)


def legal(board, dice):
    """The boards that the legal turns lead to."""
    return {after(board, steps) for _, steps in gnubg_nn.moves(board, *dice, 1)}


def placed(rng, checkers):
    """A board at random, most of them such as no game shows: few points, closed points, the bar, near the end."""
    opponent, mover = [0] * 25, [0] * 25
    own = 6 if rng.random() < 0.25 else 24
    theirs = 6 if rng.random() < 0.4 else 24
    closes = rng.random() < 0.5
    for _ in range(rng.randint(1, checkers)):
        opponent[rng.randrange(theirs)] += 1
    for point in range(24):
        if closes and opponent[point] == 1 and sum(opponent) < checkers:
            opponent[point] += 1
    free = [point for point in range(own) if not opponent[23 - point]]
    for _ in range(rng.randint(1, checkers)):
        mover[rng.choice(free) if free else 24] += 1
    for counts, odds in ((mover, 0.3), (opponent, 0.1)):
        while rng.random() < odds and sum(counts) < checkers:
            counts[24] += 1
    return tuple(opponent), tuple(mover)


def walk(rng):
    """Games of random turns, for ever: from the starts and from boards at random."""
    while True:
        game = rng.choice(["backgammon"] * 4 + ["nackgammon", "hypergammon"])
        start = side(STARTS[game])
        board = rng.choice([(start, start), placed(rng, sum(start)), placed(rng, sum(start))])
        while all(map(sum, board)):
            dice = rng.randint(1, 6), rng.randint(1, 6)
            boards = legal(board, dice)
            yield game, board, dice, boards
            opponent, mover = rng.choice(sorted(boards)) if boards else board
            board = mover, opponent
            if rng.random() < 0.02:
                break


def written(counts):
    points = [f"{'bar' if point == 25 else point}:{counts[point - 1]}" for point in range(25, 0, -1) if counts[point - 1]]
    return ",".join(points) or "off"


def main(count):
    rng = random.Random(50)
    cases = [case for case, _ in zip(walk(rng), range(count))]
    questions = "".join(
        f"{game} {written(mover)}/{written(opponent)} w move {max(dice)}-{min(dice)}\n"
        for game, (opponent, mover), dice, _ in cases
    )
    answers = subprocess.run(TURNS, input=questions, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(answers) == count, len(answers)
    turns = differ = none = one = 0
    for (_, board, _, boards), question, answer in zip(cases, questions.splitlines(), answers):
        want = sorted(f"{written(mover)}/{written(opponent)}" for opponent, mover in boards or {board})
        ours = [turn.split(" = ") for turn in answer.split("; ")]
        is_pass = [ply for ply, *_ in ours] == ["pass"]
        turns += len(boards)
        none += not boards
        one += len(boards) == 1
        # Two plies that lead to one board would be listed twice.
        if sorted(turn[-1].split(" ")[0] for turn in ours) != want or is_pass == bool(boards):
            differ += 1
            print(f"differs: {question}\n  ours {answer}\n  GNU {want}")
    print(f"{count} positions with dice, {turns} turns, {none} without a turn, {one} with one: {differ} differ")
    return differ > 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
