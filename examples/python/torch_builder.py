"""The contract in PyTorch, on a GPU, shapes being taken on trust: pagestorm check --builder 'python3 torch_builder.py'

Nothing is read back and no size depends on contents, so it can be captured in a graph. That is why every column is
computed, and those after the live prefix are written with what they hold: FULL_WIDTH says so.
"""
import torch

import pagestorm
from torch_lengths import (ABSENT, CLAMPED, NO_POSITION, NO_ROW, keys_of, lengths, raise_if, translate,
                           translate_write_slots)


def pages_of(slots, page_size):
    """-1 for every negative slot, however it would divide."""
    return torch.where(slots < 0, -1, torch.div(slots, page_size, rounding_mode="floor")).to(torch.int32)


def keep(table, live, pages):
    table.copy_(torch.where(live, pages, table))


def fill_tables(batch, out, keys):
    """Both tables, all columns of the rows of the batch."""
    pool, page_size, width = batch.req_to_token, batch.page_size, out.page_table.shape[1]
    wanted = torch.div(keys + page_size - 1, page_size, rounding_mode="floor")
    raise_if(out, CLAMPED, wanted > width)
    column = torch.arange(width, device=keys.device)
    live = column < wanted[:, None]
    source, position = batch.req_pool_indices[:batch.rows].long()[:, None], column * page_size
    in_pool = (source >= 0) & (source < pool.shape[0])
    in_row = position < pool.shape[1]
    slots = pool[torch.where(in_pool, source, 0), torch.where(in_row, position, 0)]
    slots = torch.where(in_pool & in_row, slots, -1)
    raise_if(out, NO_ROW, live & ~in_pool)
    raise_if(out, NO_POSITION, live & in_pool & ~in_row)
    raise_if(out, ABSENT, live & in_pool & in_row & (slots < 0))
    keep(out.page_table[:batch.rows], live, pages_of(slots, page_size))
    if batch.full_to_swa is not None:
        swa_slots = translate(out, slots, live, batch.full_to_swa)
        keep(out.swa_page_table[:batch.rows], live, pages_of(swa_slots, page_size))


@pagestorm.builder("torch", device=pagestorm.CUDA, without=pagestorm.FULL_WIDTH | pagestorm.NO_REFUSALS)
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
