"""The same kernels, compiled when they are called: pagestorm check --builder 'python3 as_process.py'"""
import torch
import triton

import kernels
import pagestorm

BLOCK = kernels.BLOCK
UNIFORM = (pagestorm.TARGET_VERIFY, pagestorm.DRAFT_EXTEND)


def added(batch):
    if batch.mode == pagestorm.DRAFT_DECODE:
        return batch.draft_step + 1
    return batch.tokens_per_row if batch.mode == pagestorm.TARGET_VERIFY else 0


def vector(tensor):
    return tensor, tensor.stride(0)


def fill_tables(batch, out, more):
    if batch.rows == 0 or out.page_table.shape[1] == 0:
        return
    hybrid = batch.full_to_swa is not None
    swa_map, swa_table = (batch.full_to_swa, out.swa_page_table) if hybrid else (batch.seq_lens, out.page_table)
    pool, table = batch.req_to_token, out.page_table
    kernels.fill_tables[(batch.rows, triton.cdiv(table.shape[1], BLOCK))](
        *vector(batch.seq_lens), *vector(batch.req_pool_indices), pool, *pool.shape, *pool.stride(), table,
        *table.stride(), table.shape[1], *vector(swa_map), len(swa_map), swa_table, *swa_table.stride(),
        batch.page_size, more, HYBRID=hybrid, BLOCK=BLOCK)


@pagestorm.builder("triton-process", device=pagestorm.CUDA, without=pagestorm.NO_STATUS | pagestorm.NO_REFUSALS,
                   index_types=(pagestorm.INT64,), length_types=(pagestorm.INT64,),
                   location_types=(pagestorm.INT64,), map_types=(pagestorm.INT64,),
                   modes=(pagestorm.IDLE, pagestorm.DECODE, pagestorm.DRAFT_DECODE, *UNIFORM))
def apply(batch, out):
    more = added(batch)
    queries = batch.tokens_per_row if batch.mode in UNIFORM else 1
    fill_tables(batch, out, more)
    kernels.sum_lengths[(1,)](*vector(batch.seq_lens), *vector(out.cache_seqlens), *vector(out.cu_seqlens_q),
                              *vector(out.cu_seqlens_k), batch.rows, more, queries, BLOCK=1024)
    room = 0 if batch.full_to_swa is None else len(out.swa_out_cache_loc)
    if room:
        kernels.translate[(triton.cdiv(room, BLOCK),)](
            *vector(batch.out_cache_loc), len(batch.out_cache_loc), *vector(batch.full_to_swa), len(batch.full_to_swa),
            *vector(out.swa_out_cache_loc), room, BLOCK=BLOCK)


@pagestorm.build
def build(batch, out):
    fill_tables(batch, out, 0)


if __name__ == "__main__":
    pagestorm.serve(refused="" if torch.cuda.is_available() else "torch sees no GPU")
