#include "call_names.hpp"

#include <fmt/format.h>

#include "expression.hpp"

namespace pagestorm::outside {
namespace {

std::int64_t added(const pagestorm_batch& batch) {
  if (batch.mode == PAGESTORM_DRAFT_DECODE) return std::int64_t{batch.draft_step} + 1;
  return batch.mode == PAGESTORM_TARGET_VERIFY ? batch.tokens_per_row : 0;
}

std::int64_t queries(const pagestorm_batch& batch) {
  return batch.mode == PAGESTORM_TARGET_VERIFY || batch.mode == PAGESTORM_DRAFT_EXTEND ? batch.tokens_per_row : 1;
}

std::int64_t property(const pagestorm_tensor& tensor, std::string_view name, std::string_view whole) {
  if (name == "present") return tensor.data != nullptr ? 1 : 0;
  if (name == "shape0") return tensor.shape[0];
  if (name == "shape1") return tensor.shape[1];
  if (name == "stride0") return tensor.strides[0];
  if (name == "stride1") return tensor.strides[1];
  throw ExpressionError(
      fmt::format("names {}; of a tensor there are shape0, shape1, stride0, stride1 and present", whole));
}

}  // namespace

const pagestorm_tensor* tensor_named(const pagestorm_batch& batch, const pagestorm_metadata& out,
                                     std::string_view name) {
  const struct {
    std::string_view name;
    const pagestorm_tensor& tensor;
  } all[] = {{"req_to_token", batch.req_to_token},
             {"req_pool_indices", batch.req_pool_indices},
             {"seq_lens", batch.seq_lens},
             {"extend_seq_lens", batch.extend_seq_lens},
             {"out_cache_loc", batch.out_cache_loc},
             {"full_to_swa", batch.full_to_swa},
             {"cache_seqlens", out.cache_seqlens},
             {"cu_seqlens_q", out.cu_seqlens_q},
             {"cu_seqlens_k", out.cu_seqlens_k},
             {"page_table", out.page_table},
             {"swa_page_table", out.swa_page_table},
             {"swa_out_cache_loc", out.swa_out_cache_loc},
             {"status", out.status}};
  for (const auto& one : all)
    if (one.name == name) return &one.tensor;
  return nullptr;
}

std::int64_t value_named(const pagestorm_batch& batch, const pagestorm_metadata& out, std::string_view name) {
  const struct {
    std::string_view name;
    std::int64_t value;
  } scalars[] = {{"mode", batch.mode},
                 {"draft_step", batch.draft_step},
                 {"tokens_per_row", batch.tokens_per_row},
                 {"has_cached_prefix", batch.has_cached_prefix},
                 {"page_size", batch.page_size},
                 {"rows", batch.rows},
                 {"width", out.page_table.shape[1]},
                 {"added", added(batch)},
                 {"queries", queries(batch)},
                 {"swa", batch.full_to_swa.data != nullptr ? 1 : 0}};
  for (const auto& one : scalars)
    if (one.name == name) return one.value;
  const std::size_t dot = name.find('.');
  const pagestorm_tensor* tensor = tensor_named(batch, out, name.substr(0, dot));
  if (tensor == nullptr)
    throw ExpressionError(fmt::format("names {}, which is no scalar and no tensor of a call", name));
  if (dot == std::string_view::npos)
    throw ExpressionError(fmt::format("computes with {}, which is a tensor; use its shape0, stride0, ...", name));
  return property(*tensor, name.substr(dot + 1), name);
}

}  // namespace pagestorm::outside
