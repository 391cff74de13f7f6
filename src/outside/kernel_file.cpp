#include "kernel_file.hpp"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "kernel_toml.hpp"

namespace pagestorm::outside {
namespace {

struct Named {
  std::string_view name;
  std::uint32_t value;
};

constexpr Named modes[] = {{"idle", 1u << PAGESTORM_IDLE},
                           {"decode", 1u << PAGESTORM_DECODE},
                           {"draft_decode", 1u << PAGESTORM_DRAFT_DECODE},
                           {"target_verify", 1u << PAGESTORM_TARGET_VERIFY},
                           {"draft_extend", 1u << PAGESTORM_DRAFT_EXTEND},
                           {"extend", 1u << PAGESTORM_EXTEND},
                           {"ragged_verify", 1u << PAGESTORM_RAGGED_VERIFY}};

constexpr Named without[] = {{"swa", PAGESTORM_NO_SWA},
                             {"status", PAGESTORM_NO_STATUS},
                             {"element_zero", PAGESTORM_NO_ELEMENT_ZERO},
                             {"clamp", PAGESTORM_NO_CLAMP},
                             {"bad_indices", PAGESTORM_NO_BAD_INDICES},
                             {"bad_lengths", PAGESTORM_NO_BAD_LENGTHS},
                             {"empty_batch", PAGESTORM_NO_EMPTY_BATCH},
                             {"write_slots", PAGESTORM_NO_WRITE_SLOTS},
                             {"tail_zeros", PAGESTORM_NO_TAIL_ZEROS},
                             {"input_strides", PAGESTORM_NO_INPUT_STRIDES},
                             {"output_strides", PAGESTORM_NO_OUTPUT_STRIDES},
                             {"own_swa_stride", PAGESTORM_NO_OWN_SWA_STRIDE},
                             {"padded_tables", PAGESTORM_NO_PADDED_TABLES},
                             {"far_rows", PAGESTORM_NO_FAR_ROWS}};

constexpr Named types[] = {{"int32", 1u << PAGESTORM_INT32}, {"int64", 1u << PAGESTORM_INT64}};

constexpr Named becomes[] = {{"contract", PAGESTORM_AS_CONTRACT},
                             {"zero", PAGESTORM_BECOMES_ZERO},
                             {"minus_one", PAGESTORM_BECOMES_MINUS_ONE},
                             {"anything", PAGESTORM_BECOMES_ANYTHING},
                             {"never", PAGESTORM_MAY_NOT_OCCUR}};

std::string names_of(std::span<const Named> words) {
  std::string text;
  for (const Named& word : words) text += (text.empty() ? "" : ", ") + std::string(word.name);
  return text;
}

std::uint32_t value_of(const TomlTable& table, const char* field, const TomlWord& word, std::span<const Named> known) {
  for (const Named& one : known)
    if (one.name == word.text) return one.value;
  table.fail(word.line, field, fmt::format("'{}' is unknown; use {}", word.text, names_of(known)));
}

std::uint32_t bits(const TomlTable& table, const char* field, std::span<const Named> known) {
  std::uint32_t value = 0;
  for (const TomlWord& word : table.words(field)) value |= value_of(table, field, word, known);
  return value;
}

std::int32_t one_of(const TomlTable& table, const char* field, std::span<const Named> known) {
  const std::optional<TomlWord> word = table.word(field);
  return word ? static_cast<std::int32_t>(value_of(table, field, *word, known)) : 0;
}

void read_capabilities(const TomlTable& table, pagestorm_capabilities& to) {
  table.allow({"modes", "without", "page_size_low", "page_size_high", "page_size_power_of_two", "full_width",
               "absent_becomes", "tombstone_becomes", "index_types", "length_types", "location_types", "map_types",
               "rows_high"});
  to.modes = bits(table, "modes", modes);
  to.without |= bits(table, "without", without) | (table.flag("full_width") ? std::uint32_t{PAGESTORM_FULL_WIDTH} : 0u);
  to.page_size_low = static_cast<std::int32_t>(table.number("page_size_low", 0, 4096));
  to.page_size_high = static_cast<std::int32_t>(table.number("page_size_high", 0, 4096));
  to.page_size_power_of_two = table.flag("page_size_power_of_two") ? 1 : 0;
  to.absent_becomes = one_of(table, "absent_becomes", becomes);
  to.tombstone_becomes = one_of(table, "tombstone_becomes", becomes);
  to.index_types = bits(table, "index_types", types);
  to.length_types = bits(table, "length_types", types);
  to.location_types = bits(table, "location_types", types);
  to.map_types = bits(table, "map_types", types);
  to.rows_high = table.number("rows_high", 0, std::int64_t{1} << 40);
}

void read_extent(const TomlTable& table, const char* field, std::array<std::string, 3>& to) {
  const std::vector<TomlWord> words = table.words(field);
  if (words.size() > to.size()) table.fail(words.back().line, field, "has more than three dimensions");
  for (std::size_t i = 0; i < words.size(); ++i) to[i] = words[i].text;
}

/// The module of a launch: its own, or that of the whole file; where the file lies, unless its path is absolute.
std::string module_of(const TomlTable& root, const TomlTable& launch, const std::string& path) {
  const std::optional<TomlWord> own = launch.word("module");
  const TomlWord module = own ? *own : root.required("module");
  return (std::filesystem::path(path).parent_path() / module.text).string();
}

std::vector<KernelLaunch> read_launches(const TomlTable& root, const char* field, const std::string& path) {
  std::vector<KernelLaunch> launches;
  for (const TomlTable& table : root.tables(field)) {
    table.allow({"module", "kernel", "grid", "block", "shared_bytes", "when", "arguments"});
    KernelLaunch launch;
    launch.line = table.line();
    launch.module = module_of(root, table, path);
    launch.kernel = table.required("kernel").text;
    read_extent(table, "grid", launch.grid);
    read_extent(table, "block", launch.block);
    if (const auto bytes = table.word("shared_bytes")) launch.shared_bytes = bytes->text;
    if (const auto when = table.word("when")) launch.when = when->text;
    for (const TomlWord& word : table.words("arguments")) launch.arguments.push_back(word.text);
    launches.push_back(std::move(launch));
  }
  return launches;
}

void read_name(const TomlTable& root, pagestorm_capabilities& to) {
  const TomlWord name = root.required("name");
  if (name.text.size() >= sizeof to.name) root.fail(name.line, "name", "is longer than 63 characters");
  std::memcpy(to.name, name.text.c_str(), name.text.size() + 1);
}

}  // namespace

KernelFile read_kernel_file(const std::string& path) {
  const TomlTable root = TomlTable::read(path);
  root.allow({"name", "module", "capabilities", "apply", "build"});
  KernelFile file;
  file.path = path;
  file.capabilities.size = sizeof file.capabilities;
  file.capabilities.device = PAGESTORM_CUDA;
  file.capabilities.without = PAGESTORM_NO_REFUSALS;  // a launch returns nothing
  read_name(root, file.capabilities);
  file.apply = read_launches(root, "apply", path);
  file.build = read_launches(root, "build", path);
  if (file.apply.empty()) root.fail(1, "apply", "is missing; say how the kernel is launched in [[apply]]");
  if (file.build.empty()) file.capabilities.without |= PAGESTORM_NO_BUILD;
  if (const auto table = root.table("capabilities")) read_capabilities(*table, file.capabilities);
  return file;
}

}  // namespace pagestorm::outside
