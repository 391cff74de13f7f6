#define _POSIX_C_SOURCE 200809L
/* libpagestorm called from C, as an engine would: the worked example of docs/contract.md, and what is refused. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pagestorm/abi.h"

static int failures = 0;

static void expect(int holds, const char* what, int line) {
  if (holds) return;
  fprintf(stderr, "calls.c:%d: %s; last error: %s\n", line, what, pagestorm_last_error());
  ++failures;
}

#define EXPECT(condition) expect(condition, #condition, __LINE__)
#define EXPECT_VALUES(array, ...)                                              \
  do {                                                                         \
    const long long expected[] = {__VA_ARGS__};                                \
    for (size_t i = 0; i < sizeof(array) / sizeof(array[0]); ++i)              \
      if (array[i] != expected[i])                                             \
        fprintf(stderr, #array "[%zu] is %lld\n", i, (long long)array[i]);     \
    for (size_t i = 0; i < sizeof(array) / sizeof(array[0]); ++i)              \
      expect(array[i] == expected[i], #array " is as worked out", __LINE__);   \
  } while (0)

static pagestorm_tensor vector(void* data, int32_t dtype, int64_t size) {
  const pagestorm_tensor tensor = {data, dtype, PAGESTORM_HOST, 0, 1, {size, 0}, {1, 0}};
  return tensor;
}

static pagestorm_tensor matrix(int32_t* data, int64_t rows, int64_t cols, int64_t row_stride) {
  const pagestorm_tensor tensor = {data, PAGESTORM_INT32, PAGESTORM_HOST, 0, 2, {rows, cols}, {row_stride, 1}};
  return tensor;
}

static int32_t slots[6][16];
static int64_t indices[] = {2, 5, 0};
static int32_t lengths[] = {5, 11, 1};
static int64_t write_slots[] = {13, 14, 47, 28, 0, 0};
static int64_t map[48];

static int32_t cache_seqlens[3], cu_seqlens_q[4], cu_seqlens_k[4], page_table[9], swa_page_table[9];
static int64_t swa_out_cache_loc[8];
static uint32_t status;

static void lay_page(int row, int column, int page, int swa_page) {
  for (int offset = 0; offset < 4; ++offset) {
    slots[row][4 * column + offset] = 4 * page + offset;
    map[4 * page + offset] = swa_page == 0 ? 0 : 4 * swa_page + offset;
  }
}

static pagestorm_batch worked_example(void) {
  lay_page(2, 0, 6, 0);
  lay_page(2, 1, 3, 2);
  lay_page(5, 0, 9, 0);
  lay_page(5, 1, 1, 5);
  lay_page(5, 2, 11, 1);
  lay_page(5, 3, 7, 3);
  slots[5][8] = -1;
  pagestorm_batch batch;
  memset(&batch, 0, sizeof(batch));
  batch.mode = PAGESTORM_TARGET_VERIFY;
  batch.tokens_per_row = 2;
  batch.page_size = 4;
  batch.rows = 3;
  batch.req_to_token = matrix(&slots[0][0], 6, 16, 16);
  batch.req_pool_indices = vector(indices, PAGESTORM_INT64, 3);
  batch.seq_lens = vector(lengths, PAGESTORM_INT32, 3);
  batch.out_cache_loc = vector(write_slots, PAGESTORM_INT64, 6);
  batch.full_to_swa = vector(map, PAGESTORM_INT64, 48);
  return batch;
}

static pagestorm_metadata outputs(void) {
  memset(cache_seqlens, 0xa5, sizeof(cache_seqlens));
  memset(cu_seqlens_q, 0xa5, sizeof(cu_seqlens_q));
  for (int i = 0; i < 9; ++i) page_table[i] = swa_page_table[i] = -7;
  status = 0;
  const pagestorm_metadata out = {vector(cache_seqlens, PAGESTORM_INT32, 3),   vector(cu_seqlens_q, PAGESTORM_INT32, 4),
                                  vector(cu_seqlens_k, PAGESTORM_INT32, 4),    matrix(page_table, 3, 3, 3),
                                  matrix(swa_page_table, 3, 3, 3),             vector(swa_out_cache_loc, PAGESTORM_INT64, 8),
                                  vector(&status, PAGESTORM_UINT32, 1)};
  return out;
}

static void applies_the_worked_example(void) {
  const pagestorm_batch batch = worked_example();
  const pagestorm_metadata out = outputs();
  EXPECT(pagestorm_apply(&batch, &out, NULL) == 0);
  EXPECT_VALUES(cache_seqlens, 7, 13, 3);
  EXPECT_VALUES(cu_seqlens_q, 0, 2, 4, 6);
  EXPECT_VALUES(cu_seqlens_k, 0, 7, 20, 23);
  EXPECT_VALUES(page_table, 6, 3, -7, 9, 1, -1, 0, -7, -7);
  EXPECT_VALUES(swa_page_table, 0, 2, -7, 0, 5, -1, 0, -7, -7);
  EXPECT_VALUES(swa_out_cache_loc, 9, 10, 7, 12, 0, 0, 0, 0);
  EXPECT(status == 5);
}

static void builds_tables_alone(void) {
  pagestorm_batch batch = worked_example();
  const pagestorm_metadata out = outputs();
  batch.tokens_per_row = 0; /* no scalar of the mode is looked at */
  EXPECT(pagestorm_build(&batch, &out, NULL) == 0);
  EXPECT_VALUES(page_table, 6, 3, -7, 9, 1, -1, 0, -7, -7);
  EXPECT(cache_seqlens[0] == (int32_t)0xa5a5a5a5);
}

static void refused(pagestorm_batch batch, pagestorm_metadata out, const char* why) {
  EXPECT(pagestorm_apply(&batch, &out, NULL) != 0);
  expect(strcmp(pagestorm_last_error(), why) == 0, why, __LINE__);
  EXPECT(cache_seqlens[0] == (int32_t)0xa5a5a5a5);
  EXPECT(page_table[0] == -7);
}

static void refuses_wrong_shapes(void) {
  const pagestorm_batch right = worked_example();
  const pagestorm_metadata out = outputs();
  pagestorm_batch batch = right;
  batch.page_size = 4097;
  refused(batch, out, "page_size: must be 1 to 4096");
  batch = right;
  batch.mode = 7;
  refused(batch, out, "mode: must be PAGESTORM_IDLE to PAGESTORM_RAGGED_VERIFY");
  batch = right;
  batch.seq_lens.dtype = PAGESTORM_UINT32;
  refused(batch, out, "seq_lens: must be int32 or int64");
  batch = right;
  batch.req_to_token.ndim = 1;
  refused(batch, out, "req_to_token: must have two dimensions");
  pagestorm_metadata wrong = out;
  wrong.cu_seqlens_k.shape[0] = 3;
  refused(right, wrong, "cu_seqlens_k: needs one element more than the batch has rows");
  wrong = out;
  wrong.swa_out_cache_loc.dtype = PAGESTORM_INT32;
  refused(right, wrong, "swa_out_cache_loc: must be int64");
  wrong = out;
  wrong.page_table.device = PAGESTORM_CUDA;
  refused(right, wrong, "page_table: must be on the device that status is on");
  EXPECT(pagestorm_apply(NULL, &out, NULL) != 0);
  EXPECT(strcmp(pagestorm_last_error(), "batch: is missing") == 0);
}

static void says_what_it_is_and_writes_no_more_than_is_known(void) {
  EXPECT(pagestorm_abi_version() == PAGESTORM_ABI_VERSION);
  pagestorm_capabilities capabilities;
  memset(&capabilities, 0xff, sizeof(capabilities));
  capabilities.size = offsetof(pagestorm_capabilities, rows_high);
  EXPECT(pagestorm_describe(&capabilities) == 0);
  EXPECT(strcmp(capabilities.name, "libpagestorm") == 0);
  EXPECT(capabilities.without == 0 && capabilities.device == PAGESTORM_HOST);
  EXPECT(capabilities.rows_high == -1);
}

int main(void) {
  unsetenv("PAGESTORM_DEVICE");
  applies_the_worked_example();
  builds_tables_alone();
  refuses_wrong_shapes();
  says_what_it_is_and_writes_no_more_than_is_known();
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
