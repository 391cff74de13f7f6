"""What builders in PyTorch and Triton share: lengths, sums and write slots, without reading anything back."""
import torch

import pagestorm

LONGEST = 2**31 - 1
CLAMPED, NEGATIVE, ABSENT, NO_ROW, NO_POSITION, NO_SLOT, LONG, SUM, NO_ROOM = (1 << bit for bit in range(9))


def raise_if(out, bit, met):
    """ORs a bit into the status word where anything in `met` holds."""
    out.status |= bit * met.any().to(torch.int32)


def keys_of(batch, out, added):
    """K of each row."""
    given = batch.seq_lens[:batch.rows].long()
    keys = torch.where(given < 0, 0, given.clamp(max=LONGEST + 1) + added)
    raise_if(out, NEGATIVE, given < 0)
    raise_if(out, LONG, keys > LONGEST)
    return keys.clamp(max=LONGEST)


def store_sums(out, target, terms):
    """Element 0 and the running sums, cut at the largest length."""
    sums = terms.cumsum(0)
    target[:1] = 0
    target[1:len(sums) + 1] = sums.clamp(max=LONGEST)
    raise_if(out, SUM, sums > LONGEST)


def translate(out, slots, wanted, table):
    """Slots of the full pool in the SWA pool, -1 where they have no place there."""
    outside = slots >= len(table)
    raise_if(out, NO_SLOT, outside & wanted)
    if len(table) == 0:
        return torch.full_like(slots, -1, dtype=torch.int64)
    found = (slots >= 0) & ~outside
    return torch.where(found, table[torch.where(found, slots, 0).long()].long(), -1)


def translate_write_slots(batch, out):
    """Where this pass writes its KV in the SWA pool; zeros behind the last slot."""
    if out.swa_out_cache_loc is None:
        return
    room = len(out.swa_out_cache_loc)
    given = 0 if batch.out_cache_loc is None else len(batch.out_cache_loc)
    count = min(given, room)
    if count:
        slots = batch.out_cache_loc[:count]
        out.swa_out_cache_loc[:count] = translate(out, slots, slots == slots, batch.full_to_swa)
    out.swa_out_cache_loc[count:] = 0
    if given > room:
        out.status |= NO_ROOM


def lengths(batch, out):
    """K of each row, after lengths and sums are stored."""
    fixed = batch.mode in (pagestorm.TARGET_VERIFY, pagestorm.DRAFT_EXTEND)
    added, queries = 0, torch.full((batch.rows,), batch.tokens_per_row if fixed else 1, device=out.status.device)
    if batch.mode == pagestorm.RAGGED_VERIFY or batch.mode == pagestorm.EXTEND and batch.has_cached_prefix:
        extends = batch.extend_seq_lens[:batch.rows].long()
        raise_if(out, NEGATIVE, extends < 0)
        queries = extends.clamp(0, LONGEST + 1)
    if batch.mode == pagestorm.DRAFT_DECODE:
        added = batch.draft_step + 1
    elif batch.mode in (pagestorm.TARGET_VERIFY, pagestorm.RAGGED_VERIFY):
        added = queries
    keys = keys_of(batch, out, added)
    if batch.mode == pagestorm.EXTEND and not batch.has_cached_prefix:
        queries = keys
    out.cache_seqlens[:batch.rows] = keys
    store_sums(out, out.cu_seqlens_q, queries)
    store_sums(out, out.cu_seqlens_k, keys)
    return keys
