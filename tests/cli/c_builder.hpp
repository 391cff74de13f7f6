#pragma once
// A shared library that exports the C ABI, called in this process.

#include <dlfcn.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "pagestorm/abi.h"
#include "pagestorm/builder.hpp"

namespace pagestorm::cli {

class CBuilder final : public Builder {
 public:
  explicit CBuilder(const std::string& library) : library_(dlopen(library.c_str(), RTLD_NOW), dlclose) {
    if (library_ == nullptr) throw std::runtime_error(dlerror());
  }

  std::string_view name() const override { return "c"; }
  Capabilities capabilities() const override { return {.orders = false}; }
  void enqueue(const Call& call) override { call_ = call; }
  void complete() override {
    const pagestorm_batch in = batch();
    const pagestorm_metadata out = metadata();
    const auto run = symbol<int(const pagestorm_batch*, const pagestorm_metadata*, void*)>(
        call_.batch.entry == Entry::build ? "pagestorm_build" : "pagestorm_apply");
    if (run(&in, &out, nullptr) != 0) throw BuilderError(symbol<const char*()>("pagestorm_last_error")());
  }

  template <class Function>
  Function* symbol(const char* name) const {
    void* found = dlsym(library_.get(), name);
    if (found == nullptr) throw std::runtime_error(std::string(name) + " is missing");
    return reinterpret_cast<Function*>(found);
  }

 private:
  static pagestorm_tensor tensor(const IntVector& v) {
    return {.data = const_cast<void*>(v.data),
            .dtype = v.type == IntType::int64 ? PAGESTORM_INT64 : PAGESTORM_INT32,
            .ndim = 1,
            .shape = {v.size, 0},
            .strides = {v.stride, 0}};
  }
  template <class T>
  static pagestorm_tensor tensor(const Vector<T>& v) {
    return {.data = v.data,
            .dtype = sizeof(T) == 8 ? PAGESTORM_INT64 : PAGESTORM_INT32,
            .ndim = 1,
            .shape = {v.size, 0},
            .strides = {v.stride, 0}};
  }
  template <class T>
  static pagestorm_tensor tensor(const Matrix<T>& m) {
    return {.data = const_cast<void*>(static_cast<const void*>(m.data)),
            .dtype = PAGESTORM_INT32,
            .ndim = 2,
            .shape = {m.rows, m.cols},
            .strides = {m.row_stride, m.col_stride}};
  }

  pagestorm_batch batch() const {
    const Batch& in = call_.batch;
    return {.mode = static_cast<std::int32_t>(in.mode),
            .draft_step = in.draft_step,
            .tokens_per_row = in.tokens_per_row,
            .has_cached_prefix = in.has_cached_prefix ? 1 : 0,
            .page_size = in.page_size,
            .rows = in.rows,
            .req_to_token = tensor(in.req_to_token),
            .req_pool_indices = tensor(in.req_pool_indices),
            .seq_lens = tensor(in.seq_lens),
            .extend_seq_lens = tensor(in.extend_seq_lens),
            .out_cache_loc = tensor(in.out_cache_loc),
            .full_to_swa = tensor(in.full_to_swa)};
  }

  pagestorm_metadata metadata() const {
    const Metadata& out = call_.out;
    pagestorm_tensor status{
        .data = out.status, .dtype = PAGESTORM_UINT32, .ndim = 1, .shape = {1, 0}, .strides = {1, 0}};
    return {.cache_seqlens = tensor(out.cache_seqlens),
            .cu_seqlens_q = tensor(out.cu_seqlens_q),
            .cu_seqlens_k = tensor(out.cu_seqlens_k),
            .page_table = tensor(out.page_table),
            .swa_page_table = tensor(out.swa_page_table),
            .swa_out_cache_loc = tensor(out.swa_out_cache_loc),
            .status = status};
  }

  std::unique_ptr<void, int (*)(void*)> library_;
  Call call_;
};

}  // namespace pagestorm::cli
