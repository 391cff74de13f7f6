/* The contract in plain C, for builders of tests: written from docs/contract.md, shares nothing with src/core.
 *
 * A builder includes this file and has the functions of pagestorm/abi.h. What it does in a way of its own it defines
 * before: macros with a default below.
 */
#ifndef PAGESTORM_TEST_WHOLE_H
#define PAGESTORM_TEST_WHOLE_H

#include <stdint.h>
#include <stdlib.h>

#include "pagestorm/abi.h"

#ifndef NAME
#define NAME "whole"
#endif
#ifndef DECLARE /* what it declares, as statements about capabilities `c` */
#define DECLARE(c) ((void)(c))
#endif
#ifndef REFUSES /* whether a shape does not fit */
#define REFUSES(batch, out, builds) does_not_fit(batch, out, builds)
#endif
#ifndef ON_CALL /* before anything else of a call that is taken */
#define ON_CALL(batch, out) ((void)(batch), (void)(out))
#endif
#ifndef ON_ROW /* when the length of row r is known, before its cells are written */
#define ON_ROW(batch, out, r, keys) ((void)(batch), (void)(out), (void)(r), (void)(keys))
#endif
#ifndef PAGES_OF
#define PAGES_OF(keys, size) (((keys) + (size) - 1) / (size))
#endif
#ifndef PAGE_OF /* of a slot that is not negative */
#define PAGE_OF(slot, size) ((slot) / (size))
#endif
#ifndef CUT /* live columns of a row that needs `pages` */
#define CUT(pages, width) ((pages) < (width) ? (pages) : (width))
#endif
#ifndef ABSENT /* what a negative slot becomes */
#define ABSENT (-1)
#endif
#ifndef TOMBSTONE /* what a map value of 0 becomes */
#define TOMBSTONE(slot, size) 0
#endif
#ifndef TABLE_OFFSET
#define TABLE_OFFSET(table, r, c) ((r) * (table)->strides[0] + (c) * (table)->strides[1])
#endif
#ifndef FINISH_ROW /* columns after the live prefix */
#define FINISH_ROW(table, r, live) ((void)(table), (void)(r), (void)(live))
#endif
#ifndef FIRST_SUM
#define FIRST_SUM(sums) put32(sums, 0, 0)
#endif
#ifndef RAISE
#define RAISE(out, bits) raise_bits(out, bits)
#endif
#ifndef VERSION
#define VERSION PAGESTORM_ABI_VERSION
#endif

enum {
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

static inline int64_t element(const pagestorm_tensor* vector, int64_t i) {
  const int64_t at = i * vector->strides[0];
  return vector->dtype == PAGESTORM_INT64 ? ((const int64_t*)vector->data)[at] : ((const int32_t*)vector->data)[at];
}

static inline void put32(const pagestorm_tensor* vector, int64_t i, int64_t value) {
  ((int32_t*)vector->data)[i * vector->strides[0]] = (int32_t)value;
}

static inline void put_cell(const pagestorm_tensor* table, int64_t r, int64_t c, int64_t value) {
  ((int32_t*)table->data)[TABLE_OFFSET(table, r, c)] = (int32_t)value;
}

static inline void raise_bits(const pagestorm_metadata* out, uint32_t bits) {
  if (bits != 0) *(uint32_t*)out->status.data |= bits;
}

static inline int64_t saturated(int64_t value, uint32_t bit, uint32_t* bits) {
  if (value <= INT32_MAX) return value;
  *bits |= bit;
  return INT32_MAX;
}

/* K of a row, and its queries. More tokens than fit anywhere count as one more than fit, so that sums do not overflow. */
static inline int64_t keys_of(const pagestorm_batch* batch, int builds, int64_t r, int64_t* queries, uint32_t* bits) {
  const int64_t beyond = (int64_t)INT32_MAX + 1;
  const int64_t length = element(&batch->seq_lens, r);
  int64_t more = 0;
  int64_t extend = 0;
  *queries = 1;
  if (!builds && batch->extend_seq_lens.data != NULL) {
    extend = element(&batch->extend_seq_lens, r);
    if (extend < 0) *bits |= NEGATIVE_LENGTH;
    extend = extend < 0 ? 0 : extend > beyond ? beyond : extend;
    *queries = extend;
  }
  if (!builds) switch (batch->mode) {
      case PAGESTORM_DRAFT_DECODE: more = (int64_t)batch->draft_step + 1; break;
      case PAGESTORM_TARGET_VERIFY: more = *queries = batch->tokens_per_row; break;
      case PAGESTORM_RAGGED_VERIFY: more = extend; break;
      case PAGESTORM_DRAFT_EXTEND: *queries = batch->tokens_per_row; break;
      default: break;
    }
  if (length < 0) *bits |= NEGATIVE_LENGTH;
  const int64_t keys =
      length < 0 ? 0 : saturated(length > beyond ? beyond : length + more, LENGTH_SATURATED, bits);
  if (!builds && batch->mode == PAGESTORM_EXTEND && !batch->has_cached_prefix) *queries = keys;
  return keys;
}

static inline int64_t swa_page(const pagestorm_batch* batch, int64_t slot, uint32_t* bits) {
  const pagestorm_tensor* map = &batch->full_to_swa;
  if (slot >= map->shape[0]) {
    *bits |= SLOT_OUTSIDE_MAP;
    return -1;
  }
  const int64_t mapped = element(map, slot);
  if (mapped == 0) return TOMBSTONE(slot, batch->page_size);
  return mapped < 0 ? -1 : PAGE_OF(mapped, batch->page_size);
}

/* Cells of row r in both tables. */
static inline void row_cells(const pagestorm_batch* batch, const pagestorm_metadata* out, int64_t r, int64_t keys,
                             uint32_t* bits) {
  const pagestorm_tensor* slots = &batch->req_to_token;
  const int64_t width = out->page_table.shape[1];
  const int64_t pages = PAGES_OF(keys, batch->page_size);
  const int64_t live = CUT(pages, width);
  const int swa = batch->full_to_swa.data != NULL;
  if (pages > width) *bits |= ROW_CLAMPED;
  const int64_t request = live > 0 ? element(&batch->req_pool_indices, r) : 0;
  const int outside = live > 0 && (request < 0 || request >= slots->shape[0]);
  if (outside) *bits |= ROW_OUTSIDE_POOL;
  for (int64_t c = 0; c < live; ++c) {
    const int64_t position = c * batch->page_size;
    int64_t page = -1;
    int64_t in_swa = -1;
    if (!outside && position >= slots->shape[1]) {
      *bits |= POSITION_OUTSIDE_ROW;
    } else if (!outside) {
      const int64_t slot = ((const int32_t*)slots->data)[request * slots->strides[0] + position * slots->strides[1]];
      if (slot < 0) {
        *bits |= ABSENT_SLOT;
        page = in_swa = ABSENT;
      } else {
        page = PAGE_OF(slot, batch->page_size);
        if (swa) in_swa = swa_page(batch, slot, bits);
      }
    }
    put_cell(&out->page_table, r, c, page);
    if (swa) put_cell(&out->swa_page_table, r, c, in_swa);
  }
  FINISH_ROW(&out->page_table, r, live);
  if (swa) FINISH_ROW(&out->swa_page_table, r, live);
}

static inline void write_slots(const pagestorm_batch* batch, const pagestorm_metadata* out, uint32_t* bits) {
  const pagestorm_tensor* to = &out->swa_out_cache_loc;
  const int64_t room = to->shape[0];
  const int64_t given = batch->out_cache_loc.data == NULL ? 0 : batch->out_cache_loc.shape[0];
  if (given > room) *bits |= WRITE_SLOTS_CLAMPED;
  for (int64_t e = 0; e < room; ++e) {
    int64_t value = 0;
    if (e < given) {
      const int64_t slot = element(&batch->out_cache_loc, e);
      const int outside = slot >= batch->full_to_swa.shape[0];
      if (outside) *bits |= SLOT_OUTSIDE_MAP;
      value = slot < 0 || outside ? -1 : element(&batch->full_to_swa, slot);
    }
    ((int64_t*)to->data)[e * to->strides[0]] = value;
  }
}

static inline int has(const pagestorm_tensor* tensor, int64_t rows) {
  return rows == 0 || (tensor->data != NULL && tensor->shape[0] >= rows);
}

/* Of what every call has: inputs, tables and the status word. */
static inline int tables_do_not_fit(const pagestorm_batch* batch, const pagestorm_metadata* out) {
  const int64_t rows = batch->rows;
  const int swa = batch->full_to_swa.data != NULL;
  if (batch->page_size < 1 || batch->page_size > 4096 || rows < 0 || out->status.data == NULL) return 1;
  if (!has(&batch->req_to_token, rows > 0) || !has(&batch->req_pool_indices, rows) || !has(&batch->seq_lens, rows))
    return 1;
  if (!has(&out->page_table, rows) || swa != (out->swa_page_table.data != NULL)) return 1;
  return swa && (!has(&out->swa_page_table, rows) || out->swa_page_table.shape[1] != out->page_table.shape[1]);
}

static inline int does_not_fit(const pagestorm_batch* batch, const pagestorm_metadata* out, int builds) {
  const int64_t rows = batch->rows;
  const int mode = batch->mode;
  const int extends = mode == PAGESTORM_RAGGED_VERIFY || (mode == PAGESTORM_EXTEND && batch->has_cached_prefix);
  const int fixed = mode == PAGESTORM_TARGET_VERIFY || mode == PAGESTORM_DRAFT_EXTEND;
  if (tables_do_not_fit(batch, out)) return 1;
  if (builds) return 0;
  if ((fixed && batch->tokens_per_row < 1) || (mode == PAGESTORM_DRAFT_DECODE && batch->draft_step < 0)) return 1;
  if (extends && !has(&batch->extend_seq_lens, rows)) return 1;
  return !has(&out->cache_seqlens, rows) || !has(&out->cu_seqlens_q, rows + 1) || !has(&out->cu_seqlens_k, rows + 1);
}

static inline int whole(const pagestorm_batch* batch, const pagestorm_metadata* out, int builds) {
  uint32_t bits = 0;
  int64_t sum_queries = 0;
  int64_t sum_keys = 0;
  if (REFUSES(batch, out, builds)) return 1;
  ON_CALL(batch, out);
  if (!builds) {
    FIRST_SUM(&out->cu_seqlens_q);
    FIRST_SUM(&out->cu_seqlens_k);
  }
  for (int64_t r = 0; r < batch->rows; ++r) {
    int64_t queries = 0;
    const int64_t keys = keys_of(batch, builds, r, &queries, &bits);
    ON_ROW(batch, out, r, keys);
    row_cells(batch, out, r, keys, &bits);
    if (builds) continue;
    sum_queries += queries;
    sum_keys += keys;
    put32(&out->cache_seqlens, r, keys);
    put32(&out->cu_seqlens_q, r + 1, saturated(sum_queries, SUM_SATURATED, &bits));
    put32(&out->cu_seqlens_k, r + 1, saturated(sum_keys, SUM_SATURATED, &bits));
  }
  if (!builds && batch->full_to_swa.data != NULL) write_slots(batch, out, &bits);
  RAISE(out, bits);
  return 0;
}

uint32_t pagestorm_abi_version(void) { return VERSION; }

int pagestorm_describe(pagestorm_capabilities* c) {
  static const char name[] = NAME;
  for (unsigned i = 0; i < sizeof name; ++i) c->name[i] = name[i];
  DECLARE(c);
  return 0;
}

#ifndef WITHOUT_APPLY
int pagestorm_apply(const pagestorm_batch* batch, const pagestorm_metadata* out, void* stream) {
  (void)stream;
  return whole(batch, out, 0);
}
#endif

int pagestorm_build(const pagestorm_batch* batch, const pagestorm_metadata* out, void* stream) {
  (void)stream;
  return whole(batch, out, 1);
}

#endif
