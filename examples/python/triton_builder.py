"""The contract with a Triton kernel for the tables, shapes being taken on trust: pagestorm check --builder 'python3 triton_builder.py'

One program of the grid has a block of columns of one row. Only live cells are written.
"""
import torch
import triton
import triton.language as tl

import pagestorm
from torch_lengths import keys_of, lengths, translate_write_slots

CLAMPED, ABSENT, NO_ROW = tl.constexpr(1 << 0), tl.constexpr(1 << 2), tl.constexpr(1 << 3)
NO_POSITION, NO_SLOT = tl.constexpr(1 << 4), tl.constexpr(1 << 5)


@triton.jit
def any_of(met, bit: tl.constexpr):
    return tl.max(met.to(tl.int32), axis=0) * bit


@triton.jit
def fill(keys, indices, index_stride, pool, pool_rows, positions, pool_row_stride, pool_stride, table, row_stride,
         stride, width, swa_map, map_stride, map_size, swa_table, swa_row_stride, swa_stride, status, page_size,
         HYBRID: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    column = tl.program_id(1).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    wanted = (tl.load(keys + row) + page_size - 1) // page_size
    live = (column < wanted) & (column < width)
    source = tl.load(indices + row * index_stride).to(tl.int64)
    in_pool = (source >= 0) & (source < pool_rows)
    position = column * page_size
    within = live & in_pool
    readable = within & (position < positions)
    slot = tl.load(pool + source * pool_row_stride + position * pool_stride, mask=readable, other=-1)
    # A negative slot is never divided: -1 // 2 is 0 here.
    tl.store(table + row * row_stride + column * stride, tl.where(slot < 0, -1, slot // page_size), mask=live)
    bits = tl.where(wanted > width, CLAMPED, 0) | any_of(live ^ within, NO_ROW)
    bits |= any_of(within ^ readable, NO_POSITION) | any_of(readable & (slot < 0), ABSENT)
    if HYBRID:
        beyond = readable & (slot >= map_size)
        found = readable & (slot >= 0) & (slot < map_size)
        swa_slot = tl.load(swa_map + slot.to(tl.int64) * map_stride, mask=found, other=-1)
        swa_page = tl.where(swa_slot < 0, -1, swa_slot // page_size)
        tl.store(swa_table + row * swa_row_stride + column * swa_stride, swa_page.to(tl.int32), mask=live)
        bits |= any_of(beyond, NO_SLOT)
    tl.atomic_or(status, bits)


def fill_tables(batch, out, keys, block=128):
    """Both tables, in one launch whose grid comes from shapes alone."""
    hybrid, table, pool = batch.full_to_swa is not None, out.page_table, batch.req_to_token
    swa_table, swa_map = (out.swa_page_table, batch.full_to_swa) if hybrid else (table, batch.req_pool_indices)
    grid = (batch.rows, max(1, triton.cdiv(table.shape[1], block)))
    fill[grid](keys, batch.req_pool_indices, batch.req_pool_indices.stride(0), pool, pool.shape[0], pool.shape[1],
               pool.stride(0), pool.stride(1), table, table.stride(0), table.stride(1), table.shape[1], swa_map,
               swa_map.stride(0), len(swa_map), swa_table, swa_table.stride(0), swa_table.stride(1), out.status,
               batch.page_size, HYBRID=hybrid, BLOCK=block)


@pagestorm.builder("triton", device=pagestorm.CUDA, without=pagestorm.NO_REFUSALS)
def apply(batch, out):
    keys = lengths(batch, out)
    if batch.rows:
        fill_tables(batch, out, keys)
    if batch.full_to_swa is not None:
        translate_write_slots(batch, out)


@pagestorm.build
def build(batch, out):
    if batch.rows:
        fill_tables(batch, out, keys_of(batch, out, 0))


if __name__ == "__main__":
    pagestorm.serve(refused="" if torch.cuda.is_available() else "torch sees no GPU")
