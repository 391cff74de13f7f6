#include <fmt/format.h>

#include <stdexcept>

#include "call_names.hpp"
#include "expression.hpp"
#include "kernel_file.hpp"

namespace pagestorm::outside {
namespace {

/// Evaluates fields of one launch; an error names the place.
struct Evaluator {
  const KernelFile& file;
  const KernelLaunch& launch;
  const pagestorm_batch& batch;
  const pagestorm_metadata& out;

  std::int64_t operator()(std::string_view field, std::string_view expression) const {
    try {
      return evaluate(expression, [this](std::string_view name) { return value_named(batch, out, name); });
    } catch (const ExpressionError& error) {
      throw std::invalid_argument(
          fmt::format("{}:{}: {}: '{}' {}", file.path, launch.line, field, expression, error.what()));
    }
  }

  std::array<std::int64_t, 3> extent(const char* field, const std::array<std::string, 3>& expressions) const {
    std::array<std::int64_t, 3> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = (*this)(field, expressions[i]);
      if (values[i] < 0 || values[i] > INT32_MAX)
        throw std::invalid_argument(fmt::format("{}:{}: {}: '{}' is {}, and no extent of a launch", file.path,
                                                launch.line, field, expressions[i], values[i]));
    }
    return values;
  }

  KernelArgument argument(const std::string& text) const {
    const std::size_t colon = text.find(':');
    const std::string expression = text.substr(0, colon);
    const std::string type = colon == std::string::npos ? "i32" : text.substr(colon + 1);
    if (colon == std::string::npos)
      if (const pagestorm_tensor* tensor = tensor_named(batch, out, text))
        return {reinterpret_cast<std::uintptr_t>(tensor->data), 8};
    const std::int64_t value = (*this)("arguments", expression);
    if (type == "i64" || type == "ptr") return {static_cast<std::uint64_t>(value), 8};
    if (type != "i32")
      throw std::invalid_argument(fmt::format("{}:{}: arguments: '{}': there is no type {}; use i32, i64 or ptr",
                                              file.path, launch.line, text, type));
    if (value < INT32_MIN || value > INT32_MAX)
      throw std::invalid_argument(fmt::format("{}:{}: arguments: '{}' is {}, which no i32 holds; write :i64", file.path,
                                              launch.line, text, value));
    return {static_cast<std::uint32_t>(value), 4};
  }
};

}  // namespace

void try_out(const KernelFile& file) {
  pagestorm_batch batch{};
  pagestorm_metadata out{};
  batch.page_size = 1;
  batch.tokens_per_row = 1;
  batch.rows = 1;
  std::int32_t word = 0;
  const pagestorm_tensor one{&word, PAGESTORM_INT32, PAGESTORM_HOST, 0, 2, {1, 1}, {1, 1}};
  for (pagestorm_tensor* tensor :
       {&batch.req_to_token, &batch.req_pool_indices, &batch.seq_lens, &batch.extend_seq_lens, &batch.out_cache_loc,
        &batch.full_to_swa, &out.cache_seqlens, &out.cu_seqlens_q, &out.cu_seqlens_k, &out.page_table,
        &out.swa_page_table, &out.swa_out_cache_loc, &out.status})
    *tensor = one;
  for (const std::vector<KernelLaunch>* launches : {&file.apply, &file.build})
    for (const KernelLaunch& launch : *launches) {
      static_cast<void>(is_wanted(file, launch, batch, out));
      static_cast<void>(shape_of(file, launch, batch, out));
      static_cast<void>(arguments_of(file, launch, batch, out));
    }
}

KernelShape shape_of(const KernelFile& file, const KernelLaunch& launch, const pagestorm_batch& batch,
                     const pagestorm_metadata& out) {
  const Evaluator value{file, launch, batch, out};
  return {.grid = value.extent("grid", launch.grid),
          .block = value.extent("block", launch.block),
          .shared_bytes = value("shared_bytes", launch.shared_bytes)};
}

std::vector<KernelArgument> arguments_of(const KernelFile& file, const KernelLaunch& launch,
                                         const pagestorm_batch& batch, const pagestorm_metadata& out) {
  const Evaluator value{file, launch, batch, out};
  std::vector<KernelArgument> arguments;
  for (const std::string& text : launch.arguments) arguments.push_back(value.argument(text));
  return arguments;
}

bool is_wanted(const KernelFile& file, const KernelLaunch& launch, const pagestorm_batch& batch,
               const pagestorm_metadata& out) {
  return Evaluator{file, launch, batch, out}("when", launch.when) != 0;
}

}  // namespace pagestorm::outside
