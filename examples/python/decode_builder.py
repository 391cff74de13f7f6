"""Plain decodes alone, and what that leaves out: the least that a builder can be."""
import numpy as np
import pagestorm

LEFT_OUT = (pagestorm.NO_BUILD | pagestorm.NO_STATUS | pagestorm.NO_SWA | pagestorm.NO_BAD_INDICES |
            pagestorm.NO_BAD_LENGTHS | pagestorm.NO_REFUSALS)


@pagestorm.builder("mine", modes=[pagestorm.DECODE], without=LEFT_OUT)
def apply(batch, out):
    rows, page = batch.rows, batch.page_size
    lengths = batch.seq_lens[:rows]
    out.cache_seqlens[:rows] = lengths
    out.cu_seqlens_q[:rows + 1] = np.arange(rows + 1)
    out.cu_seqlens_k[:rows + 1] = [0, *lengths.cumsum()]
    for row in range(rows):
        pages = min(-(-lengths[row] // page), out.page_table.shape[1])
        slots = batch.req_to_token[batch.req_pool_indices[row], :pages * page:page]
        out.page_table[row, :pages] = np.maximum(slots // page, -1)


if __name__ == "__main__":
    pagestorm.serve()
