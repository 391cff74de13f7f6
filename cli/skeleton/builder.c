/* A page-table builder on host memory, deliberately simple. What it must do is the contract; each function names its
 * clauses. Replace the bodies by your own, and declare in pagestorm_describe() what yours does not do.
 */
#include <stddef.h>
#include <string.h>

#include "pagestorm/abi.h"

enum { /* bits of the status word */
  ROW_CLAMPED = 1 << 0,
  NEGATIVE_LENGTH = 1 << 1,
  ABSENT_SLOT = 1 << 2,
  ROW_OUTSIDE_POOL = 1 << 3,
  POSITION_OUTSIDE_ROW = 1 << 4,
  SLOT_OUTSIDE_MAP = 1 << 5,
  LENGTH_SATURATED = 1 << 6,
  SUM_SATURATED = 1 << 7,
  WRITE_SLOTS_CLAMPED = 1 << 8
};

static const int64_t most = INT32_MAX;
static const char* last_error = "";

static int64_t get(const pagestorm_tensor* vector, int64_t i) {
  const int64_t at = i * vector->strides[0];
  return vector->dtype == PAGESTORM_INT64 ? ((const int64_t*)vector->data)[at] : ((const int32_t*)vector->data)[at];
}

static void put(const pagestorm_tensor* vector, int64_t i, int64_t value) {
  ((int32_t*)vector->data)[i * vector->strides[0]] = (int32_t)value;
}

static void put_cell(const pagestorm_tensor* table, int64_t row, int64_t column, int64_t page) {
  ((int32_t*)table->data)[row * table->strides[0] + column * table->strides[1]] = (int32_t)page;
}

static int64_t at_most(int64_t value, int64_t limit) { return value < limit ? value : limit; }

/* What a row has in extend_seq_lens: C4.4. */
static int64_t new_tokens(const pagestorm_batch* in, int64_t row, uint32_t* status) {
  const int64_t tokens = get(&in->extend_seq_lens, row);
  if (tokens < 0) *status |= NEGATIVE_LENGTH;
  return tokens < 0 ? 0 : at_most(tokens, 2 * most);
}

/* K, the KV length that attention sees: C1.1, C1.2, C4. */
static int64_t keys_of(const pagestorm_batch* in, int64_t row, int builds, uint32_t* status) {
  int64_t keys = get(&in->seq_lens, row);
  if (keys < 0) {
    *status |= NEGATIVE_LENGTH;
    return 0;
  }
  keys = at_most(keys, most + 1);
  if (!builds && in->mode == PAGESTORM_DRAFT_DECODE) keys += (int64_t)in->draft_step + 1;
  if (!builds && in->mode == PAGESTORM_TARGET_VERIFY) keys += in->tokens_per_row;
  if (!builds && in->mode == PAGESTORM_RAGGED_VERIFY) keys += new_tokens(in, row, status);
  if (keys > most) *status |= LENGTH_SATURATED;
  return at_most(keys, most);
}

/* Queries of a row: the table of modes, C1.4. */
static int64_t queries_of(const pagestorm_batch* in, int64_t row, int64_t keys, uint32_t* status) {
  switch (in->mode) {
    case PAGESTORM_TARGET_VERIFY:
    case PAGESTORM_DRAFT_EXTEND: return in->tokens_per_row;
    case PAGESTORM_RAGGED_VERIFY: return new_tokens(in, row, status);
    case PAGESTORM_EXTEND: return in->has_cached_prefix ? new_tokens(in, row, status) : keys;
    default: return 1;
  }
}

/* The slot of a column, -1 where it is absent: C6.1, C7. */
static int64_t slot_of(const pagestorm_batch* in, int64_t request, int64_t column, uint32_t* status) {
  const pagestorm_tensor* slots = &in->req_to_token;
  const int64_t position = column * in->page_size;
  if (request < 0 || request >= slots->shape[0]) {
    *status |= ROW_OUTSIDE_POOL;
    return -1;
  }
  if (position >= slots->shape[1]) {
    *status |= POSITION_OUTSIDE_ROW;
    return -1;
  }
  const int64_t slot = ((const int32_t*)slots->data)[request * slots->strides[0] + position * slots->strides[1]];
  if (slot < 0) *status |= ABSENT_SLOT;
  return slot < 0 ? -1 : slot;
}

/* The SWA slot of a slot, -1 where there is none: C6.5, C9.2. */
static int64_t translated(const pagestorm_batch* in, int64_t slot, uint32_t* status) {
  if (slot < 0) return -1;
  if (slot >= in->full_to_swa.shape[0]) {
    *status |= SLOT_OUTSIDE_MAP;
    return -1;
  }
  return get(&in->full_to_swa, slot);
}

/* The live prefix of a row of both tables: C5, C6. */
static void fill_row(const pagestorm_batch* in, const pagestorm_metadata* out, int64_t row, int64_t keys,
                     uint32_t* status) {
  const int64_t needed = (keys + in->page_size - 1) / in->page_size;
  const int64_t live = at_most(needed, out->page_table.shape[1]);
  if (needed > live) *status |= ROW_CLAMPED;
  for (int64_t column = 0; column < live; ++column) {
    const int64_t slot = slot_of(in, get(&in->req_pool_indices, row), column, status);
    put_cell(&out->page_table, row, column, slot < 0 ? -1 : slot / in->page_size);
    if (in->full_to_swa.data == NULL) continue;
    const int64_t swa_slot = translated(in, slot, status);
    put_cell(&out->swa_page_table, row, column, swa_slot < 0 ? -1 : swa_slot / in->page_size);
  }
}

/* C9. */
static void fill_write_slots(const pagestorm_batch* in, const pagestorm_metadata* out, uint32_t* status) {
  const pagestorm_tensor* writes = &out->swa_out_cache_loc;
  const int64_t given = in->out_cache_loc.data == NULL ? 0 : in->out_cache_loc.shape[0];
  const int64_t room = writes->data == NULL ? 0 : writes->shape[0];
  if (given > room) *status |= WRITE_SLOTS_CLAMPED;
  for (int64_t i = 0; i < room; ++i) {
    const int64_t slot = i < given ? translated(in, get(&in->out_cache_loc, i), status) : 0;
    ((int64_t*)writes->data)[i * writes->strides[0]] = slot;
  }
}

/* Says why a call is refused, if it is. */
static int refuse(int wrong, const char* why) {
  if (wrong) last_error = why;
  return wrong;
}

/* Whether there are elements, or rows of a table, for so many rows. */
static int has(const pagestorm_tensor* tensor, int64_t rows) {
  return rows == 0 || (tensor->data != NULL && tensor->shape[0] >= rows);
}

/* C2.5, C2.6: shapes that do not fit, of what every call has. */
static int refused(const pagestorm_batch* in, const pagestorm_metadata* out) {
  const int64_t rows = in->rows;
  const int swa = in->full_to_swa.data != NULL;
  return refuse(in->page_size < 1 || in->page_size > 4096, "page_size: use 1 to 4096") ||
         refuse(rows < 0, "rows: use 0 or more") ||
         refuse(!has(&in->req_to_token, rows > 0), "req_to_token: must be given") ||
         refuse(!has(&in->req_pool_indices, rows), "req_pool_indices: needs an element for each row") ||
         refuse(!has(&in->seq_lens, rows), "seq_lens: needs an element for each row") ||
         refuse(!has(&out->page_table, rows), "page_table: needs as many rows as the batch") ||
         refuse(out->status.data == NULL, "status: must be given") ||
         refuse(swa != (out->swa_page_table.data != NULL), "swa_page_table: goes with full_to_swa") ||
         refuse(swa && !has(&out->swa_page_table, rows), "swa_page_table: needs as many rows as the batch") ||
         refuse(swa && out->swa_page_table.shape[1] != out->page_table.shape[1],
                "swa_page_table: must be as wide as page_table");
}

/* The same of what pagestorm_apply looks at besides: C1.4. */
static int lengths_refused(const pagestorm_batch* in, const pagestorm_metadata* out) {
  const int fixed = in->mode == PAGESTORM_TARGET_VERIFY || in->mode == PAGESTORM_DRAFT_EXTEND;
  const int ragged = in->mode == PAGESTORM_RAGGED_VERIFY || (in->mode == PAGESTORM_EXTEND && in->has_cached_prefix);
  return refuse(fixed && in->tokens_per_row < 1, "tokens_per_row: use 1 or more") ||
         refuse(in->mode == PAGESTORM_DRAFT_DECODE && in->draft_step < 0, "draft_step: use 0 or more") ||
         refuse(ragged && !has(&in->extend_seq_lens, in->rows), "extend_seq_lens: needs an element for each row") ||
         refuse(!has(&out->cache_seqlens, in->rows), "cache_seqlens: needs an element for each row") ||
         refuse(!has(&out->cu_seqlens_q, in->rows + 1), "cu_seqlens_q: needs an element more than rows") ||
         refuse(!has(&out->cu_seqlens_k, in->rows + 1), "cu_seqlens_k: needs an element more than rows");
}

uint32_t pagestorm_abi_version(void) { return PAGESTORM_ABI_VERSION; }

int pagestorm_describe(pagestorm_capabilities* capabilities) {
  /* All zero, but for the name, promises the whole contract on host memory. */
  const uint32_t size = capabilities->size;
  memset(capabilities, 0, size);
  capabilities->size = size;
  capabilities->device = PAGESTORM_HOST;
  strcpy(capabilities->name, "mine");
  /* capabilities->without = PAGESTORM_NO_CLAMP | PAGESTORM_NO_ELEMENT_ZERO; */
  return 0;
}

int pagestorm_apply(const pagestorm_batch* in, const pagestorm_metadata* out, void* stream) {
  (void)stream;
  if (refused(in, out) || lengths_refused(in, out)) return 1;
  uint32_t status = 0;
  int64_t queries = 0, keys = 0;
  put(&out->cu_seqlens_q, 0, 0); /* C8.1, C12.1 */
  put(&out->cu_seqlens_k, 0, 0);
  for (int64_t row = 0; row < in->rows; ++row) {
    const int64_t own = keys_of(in, row, 0, &status);
    keys += own;
    queries += queries_of(in, row, own, &status);
    if (keys > most || queries > most) status |= SUM_SATURATED; /* C8.3 */
    put(&out->cache_seqlens, row, own);
    put(&out->cu_seqlens_q, row + 1, at_most(queries, most));
    put(&out->cu_seqlens_k, row + 1, at_most(keys, most));
    fill_row(in, out, row, own, &status);
  }
  if (in->full_to_swa.data != NULL) fill_write_slots(in, out, &status);
  *(uint32_t*)out->status.data |= status; /* C11.1 */
  return 0;
}

int pagestorm_build(const pagestorm_batch* in, const pagestorm_metadata* out, void* stream) {
  (void)stream;
  if (refused(in, out)) return 1;
  uint32_t status = 0;
  for (int64_t row = 0; row < in->rows; ++row) fill_row(in, out, row, keys_of(in, row, 1, &status), &status);
  *(uint32_t*)out->status.data |= status;
  return 0;
}

const char* pagestorm_last_error(void) { return last_error; }
