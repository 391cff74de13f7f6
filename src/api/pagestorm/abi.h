/* The C interface of a builder that is not Pagestorm's own, and of Pagestorm's own builder for everybody else.
 *
 * A shared library that exports pagestorm_abi_version, pagestorm_describe and pagestorm_apply (and pagestorm_build,
 * unless it declares PAGESTORM_NO_BUILD) is a builder: pagestorm check --builder ./libmine.so. What the operations mean
 * is docs/contract.md; what is declared is docs/bring-your-own.md. Structs grow at their end only, and the version is
 * raised when they do.
 */
#ifndef PAGESTORM_ABI_H
#define PAGESTORM_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PAGESTORM_ABI_VERSION 1u

/* Element types. */
enum { PAGESTORM_INT32 = 0, PAGESTORM_INT64 = 1, PAGESTORM_UINT32 = 2 };

/* Where memory is. */
enum { PAGESTORM_HOST = 0, PAGESTORM_CUDA = 1 };

/* NOLINTBEGIN(modernize-use-using): this is C. */

/* A view. Absent where data is NULL; a vector has ndim 1 and no second shape. Strides are counted in elements. */
typedef struct pagestorm_tensor {
  void* data;
  int32_t dtype;
  int32_t device;       /* PAGESTORM_HOST or PAGESTORM_CUDA */
  int32_t device_index; /* 0 on the host */
  int32_t ndim;         /* 1 or 2 */
  int64_t shape[2];
  int64_t strides[2];
} pagestorm_tensor;

/* The kinds of forward pass (docs/contract.md, "Modes"). */
enum {
  PAGESTORM_IDLE = 0,
  PAGESTORM_DECODE = 1,
  PAGESTORM_DRAFT_DECODE = 2,
  PAGESTORM_TARGET_VERIFY = 3,
  PAGESTORM_DRAFT_EXTEND = 4,
  PAGESTORM_EXTEND = 5,
  PAGESTORM_RAGGED_VERIFY = 6
};

/* Inputs of one forward pass (docs/contract.md, "Inputs"). Scalars and shapes are known when work is enqueued. */
typedef struct pagestorm_batch {
  int32_t mode;
  int32_t draft_step;        /* i of PAGESTORM_DRAFT_DECODE, from 0 */
  int32_t tokens_per_row;    /* N of PAGESTORM_TARGET_VERIFY and PAGESTORM_DRAFT_EXTEND */
  int32_t has_cached_prefix; /* PAGESTORM_EXTEND: 0 says that no row has tokens cached before this forward */
  int32_t page_size;         /* tokens */
  int32_t reserved;
  int64_t rows;                      /* rows of the batch, padded rows included */
  pagestorm_tensor req_to_token;     /* int32 [request rows, positions]: full-pool slot, negative = absent */
  pagestorm_tensor req_pool_indices; /* int32 or int64 [>= rows] */
  pagestorm_tensor seq_lens;         /* int32 or int64 [>= rows]; for pagestorm_build the final KV length */
  pagestorm_tensor extend_seq_lens;  /* int32 or int64 [>= rows]; absent in modes that do not look at it */
  pagestorm_tensor out_cache_loc;    /* int32 or int64 [n]: full-pool slots written by this forward */
  pagestorm_tensor full_to_swa;      /* int32 or int64 [slots of the full pool]; absent without SWA */
} pagestorm_batch;

/* Outputs of one forward pass, all of them the caller's (docs/contract.md, "Outputs"). */
typedef struct pagestorm_metadata {
  pagestorm_tensor cache_seqlens;     /* int32 [>= rows] */
  pagestorm_tensor cu_seqlens_q;      /* int32 [>= rows + 1] */
  pagestorm_tensor cu_seqlens_k;      /* int32 [>= rows + 1] */
  pagestorm_tensor page_table;        /* int32 [>= rows, width] */
  pagestorm_tensor swa_page_table;    /* int32 [>= rows, width]; absent without SWA */
  pagestorm_tensor swa_out_cache_loc; /* int64 [m]; absent without SWA */
  pagestorm_tensor status;            /* uint32 [1]: bits are ORed in (docs/contract.md, "Status word") */
} pagestorm_metadata;

/* What a builder does not do, as bits of pagestorm_capabilities.without. */
enum {
  PAGESTORM_NO_BUILD = 1 << 0,           /* pagestorm_build is not exported */
  PAGESTORM_NO_SWA = 1 << 1,             /* full_to_swa must be absent */
  PAGESTORM_NO_STATUS = 1 << 2,          /* the status word is left alone */
  PAGESTORM_NO_ELEMENT_ZERO = 1 << 3,    /* element 0 of the sums is trusted to be 0 already */
  PAGESTORM_NO_CLAMP = 1 << 4,           /* a row may not need more columns than the table has */
  PAGESTORM_NO_BAD_INDICES = 1 << 5,     /* request rows lie in the pool, positions in their rows, slots in the map */
  PAGESTORM_NO_BAD_LENGTHS = 1 << 6,     /* lengths are not negative, and fit in int32 with all that is added */
  PAGESTORM_NO_EMPTY_BATCH = 1 << 7,     /* there is a row */
  PAGESTORM_NO_CAPTURE = 1 << 8,         /* may not be called while its stream is captured */
  PAGESTORM_NO_WRITE_SLOTS = 1 << 9,     /* swa_out_cache_loc is left alone */
  PAGESTORM_NO_TAIL_ZEROS = 1 << 10,     /* elements after the last write slot are left alone */
  PAGESTORM_NO_INPUT_STRIDES = 1 << 11,  /* vectors among the inputs, and columns of req_to_token, are contiguous */
  PAGESTORM_NO_OUTPUT_STRIDES = 1 << 12, /* vectors and columns among the outputs are contiguous */
  PAGESTORM_NO_OWN_SWA_STRIDE = 1 << 13, /* both tables have the same strides */
  PAGESTORM_NO_PADDED_TABLES = 1 << 14,  /* rows of tables and of req_to_token follow each other without a gap */
  PAGESTORM_NO_FAR_ROWS = 1 << 15,       /* no offset reaches 2^31 elements */
  PAGESTORM_FULL_WIDTH = 1 << 16,        /* columns after the live prefix of a row may be written as well */
  PAGESTORM_NO_REFUSALS = 1 << 17        /* shapes are taken on trust: whatever does not fit may do anything */
};

/* What a value becomes where the contract gives another. */
enum {
  PAGESTORM_AS_CONTRACT = 0,  /* absent slots: -1; tombstones: page 0 */
  PAGESTORM_BECOMES_ZERO = 1, /* page 0 */
  PAGESTORM_BECOMES_MINUS_ONE = 2,
  PAGESTORM_BECOMES_ANYTHING = 3, /* not looked at */
  PAGESTORM_MAY_NOT_OCCUR = 4     /* the builder is given none */
};

/* What a builder accepts and promises. All zero, but for the name, is the whole contract on host memory: only what a
 * builder is to be excused from is declared. */
typedef struct pagestorm_capabilities {
  uint32_t size;                  /* set by the caller: bytes of this struct that it knows; nothing beyond is written */
  int32_t device;                 /* where tensors must be */
  char name[64];                  /* letters, digits, '-', '_', '.'; ends with a 0 */
  uint32_t modes;                 /* bit 1 << PAGESTORM_DECODE and so on; 0 = all */
  uint32_t without;               /* PAGESTORM_NO_..., PAGESTORM_FULL_WIDTH */
  int32_t page_size_low;          /* tokens; 0 = 1 */
  int32_t page_size_high;         /* 0 = 4096 */
  int32_t page_size_power_of_two; /* not 0: powers of two only */
  int32_t absent_becomes;         /* a negative slot */
  int32_t tombstone_becomes;      /* a map value of 0 */
  uint32_t index_types;           /* of req_pool_indices: bit 1 << PAGESTORM_INT32 and so on; 0 = both */
  uint32_t length_types;          /* of seq_lens and extend_seq_lens */
  uint32_t location_types;        /* of out_cache_loc */
  uint32_t map_types;             /* of full_to_swa */
  uint32_t reserved;
  int64_t rows_high; /* most rows of a batch; 0 = no limit */
} pagestorm_capabilities;

/* PAGESTORM_ABI_VERSION as the builder was compiled with. */
uint32_t pagestorm_abi_version(void);

/* Fills in what the builder is. Returns 0, or anything else when it cannot run here. */
int pagestorm_describe(pagestorm_capabilities* capabilities);

/* The whole of a forward pass, and the page tables alone. On a device, enqueues on `stream` (a cudaStream_t) and does not
 * wait; on the host, `stream` is NULL and the work is done on return. Returns 0, or anything else for a call that it
 * refuses because a shape does not fit (C2.6); then nothing was written. */
int pagestorm_apply(const pagestorm_batch* batch, const pagestorm_metadata* out, void* stream);
int pagestorm_build(const pagestorm_batch* batch, const pagestorm_metadata* out, void* stream);

/* Optional: why the last call on this thread did not return 0. */
const char* pagestorm_last_error(void);

/* NOLINTEND(modernize-use-using) */

#ifdef __cplusplus
}
#endif

#endif
