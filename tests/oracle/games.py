#!/usr/bin/env python3
"""Other people's engines as an oracle for our games. README.md says how to run this.

    games.py data WORD            writes crates/games/tests/data/WORD.txt
    games.py check WORD GAMES     plays random games and compares every ply with ours
"""

import importlib.metadata
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = {1: "first", -1: "second", 0: "tie"}


class Spiel:
    """A game in progress in OpenSpiel. `write` makes our notation of one of its actions."""

    def __init__(self, name, write=str.lower):
        import pyspiel

        self.state, self.write = pyspiel.load_game(name).new_initial_state(), write

    def actions(self):
        return self.state.legal_actions()

    def plies(self):
        """The legal plies, each with what plays it."""
        return {self.write(self.state.action_to_string(action)): [action] for action in self.actions()}

    def names(self):
        """Every text that may stand for a ply, with the ply."""
        return {ply: ply for ply in self.plies()}

    def count(self):
        return len(self.actions())

    def play(self, ply):
        for action in self.plies()[ply]:
            self.state.apply_action(action)

    def copy(self):
        copy = object.__new__(type(self))
        copy.__dict__ = self.__dict__ | {"state": self.state.clone()}
        return copy

    def result(self):
        """`None` while the game goes on, `?` where the engine stops and the rules do not."""
        return RESULTS[round(self.state.returns()[0])] if self.state.is_terminal() else None

    def tempting(self):
        """Plies that look legal and are not, beside those that are legal elsewhere."""
        return []


class Amazons(Spiel):
    """OpenSpiel's ply is three actions: from, to and arrow. Its rows count from the top."""

    def count(self):
        return len(self.plies())

    def plies(self):
        plies = {}

        def walk(state, actions, names):
            if len(actions) == 3:
                plies["-".join(names)] = actions
                return
            for action in state.legal_actions():
                name = "abcdefghij"[action % 10] + str(10 - action // 10)
                if len(actions) == 2:
                    walk(None, actions + [action], names + [name])
                else:
                    walk(state.child(action), actions + [action], names + [name])

        walk(self.state, [], [])
        return plies


class Go(Spiel):
    """OpenSpiel ends a game at a repeated board as a tie; by the rules that ply is forbidden (positional superko)."""

    def actions(self):
        *points, last = super().actions() or [None]
        if last is None:
            return []
        return [point for point in points if not self.state.child(point).is_terminal()] + [last]

    def tempting(self):
        rows = [line.split()[1] for line in str(self.state).splitlines()[2:-1]]
        points = [
            "abcdefghijklmnopqrs"[column] + str(len(rows) - row)
            for row, line in enumerate(rows)
            for column, point in enumerate(line)
            if point == "+"
        ]
        return sorted(set(points) - set(self.plies()))


class Loa(Spiel):
    """OpenSpiel calls the first repetition of a board a tie. The rules do not, so nothing is said of such an end."""

    def result(self):
        result = super().result()
        return "?" if result == "tie" else result


class Pig(Spiel):
    """OpenSpiel's first player is our second side. It may stop without points, and roll with enough of them."""

    def __init__(self):
        super().__init__("pig(horizon=100000)", lambda text: {"stop": "hold"}.get(text, text.split()[-1]))

    def plies(self):
        if self.state.is_chance_node():
            return {str(face): [action] for face, (action, _) in enumerate(self.state.chance_outcomes(), 1)}
        if self.state.is_terminal():
            return {}
        *scores, at_stake = map(int, re.findall(r"\d+", str(self.state).splitlines()[0]))
        own = scores[self.state.current_player()]
        legal = {"roll": own + at_stake < 100, "hold": at_stake > 0}
        return {ply: actions for ply, actions in super().plies().items() if legal[ply]}

    def count(self):
        return len(self.plies())

    def result(self):
        return {"first": "second", "second": "first"}.get(super().result())


class Einstein(Pig):
    """OpenSpiel's white is our first side; its corner is at the lower right. Chance places the stones there."""

    WAYS = {"up": (0, 1), "left": (1, 0), "down": (0, -1), "right": (-1, 0)}
    START = {"3": (0, 0), "4": (1, 1), "2": (0, 1), "5": (1, 0), "1": (0, 2), "6": (2, 0)}

    def __init__(self, dice=None):
        """With `dice` the stones are placed at random, and the second side has rolled."""
        Spiel.__init__(self, "einstein_wurfelt_nicht")
        self.has_begun = dice is not None
        for side in "bw":
            places = {side + n: (c, r) if side == "w" else (4 - c, 4 - r) for n, (c, r) in self.START.items()}
            children = (self.state.child(action) for action, _ in self.state.chance_outcomes())
            fits = lambda child: places.items() <= self.places(child).items()
            self.state = dice.choice(list(children)) if dice else next(filter(fits, children))

    @staticmethod
    def places(state):
        """Column and row of each stone, such as `w3`."""
        spaces = enumerate(re.findall(r"\|(..)\|", str(state).replace("||", "| |").replace("__", "..")))
        return {stone: (4 - at % 5, 4 - at // 5) for at, stone in spaces if stone != ".."}

    def plies(self):
        if not self.has_begun:
            return {"roll": []}
        if self.state.is_chance_node():
            return super().plies()
        places, plies = self.places(self.state), {}
        for action in self.actions():
            stone, way = self.state.action_to_string(action).rstrip("*").lower().split("-")
            (column, row), ahead = places[stone], 1 if stone[0] == "w" else -1
            aside, up = self.WAYS.get(way, (ahead, ahead))
            plies["-".join("abcde"[c] + str(r + 1) for c, r in ((column, row), (column + aside, row + up)))] = [action]
        return plies

    def play(self, ply):
        super().play(ply)
        self.has_begun = True

    def result(self):
        return Spiel.result(self) and super().result()

    def position(self, die):
        """Our text of the position."""
        signs = {at: {"w": n, "b": "abcdef"[int(n) - 1]}[side] for (side, n), at in self.places(self.state).items()}
        rows = ["".join(signs.get((column, row), ".") for column in range(5)) for row in (4, 3, 2, 1, 0)]
        return f"{'/'.join(rows)} {'bw'[self.state.current_player()]} {die},0,0,0"


def placed(dice):
    """Positions after other placements of the stones, with their legal plies."""
    found = {}
    while len(found) < 200:
        table = Einstein(dice)
        while table.result() is None:
            table.play(die := dice.choice(sorted(table.plies())))
            if dice.random() < 0.1:
                found[table.position(die)] = sorted(table.plies())
            table.play(dice.choice(sorted(table.plies())))
    for position, legal in list(found.items())[:200]:
        yield f"at {position} | {' '.join(legal)}"


class Chess:
    """By python-chess: SAN is the ply's text."""

    def __init__(self):
        import chess

        self.chess, self.board = chess, chess.Board()

    def plies(self):
        return {self.board.san(move): move for move in self.board.legal_moves}

    def names(self):
        return {name: san for san, move in self.plies().items() for name in (san, san.rstrip("+#"), move.uci())}

    def count(self):
        return self.board.legal_moves.count()

    def play(self, ply):
        self.board.push(self.board.parse_san(ply))

    def copy(self):
        copy = Chess()
        copy.board = self.board.copy()
        return copy

    def result(self):
        board = self.board
        if board.is_checkmate():
            return "second" if board.turn else "first"
        ties = [board.is_stalemate(), board.is_insufficient_material(), board.is_fifty_moves(), board.is_repetition(3)]
        return "tie" if any(ties) else None

    def tempting(self):
        """Moves that leave the king in check, or else what no piece does."""
        board, legal = self.board, {move.uci()[:4] for move in self.board.legal_moves}
        pinned = {move.uci()[:4] for move in board.pseudo_legal_moves} - legal
        own = [square for square, piece in board.piece_map().items() if piece.color == board.turn]
        ends = [(self.chess.square_name(start), self.chess.square_name(end)) for start in own for end in range(64)]
        return sorted(pinned or {start + end for start, end in ends if start != end} - legal)


class Draughts:
    """By pydraughts. Captures of the same pieces from and to the same squares are one ply, however they went."""

    def __init__(self):
        from draughts.core.game import Game

        self.game, self.known = Game("international"), None

    def classes(self):
        """The ways to play each ply, as squares and as what the engine plays, by its ends and what it takes."""
        if self.known is not None:
            return self.known
        classes = self.known = {}
        for way, taken in zip(*self.game.legal_moves()):
            taken = frozenset(taken) - {None}
            squares = (way[0][0], *(end for _, end in way))
            classes.setdefault((squares[0], squares[-1], taken), []).append((squares, way))
        return classes

    def plies(self):
        return {ply: move for ply, move, _ in self.written()}

    def names(self):
        return {name: ply for ply, _, names in self.written() for name in names}

    def written(self):
        """Each ply with its move and every way to write it."""
        classes = self.classes()
        ends = [key[:2] for key in classes]
        for (start, end, taken), ways in classes.items():
            sign = "x" if taken else "-"
            long = [sign.join(map(str, steps)) for steps, _ in sorted(ways)]
            short = [f"{start}{sign}{end}"] if ends.count((start, end)) == 1 else []
            names = short + long
            yield names[0], min(ways)[1], names

    def count(self):
        return len(self.classes())

    def play(self, ply):
        self.game.push(self.plies()[ply])
        self.known = None

    def copy(self):
        copy = object.__new__(Draughts)
        copy.game, copy.known = self.game.copy_fast(), self.known
        return copy

    def result(self):
        winner = self.game.get_winner()
        return None if winner is None else {2: "first", 1: "second", 0: "tie"}[winner]

    def tempting(self):
        """Plain moves of a side that has to capture, and captures of less than the most."""
        game, ends = self.game, {key[:2] for key in self.classes()}
        ways = [(start, end, "-") for start, end in game.board.get_possible_positional_moves()]
        ways += [(way[0][0], way[-1][1], "x") for way, taken in zip(*game.get_moves()) if taken[0] is not None]
        return sorted({f"{start}{sign}{end}" for start, end, sign in ways if (start, end) not in ends})


def sized(name, size):
    return lambda options: Spiel(f"{name}(board_size={options.get('size', size)})")


def turned(text):
    """OpenSpiel's first side of Breakthrough moves down."""
    return "-".join(column + str(9 - int(row)) for column, row in re.findall("([a-h])([1-8])", text))


def crossing(text):
    row, column = text.split(",")
    return "abcdefghijklmno"[int(column)] + str(int(row) + 1)


def point(text):
    """Without the colour."""
    text = text.split()[1]
    return text.lower() if text.lower() == "pass" else text.upper()


def go(options):
    size, komi = options.get("size", 9), options.get("komi", 7)
    return Go(f"go(board_size={size},komi={float(komi)},max_game_length=100000)", point)


# Each game: its engine, how a board is set up, the options to try, and which plies make a position worth showing.
SPIEL = "open_spiel"
GAMES = {
    "hex": (SPIEL, sized("hex", 11), ["-size=5", "-size=6", "-size=8", ""], None),
    "y": (SPIEL, sized("y", 13), ["-size=7", "-size=9", ""], None),
    "havannah": (SPIEL, sized("havannah", 8), ["-size=4", "-size=5", "-size=6", ""], None),
    "breakthrough": (SPIEL, lambda _: Spiel("breakthrough", turned), [""], None),
    "amazons": (SPIEL, lambda _: Amazons("amazons"), [""], None),
    "loa": (SPIEL, lambda _: Loa("lines_of_action", lambda text: text.replace("x", "-")), [""], None),
    "reversi": (SPIEL, lambda _: Spiel("othello"), [""], r"^pass$"),
    "gomoku": (SPIEL, lambda _: Spiel("gomoku", crossing), [""], None),
    "go": (SPIEL, go, ["", "-komi=6.5", "-size=13"], None),
    "draughts": ("pydraughts", lambda _: Draughts(), [""], r"x"),
    "einstein": (SPIEL, lambda _: Einstein(), [""], r"-"),
    "pig": (SPIEL, lambda _: Pig(), [""], r"hold"),
    "chess": ("chess", lambda _: Chess(), [""], r"O-O|=|\+"),
}


def start(word, options):
    values = dict(option.lstrip("-").split("=") for option in options.split())
    return GAMES[word][1](values)


def perft(table, depth):
    if depth == 0 or table.result() is not None:
        return 0 if depth else 1
    if depth == 1:
        return table.count()
    total = 0
    for ply in table.plies():
        after = table.copy()
        after.play(ply)
        total += perft(after, depth - 1)
    return total


def line(kind, options, *fields):
    return " | ".join([f"{kind} {options}".strip(), *fields])


def random_game(word, options, dice):
    """The plies, the result and the legal plies before each ply."""
    table, played, legal = start(word, options), [], []
    while (result := table.result()) is None:
        legal.append(sorted(table.plies()))
        played.append(dice.choice(legal[-1]))
        table.play(played[-1])
    return played, result, legal


def data(word):
    engine, _, all_options, rare = GAMES[word]
    dice = random.Random(word)
    yield f"# Counts, games and plies by {engine} {importlib.metadata.version(engine)}: `tests/oracle/games.py data {word}`."
    yield "# `tests/oracle/README.md` says how to read them, and where that engine differs from the rules."
    for options in all_options:
        depth, before, count = 0, 1, 1
        # A depth more multiplies the count by as much as the last one did.
        while count and count * count // before < (40_000 if word == "draughts" else 8_000_000):
            depth, before = depth + 1, count
            count = perft(start(word, options), depth)
            yield f"perft {options}".strip() + f" {depth} {count}"
    if word == "draughts":
        # pydraughts takes an hour for these. The package py-draughts, another engine, counts all seven the same.
        yield "# By py-draughts 1.10.1:"
        yield from ["perft 6 167140", "perft 7 1049442"]
    games = []
    for number in range(24 if word == "draughts" else 60):
        options = all_options[number % len(all_options)]
        games.append((options, *random_game(word, options, dice)))
    games.sort(key=lambda game: len(" ".join(game[1])))
    told = [game for game in games if game[2] != "?"]
    size = 0
    for options, played, result, _ in told[:: max(1, len(told) // 20)]:
        text = line("game", options, " ".join(played), result)
        size += len(text)
        if size < 30_000:
            yield text
    seen = {ply for _, _, _, legal in games for plies in legal for ply in plies}
    places = [(game, ply) for game in games for ply in range(len(game[1])) if len(game[3][ply]) < 250]
    shown = [place for place in places if rare and any(re.search(rare, ply) for ply in place[0][3][place[1]])]
    chosen = dice.sample(shown, min(8, len(shown)))
    chosen += dice.sample(places, 16 - len(chosen))
    refused = []
    for (options, played, _, legal), ply in sorted(chosen, key=lambda place: place[1]):
        before = " ".join(played[:ply])
        yield line("plies", options, before, " ".join(legal[ply]))
        table = start(word, options)
        for each in played[:ply]:
            table.play(each)
        others = table.tempting() or sorted(seen - set(table.names()))
        refused += [line("refused", options, before, dice.choice(others))] if others else []
    yield from refused
    if word == "einstein":
        yield from placed(dice)


def check(word, games):
    """Compares, and gives the number of differences."""
    command = ["cargo", "run", "-q", "-p", "turnpost-games", "--example", "plies"]
    ours = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
    seed = random.randrange(1 << 32)
    dice, compared, differing = random.Random(seed), 0, 0
    for number in range(games):
        options = GAMES[word][2][number % len(GAMES[word][2])]
        table, said = start(word, options), f"{word} {options} |"
        while True:
            print(said, file=ours.stdin)
            plies, _, state = ours.stdout.readline().strip().rpartition("|")
            plies, names, result = plies.split(), table.names(), table.result()
            if word not in ("chess", "go"):
                plies = [ply.lower() for ply in plies]
            read = {names.get(ply, ply): ply for ply in plies} if result is None else {}
            legal = set(table.plies()) if result is None else set()
            same = result == "?" or (
                set(read) == legal and len(read) == len(plies) and state.strip() == (result or "going")
            )
            compared += 1
            if not same:
                differing += 1
                print(f"differs: {said}\n  ours alone: {sorted(set(read) - legal)}, theirs alone: {sorted(legal - set(read))}")
                print(f"  ours: {len(plies)} plies, {state.strip()}; theirs: {len(legal)} plies, {result or 'going'}")
            if not same or result is not None:
                break
            ply = dice.choice(sorted(legal))
            said += f" {read[ply]}"
            table.play(ply)
    print(f"{word}: {games} games, {compared} positions compared, {differing} differing (seed {seed})")
    return differing


def main():
    match sys.argv[1:]:
        case ["data", word]:
            text = "\n".join(data(word)) + "\n"
            (ROOT / f"crates/games/tests/data/{word}.txt").write_text(text)
            return 0
        case ["check", word, games]:
            return check(word, int(games)) != 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())
