"""The contract in NumPy, shapes being taken on trust: pagestorm check --builder 'python3 numpy_builder.py'

What there is one of for each row is plain Python, which overflows nowhere. Cells are one flat list over all rows: each
that lives is read once, looked up once, and written once.
"""
from functools import lru_cache
from itertools import accumulate

import numpy as np

import pagestorm

LONGEST = 2**31 - 1
CLAMPED, NEGATIVE, ABSENT, NO_ROW, NO_POSITION, NO_SLOT, LONG, SUM, NO_ROOM = (1 << bit for bit in range(9))


def keys_of(batch, added):
    """K of each row, of which `added` says what is added to its length, and what had to be guarded against."""
    given = batch.seq_lens[:batch.rows].tolist()
    keys = [length + more if length >= 0 else 0 for length, more in zip(given, added)]
    status = (NEGATIVE if min(given, default=0) < 0 else 0) | (LONG if max(keys, default=0) > LONGEST else 0)
    return [min(length, LONGEST) for length in keys] if status & LONG else keys, status


def extends_of(batch):
    """New tokens of each row, where they are given."""
    given = batch.extend_seq_lens[:batch.rows].tolist()
    return [max(count, 0) for count in given], NEGATIVE if min(given, default=0) < 0 else 0


def store_sums(target, terms):
    """Element 0 and the running sums, cut at the largest length."""
    sums = list(accumulate(terms, initial=0))
    target[:len(sums)] = sums if sums[-1] <= LONGEST else [min(total, LONGEST) for total in sums]
    return SUM if sums[-1] > LONGEST else 0


@lru_cache(maxsize=4096)
def cells_of(lengths, page_size):
    """Row, column and first position of each cell of rows that are so long: slices where only one row has cells."""
    rows = [row for row, length in enumerate(lengths) if length]
    if len(rows) == 1:
        length = lengths[rows[0]]
        return rows[0], slice(length), slice(0, length * page_size, page_size)
    ends = np.cumsum(lengths)
    row = np.repeat(np.arange(len(lengths)), lengths)
    column = np.arange(ends[-1]) - (ends - lengths)[row]
    return row, column, column * page_size


def highest(slots):
    """The largest of them, where every negative one counts as larger than all others."""
    return np.maximum.reduce(slots.view(np.uint32 if slots.itemsize == 4 else np.uint64))


def translate(slots, high, table):
    """Slots of the full pool in the SWA pool, -1 where they have no place there."""
    if high < len(table):
        return table[slots], 0
    found = (slots >= 0) & (slots < len(table))
    translated = np.full(len(slots), -1, np.int64)
    translated[found] = table[slots[found]]
    return translated, NO_SLOT if slots.max() >= len(table) else 0


def fill_tables(batch, out, keys):
    """The live prefix of every row of both tables."""
    if not keys:
        return 0
    page_size, (pool_rows, positions), width = batch.page_size, batch.req_to_token.shape, out.page_table.shape[1]
    hybrid = batch.full_to_swa is not None
    wanted = [-(-length // page_size) for length in keys]
    status = CLAMPED if max(wanted) > width else 0
    readable, held = [], -(-positions // page_size)
    for row, (pages, source) in enumerate(zip(wanted, batch.req_pool_indices[:batch.rows].tolist())):
        live, inside = min(pages, width), 0 <= source < pool_rows
        readable.append(min(live, held) if inside else 0)
        if readable[-1] < live:  # What cannot be read is absent.
            status |= NO_POSITION if inside else NO_ROW
            for table in (out.page_table, out.swa_page_table)[:1 + hybrid]:
                table[row, readable[-1]:live] = -1
    if not any(readable):
        return status
    row, column, position = cells_of(tuple(readable), page_size)
    slots = batch.req_to_token[batch.req_pool_indices[row], position]
    high = highest(slots)
    pages = slots // page_size
    if high > LONGEST:  # Of a negative slot no quotient is right, however it is rounded.
        status |= ABSENT
        pages = np.maximum(pages, -1)
    out.page_table[row, column] = pages
    if hybrid:
        swa_slots, outside = translate(slots, high, batch.full_to_swa)
        out.swa_page_table[row, column] = np.maximum(swa_slots // page_size, -1)
        status |= outside
    return status


def translate_write_slots(batch, out):
    """Where this pass writes its KV in the SWA pool; zeros behind the last slot."""
    given = () if batch.out_cache_loc is None else batch.out_cache_loc
    room = () if out.swa_out_cache_loc is None else out.swa_out_cache_loc
    count, status = min(len(given), len(room)), 0
    if count:
        slots = given[:count]
        room[:count], status = translate(slots, highest(slots), batch.full_to_swa)
    if count < len(room):
        room[count:] = 0
    return status | (NO_ROOM if len(given) > len(room) else 0)


@pagestorm.builder("numpy", without=pagestorm.NO_REFUSALS)
def apply(batch, out):
    status, added, queries = 0, [0] * batch.rows, [1] * batch.rows
    if batch.mode in (pagestorm.TARGET_VERIFY, pagestorm.DRAFT_EXTEND):
        queries = [batch.tokens_per_row] * batch.rows
    if batch.mode == pagestorm.RAGGED_VERIFY or batch.mode == pagestorm.EXTEND and batch.has_cached_prefix:
        queries, status = extends_of(batch)
    if batch.mode == pagestorm.DRAFT_DECODE:
        added = [batch.draft_step + 1] * batch.rows
    elif batch.mode in (pagestorm.TARGET_VERIFY, pagestorm.RAGGED_VERIFY):
        added = queries
    keys, guarded = keys_of(batch, added)
    if batch.mode == pagestorm.EXTEND and not batch.has_cached_prefix:
        queries = keys
    out.cache_seqlens[:batch.rows] = keys
    status |= guarded | store_sums(out.cu_seqlens_q, queries) | store_sums(out.cu_seqlens_k, keys)
    status |= fill_tables(batch, out, keys)
    if batch.full_to_swa is not None:
        status |= translate_write_slots(batch, out)
    if status:
        out.status[0] |= status


@pagestorm.build
def build(batch, out):
    keys, status = keys_of(batch, [0] * batch.rows)
    status |= fill_tables(batch, out, keys)
    if status:
        out.status[0] |= status


if __name__ == "__main__":
    pagestorm.serve()
