// A row of req_to_token holds whole pages: the slots of a page stand side by side, from its first one on. That is what
// lets a builder read one slot a page.

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "pagestorm/ids.hpp"
#include "props/laws.hpp"
#include "sim/checks.hpp"

namespace pagestorm::props {
namespace {

using sim::Request;
using sim::World;

class PagesAreContiguous final : public sim::Law {
 public:
  std::string_view name() const override { return "pages_are_contiguous"; }
  std::string_view what() const override {
    return "req_to_token names, position after position, the slots of the pages that the request has";
  }
  bool is_about_engine() const override { return true; }

  void start(const World& world, const sim::ImageLayout&) override {
    rows_.resize(static_cast<std::size_t>(world.config().request_rows()));
    for (Row& row : rows_) row.right = 0;
    calls_ = 0;
  }

  std::optional<sim::Violation> inspect(const World& world) override {
    ++calls_;
    for (const sim::Inputs::Cells& cells : world.inputs().cells_written()) {
      Row& row = rows_[static_cast<std::size_t>(cells.row)];
      row.right = std::min(row.right, cells.first);
    }
    for (const Request& request : world.requests())
      if (auto violation = inspect(world, request)) return violation;
    return std::nullopt;
  }

 private:
  // What was found right in a row: its first `right` positions name the slots of `pages`, punctured ones left out.
  struct Row {
    std::int64_t right = 0;
    std::vector<std::int32_t> pages;
    std::int64_t last_call = 0;  ///< that met a request here
  };

  std::optional<sim::Violation> inspect(const World& world, const Request& request) {
    const std::int64_t size = world.config().page_size;
    Row& row = rows_[static_cast<std::size_t>(request.row)];
    const bool stayed = row.last_call == calls_ - 1;
    const auto differ = std::ranges::mismatch(row.pages, request.pages).in1 - row.pages.begin();
    std::int64_t from = stayed ? std::min({row.right, request.allocated, differ * size}) : 0;
    std::int64_t end = 0;
    for (; from < request.allocated; from = end) {
      end = std::min(request.allocated, (from / size + 1) * size);
      if (!request.punctured.empty() && std::ranges::count(request.punctured, from / size) > 0) continue;
      for (std::int64_t p = from; p < end; ++p)
        if (auto violation = wrong_slot(world, request, p)) return violation;
    }
    row.right = request.allocated;
    row.pages.resize(std::min(row.pages.size(), static_cast<std::size_t>(stayed ? differ : 0)));
    row.pages.insert(row.pages.end(), request.pages.begin() + static_cast<std::ptrdiff_t>(row.pages.size()),
                     request.pages.end());
    row.last_call = calls_;
    return std::nullopt;
  }

  static std::optional<sim::Violation> wrong_slot(const World& world, const Request& request, std::int64_t position) {
    const std::int64_t size = world.config().page_size;
    const auto column = static_cast<std::size_t>(position / size);
    const std::int64_t page = column < request.pages.size() ? request.pages[column] : std::int32_t{sink};
    const std::int64_t want = page * size + position % size;
    const std::int64_t got = world.inputs().slot(request.row, position);
    if (page != sink && got == want) return std::nullopt;
    return sim::Violation{.place = {.text = fmt::format("req_to_token, row {} ({}), position {}", request.row,
                                                        sim::letter(request.serial), position)},
                          .expected = page == sink ? std::string("a page") : fmt::format("slot {}", want),
                          .got = fmt::format("slot {}", got),
                          .why = "a page's slots stand side by side in the row of the request that has it"};
  }

  std::vector<Row> rows_;  ///< by request row
  std::int64_t calls_ = 0;
};

}  // namespace

std::unique_ptr<sim::Law> pages_are_contiguous() { return std::make_unique<PagesAreContiguous>(); }

}  // namespace pagestorm::props
