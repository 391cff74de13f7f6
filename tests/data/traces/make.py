#!/usr/bin/env python3
"""Writes the sample traces beside this file: made-up requests in the published formats, the same on every run."""

import datetime
import json
import pathlib
import random

ROWS = 40
BLOCK = 512
HERE = pathlib.Path(__file__).resolve().parent


def length(rng, median, spread, most):
    return max(1, min(most, round(median * 2 ** rng.gauss(0, spread))))


def mooncake(rng):
    """Chats that share a system prompt and grow turn by turn; each turn repeats the full blocks of the one before."""
    fresh = iter(range(3, 1_000_000))
    chats, lines, now = [], [], 0
    for _ in range(ROWS):
        now += round(rng.expovariate(1 / 350)) if rng.random() < 0.8 else 0
        if chats and rng.random() < 0.55:
            chat = rng.choice(chats)
            tokens = chat["tokens"] + length(rng, 300, 1, 2000)
        else:
            chat = {"full": rng.choice([[0], [0, 1, 2], []])}
            chats.append(chat)
            tokens = len(chat["full"]) * BLOCK + length(rng, 900, 1.2, 6000)
        full = chat["full"] + [next(fresh) for _ in range(tokens // BLOCK - len(chat["full"]))]
        ids = full + [next(fresh)] if tokens % BLOCK else full
        output = length(rng, 120, 1.3, 1000)
        chat.update(full=full, tokens=tokens + output)
        lines.append(json.dumps(
            {"timestamp": now, "input_length": tokens, "output_length": output, "hash_ids": ids}))
    return lines


def azure(rng):
    now = datetime.datetime(2024, 2, 28, 23, 59, 50)
    lines = ["TIMESTAMP,ContextTokens,GeneratedTokens"]
    for _ in range(ROWS):
        now += datetime.timedelta(microseconds=round(rng.expovariate(1 / 600_000)))
        lines.append(f"{now:%Y-%m-%d %H:%M:%S.%f}0,{length(rng, 800, 1, 8000)},{length(rng, 60, 1.5, 1000)}")
    return lines


def lengths(rng):
    lines = ["num_prefill_tokens,num_decode_tokens,num_total_tokens,pd_ratio"]
    for _ in range(ROWS):
        prefill, decode = length(rng, 1500, 0.7, 3500), length(rng, 150, 1.2, 500)
        lines.append(f"{prefill},{decode},{prefill + decode},{prefill / decode}")
    return lines


def main():
    samples = {"mooncake_sample.jsonl": mooncake, "azure_sample.csv": azure, "lengths_sample.csv": lengths}
    for name, make in samples.items():
        lines = make(random.Random("pagestorm " + name))
        (HERE / name).write_bytes("".join(line + "\n" for line in lines).encode())


if __name__ == "__main__":
    main()
