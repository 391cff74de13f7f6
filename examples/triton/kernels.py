"""The contract as three small Triton kernels: tables, lengths, write slots. The status word is left alone."""
import triton
import triton.language as tl

LARGEST = tl.constexpr(2**31 - 1)


@triton.jit
def keys_of(seq_lens, stride, row, mask, added):
    """K of rows: C4.2 and C4.3."""
    length = tl.load(seq_lens + row * stride, mask=mask, other=0)
    return tl.where(length < 0, 0, tl.minimum(length, LARGEST - added) + added)


@triton.jit
def page_of(slot, page_size):
    return tl.where(slot < 0, -1, slot // page_size)


@triton.jit
def fill_tables(seq_lens, seq_stride, indices, index_stride, pool, pool_rows, positions, pool_row_stride, pool_stride,
                table, row_stride, stride, width, swa_map, map_stride, map_size, swa_table, swa_row_stride, swa_stride,
                page_size, added, HYBRID: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    column = tl.program_id(1).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    keys = keys_of(seq_lens, seq_stride, row, True, added)
    live = (column < (keys + page_size - 1) // page_size) & (column < width)
    source = tl.load(indices + row * index_stride)
    position = column * page_size
    readable = live & (source >= 0) & (source < pool_rows) & (position < positions)
    slot = tl.load(pool + source * pool_row_stride + position * pool_stride, mask=readable, other=-1).to(tl.int64)
    tl.store(table + row * row_stride + column * stride, page_of(slot, page_size).to(tl.int32), mask=live)
    if HYBRID:
        found = live & (slot >= 0) & (slot < map_size)
        mapped = tl.load(swa_map + slot * map_stride, mask=found, other=-1)
        tl.store(swa_table + row * swa_row_stride + column * swa_stride, page_of(mapped, page_size).to(tl.int32),
                 mask=live)


@triton.jit
def sum_lengths(seq_lens, seq_stride, lengths, length_stride, sums_q, q_stride, sums_k, k_stride, rows, added, queries,
                BLOCK: tl.constexpr):
    tl.store(sums_q, 0)
    tl.store(sums_k, 0)
    before = tl.zeros([], tl.int64)
    for first in range(0, rows, BLOCK):
        row = first.to(tl.int64) + tl.arange(0, BLOCK)
        mask = row < rows
        keys = tl.where(mask, keys_of(seq_lens, seq_stride, row, mask, added), 0)
        tl.store(lengths + row * length_stride, keys.to(tl.int32), mask=mask)
        total = before + tl.cumsum(keys, 0)
        tl.store(sums_k + (row + 1) * k_stride, tl.minimum(total, LARGEST).to(tl.int32), mask=mask)
        tl.store(sums_q + (row + 1) * q_stride, tl.minimum((row + 1) * queries, LARGEST).to(tl.int32), mask=mask)
        before += tl.sum(keys, 0)


@triton.jit
def translate(slots, slot_stride, given, swa_map, map_stride, map_size, out, out_stride, room, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    slot = tl.load(slots + at * slot_stride, mask=at < given, other=0)
    found = (at < given) & (slot >= 0) & (slot < map_size)
    mapped = tl.load(swa_map + slot * map_stride, mask=found, other=-1)
    tl.store(out + at * out_stride, tl.where(at < given, mapped, 0), mask=at < room)


BLOCK = 128
