#pragma once
// Calls of the C ABI in the words of C++.

#include <cstdint>
#include <stdexcept>
#include <string>

#include "pagestorm/abi.h"
#include "pagestorm/batch.hpp"

namespace pagestorm::exported {

/// Throws std::invalid_argument that reads "argument: problem".
inline void require(bool holds, const char* argument, const char* problem) {
  if (!holds) throw std::invalid_argument(std::string(argument) + ": " + problem);
}

/// An input vector of int32 or int64.
inline IntVector int_vector(const pagestorm_tensor& tensor, const char* argument) {
  if (tensor.data == nullptr) return {};
  require(tensor.ndim == 1, argument, "must have one dimension");
  require(tensor.dtype == PAGESTORM_INT32 || tensor.dtype == PAGESTORM_INT64, argument, "must be int32 or int64");
  require(tensor.shape[0] >= 0, argument, "has a negative size");
  return {.data = tensor.data,
          .size = tensor.shape[0],
          .stride = tensor.strides[0],
          .type = tensor.dtype == PAGESTORM_INT64 ? IntType::int64 : IntType::int32};
}

/// An output vector, whose element type must be `dtype`.
template <class T>
Vector<T> vector(const pagestorm_tensor& tensor, std::int32_t dtype, const char* argument) {
  if (tensor.data == nullptr) return {};
  require(tensor.ndim == 1, argument, "must have one dimension");
  require(tensor.dtype == dtype, argument, dtype == PAGESTORM_INT64 ? "must be int64" : "must be int32");
  require(tensor.shape[0] >= 0, argument, "has a negative size");
  return {.data = static_cast<T*>(tensor.data), .size = tensor.shape[0], .stride = tensor.strides[0]};
}

/// A matrix of int32.
template <class T>
Matrix<T> matrix(const pagestorm_tensor& tensor, const char* argument) {
  // A table of width 0 may well be no memory at all.
  if (tensor.data == nullptr && (tensor.ndim != 2 || tensor.shape[1] != 0)) return {};
  require(tensor.ndim == 2, argument, "must have two dimensions");
  require(tensor.dtype == PAGESTORM_INT32, argument, "must be int32");
  require(tensor.shape[0] >= 0 && tensor.shape[1] >= 0, argument, "has a negative size");
  return {.data = static_cast<T*>(tensor.data),
          .rows = tensor.shape[0],
          .cols = tensor.shape[1],
          .row_stride = tensor.strides[0],
          .col_stride = tensor.strides[1]};
}

/// The mode, and the scalars that it looks at: others may hold anything.
inline Batch scalars_of(const pagestorm_batch& in, Entry entry) {
  require(in.mode >= 0 && in.mode < mode_count, "mode", "must be PAGESTORM_IDLE to PAGESTORM_RAGGED_VERIFY");
  Batch batch{.mode = static_cast<Mode>(in.mode), .entry = entry, .page_size = in.page_size, .rows = in.rows};
  if (entry == Entry::build) return batch;
  const bool fixed = batch.mode == Mode::target_verify || batch.mode == Mode::draft_extend;
  if (fixed) batch.tokens_per_row = in.tokens_per_row;
  if (batch.mode == Mode::draft_decode) batch.draft_step = in.draft_step;
  batch.has_cached_prefix = in.has_cached_prefix != 0;
  return batch;
}

inline Batch batch_of(const pagestorm_batch& in, Entry entry) {
  Batch batch = scalars_of(in, entry);
  batch.req_to_token = matrix<const std::int32_t>(in.req_to_token, "req_to_token");
  batch.req_pool_indices = int_vector(in.req_pool_indices, "req_pool_indices");
  batch.seq_lens = int_vector(in.seq_lens, "seq_lens");
  batch.extend_seq_lens = int_vector(in.extend_seq_lens, "extend_seq_lens");
  batch.out_cache_loc = int_vector(in.out_cache_loc, "out_cache_loc");
  batch.full_to_swa = int_vector(in.full_to_swa, "full_to_swa");
  return batch;
}

inline Metadata metadata_of(const pagestorm_metadata& out) {
  const pagestorm_tensor& status = out.status;
  require(status.data == nullptr || (status.ndim == 1 && status.shape[0] >= 1 && status.dtype == PAGESTORM_UINT32),
          "status", "must be one element of uint32");
  return {.cache_seqlens = vector<std::int32_t>(out.cache_seqlens, PAGESTORM_INT32, "cache_seqlens"),
          .cu_seqlens_q = vector<std::int32_t>(out.cu_seqlens_q, PAGESTORM_INT32, "cu_seqlens_q"),
          .cu_seqlens_k = vector<std::int32_t>(out.cu_seqlens_k, PAGESTORM_INT32, "cu_seqlens_k"),
          .page_table = matrix<std::int32_t>(out.page_table, "page_table"),
          .swa_page_table = matrix<std::int32_t>(out.swa_page_table, "swa_page_table"),
          .swa_out_cache_loc = vector<std::int64_t>(out.swa_out_cache_loc, PAGESTORM_INT64, "swa_out_cache_loc"),
          .status = static_cast<std::uint32_t*>(status.data)};
}

/// Where the tensors of a call are: PAGESTORM_HOST or PAGESTORM_CUDA. Throws std::invalid_argument that names a tensor
/// which is not where those before it are.
inline std::int32_t device_of(const pagestorm_batch& in, const pagestorm_metadata& out) {
  struct Named {
    const char* name;
    const pagestorm_tensor* tensor;
  };
  const Named all[] = {{"status", &out.status},
                       {"req_to_token", &in.req_to_token},
                       {"req_pool_indices", &in.req_pool_indices},
                       {"seq_lens", &in.seq_lens},
                       {"extend_seq_lens", &in.extend_seq_lens},
                       {"out_cache_loc", &in.out_cache_loc},
                       {"full_to_swa", &in.full_to_swa},
                       {"cache_seqlens", &out.cache_seqlens},
                       {"cu_seqlens_q", &out.cu_seqlens_q},
                       {"cu_seqlens_k", &out.cu_seqlens_k},
                       {"page_table", &out.page_table},
                       {"swa_page_table", &out.swa_page_table},
                       {"swa_out_cache_loc", &out.swa_out_cache_loc}};
  for (const Named& one : all) {
    if (one.tensor->data == nullptr) continue;
    const std::int32_t device = one.tensor->device;
    require(device == PAGESTORM_HOST || device == PAGESTORM_CUDA, one.name,
            "device must be PAGESTORM_HOST or PAGESTORM_CUDA");
    require(device == out.status.device, one.name, "must be on the device that status is on");
  }
  return out.status.device;
}

}  // namespace pagestorm::exported
