"""Writes 500 positions of chess with their legal plies, as python-chess writes them, from seed 47."""
import random

import chess

OUT = "crates/games/tests/data/chess-san.txt"
HEAD = "# 500 positions, each with its legal plies, made by tests/oracle/chess_san.py from seed 47 with python-chess 1.11.2."
lines, seen = [], set()


def add(board):
    if board.is_game_over() or board.halfmove_clock >= 90 or board.fen() in seen:
        return
    seen.add(board.fen())
    lines.append(board.fen() + " | " + " ".join(sorted(board.san(move) for move in board.legal_moves)))


def played():
    board = chess.Board()
    for _ in range(random.randrange(110)):
        moves = list(board.legal_moves)
        if not moves:
            break
        rare = [move for move in moves if move.promotion or board.is_castling(move)]
        board.push(random.choice(rare) if rare and random.random() < 0.1 else random.choice(moves))
    return board


def scattered():
    """Many pieces of one kind, which need the file or the row in their plies."""
    board = chess.Board(None)
    board.turn = random.random() < 0.5
    white, black, *others = random.sample(range(64), 14)
    board.set_piece_at(white, chess.Piece(chess.KING, True))
    board.set_piece_at(black, chess.Piece(chess.KING, False))
    for square in others:
        kind = random.choice([1, 1, 2, 2, 3, 4, 4, 5])
        if kind != chess.PAWN or square // 8 not in (0, 7):
            board.set_piece_at(square, chess.Piece(kind, random.random() < (0.6 if board.turn else 0.4)))
    return board


random.seed(47)
while len(lines) < 350:
    add(played())
while len(lines) < 500:
    board = scattered()
    if board.is_valid():
        add(board)
with open(OUT, "w") as out:
    out.write(HEAD + "\n" + "\n".join(lines) + "\n")
