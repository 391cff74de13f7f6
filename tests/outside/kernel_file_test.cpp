// Kernel files: what they say, and what is refused with its place.

#include "outside/kernel_file.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "outside/expression.hpp"
#include "tests/cli/run.hpp"

namespace pagestorm::outside {
namespace {

std::int64_t value(const std::string& text) {
  return evaluate(text, [](std::string_view name) -> std::int64_t {
    if (name == "rows") return 7;
    if (name == "page_table.stride0") return 12;
    throw ExpressionError("names nothing");
  });
}

TEST(Expression, ComputesAsOneWrites) {
  EXPECT_EQ(value("2 + 3 * 4 - 1"), 13);
  EXPECT_EQ(value("(2 + 3) * (4 - 1)"), 15);
  EXPECT_EQ(value("cdiv(rows, 2)"), 4);
  EXPECT_EQ(value("7 / 2 - 8 / 2"), -1);
  EXPECT_EQ(value("(0 - 7) / 2"), -4);
  EXPECT_EQ(value("cdiv(0 - 7, 2)"), -3);
  EXPECT_EQ(value(" max( 1 , min(rows, page_table.stride0) ) "), 7);
}

TEST(Expression, RefusesWhatIsNone) {
  for (const char* text : {"", "1 +", "(1", "1)", "1 2", "rows(1, 2)", "cdiv(1)", "cdiv(1, 2", "1 / 0", "1x", "one",
                           "#", "9223372036854775807 + 1", "9223372036854775808", "(0-9223372036854775807-1) / (0-1)"})
    EXPECT_THROW(value(text), ExpressionError) << text;
  EXPECT_THROW(value(std::string(1000, '(') + "1" + std::string(1000, ')')), ExpressionError);
}

const std::string sound =
    "name = \"mine\"\nmodule = \"mine.cubin\"\n\n[capabilities]\nwithout = [\"status\", \"swa\"]\nmodes = \"decode\"\n"
    "page_size_high = 64\nabsent_becomes = \"zero\"\nfull_width = true\nlength_types = \"int64\"\n\n[[apply]]\n"
    "kernel = \"fill\"\ngrid = [\"rows\", \"cdiv(width, 128)\"]\nblock = 128\n"
    "arguments = [\"page_table\", \"page_table.stride0:i64\", \"page_size\", \"0:ptr\"]\n";

KernelFile read(const std::string& text) {
  const cli::TempDir dir;
  return read_kernel_file(dir.write("mine.toml", text));
}

std::string refusal(const std::string& from, const std::string& to) {
  std::string text = sound;
  const cli::TempDir dir;
  const std::string path = dir.write("mine.toml", text.replace(text.find(from), from.size(), to));
  try {
    try_out(read_kernel_file(path));
  } catch (const std::invalid_argument& error) {
    return std::string(error.what()).substr(dir.path().string().size() + 1);
  }
  return "";
}

TEST(KernelFile, SaysWhatABuilderIs) {
  const KernelFile file = read(sound);
  EXPECT_STREQ(file.capabilities.name, "mine");
  EXPECT_EQ(file.capabilities.device, PAGESTORM_CUDA);
  EXPECT_EQ(file.capabilities.modes, 1u << PAGESTORM_DECODE);
  EXPECT_EQ(file.capabilities.without,
            static_cast<std::uint32_t>(PAGESTORM_NO_STATUS | PAGESTORM_NO_SWA | PAGESTORM_NO_BUILD |
                                       PAGESTORM_FULL_WIDTH | PAGESTORM_NO_REFUSALS));
  EXPECT_EQ(file.capabilities.page_size_high, 64);
  EXPECT_EQ(file.capabilities.absent_becomes, PAGESTORM_BECOMES_ZERO);
  EXPECT_EQ(file.capabilities.length_types, 1u << PAGESTORM_INT64);
  ASSERT_EQ(file.apply.size(), 1u);
  EXPECT_TRUE(file.apply.front().module.ends_with("/mine.cubin"));
  EXPECT_TRUE(file.build.empty());
}

TEST(KernelFile, LaunchesByTheShapesOfACall) {
  const KernelFile file = read(sound);
  std::int32_t table[512];
  pagestorm_batch batch{};
  batch.rows = 3;
  batch.page_size = 16;
  pagestorm_metadata out{};
  out.page_table = {table, PAGESTORM_INT32, PAGESTORM_CUDA, 0, 2, {3, 130}, {140, 1}};
  const KernelShape shape = shape_of(file, file.apply.front(), batch, out);
  EXPECT_EQ(shape.grid, (std::array<std::int64_t, 3>{3, 2, 1}));
  EXPECT_EQ(shape.block, (std::array<std::int64_t, 3>{128, 1, 1}));
  const std::vector<KernelArgument> arguments = arguments_of(file, file.apply.front(), batch, out);
  ASSERT_EQ(arguments.size(), 4u);
  EXPECT_EQ(arguments[0].bits, reinterpret_cast<std::uintptr_t>(table));
  EXPECT_EQ(arguments[1].bits, 140u);
  EXPECT_EQ(arguments[1].bytes, 8u);
  EXPECT_EQ(arguments[2].bits, 16u);
  EXPECT_EQ(arguments[2].bytes, 4u);
  EXPECT_EQ(arguments[3].bits, 0u);
}

TEST(KernelFile, RefusesByFileLineAndField) {
  EXPECT_EQ(refusal("name = \"mine\"\n", ""), "mine.toml:1: name: is missing");
  EXPECT_TRUE(refusal("= \"mine\"", "=").starts_with("mine.toml:1: ")) << "the other words are the parser's own";
  EXPECT_TRUE(
      refusal("[\"status\"", "[\"statu\"").starts_with("mine.toml:5: without: 'statu' is unknown; use swa, status"));
  EXPECT_TRUE(
      refusal("kernel = ", "kernal = ").starts_with("mine.toml:13: kernal: is no field here; use module, kernel"));
  EXPECT_EQ(refusal("= 64", "= 5000"), "mine.toml:7: page_size_high: is no whole number from 0 to 4096");
  EXPECT_EQ(refusal("true", "1"), "mine.toml:9: full_width: is neither true nor false");
  EXPECT_TRUE(refusal("width, 128", "widht, 128").starts_with("mine.toml:12: grid: 'cdiv(widht, 128)' names widht"));
  EXPECT_TRUE(
      refusal(":i64", ":f64").starts_with("mine.toml:12: arguments: 'page_table.stride0:f64': there is no type f64"));
  EXPECT_EQ(refusal("[[apply]]", "[[build]]"),
            "mine.toml:1: apply: is missing; say how the kernel is launched in [[apply]]");
  EXPECT_THROW(read_kernel_file("/nowhere/mine.toml"), std::invalid_argument);
}

}  // namespace
}  // namespace pagestorm::outside
