#include "refusals.hpp"

#include <array>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "fit.hpp"
#include "pass_stand.hpp"
#include "wrong_shapes.hpp"

namespace pagestorm::sim {
namespace {

using shapes::Case;

/// A small call over real memory, again and again.
class Offer {
 public:
  explicit Offer(Builder& builder) : pass_(builder), promise_(pass_.capabilities.promise) {
    Config config = fit({{.page_size = 2, .requests = 2, .swa = true}, {}}, promise_).scenario.config;
    config.context = columns * config.page_size;
    config.pages = config.swa_pages = 2;
    pass_.lay_out(config);
    pass_.world.start(config, pass_.inputs);
    fill(config);
    judged_.front() = {0, pass_.layout.words() * 4};
  }

  /// Nobody is held to what he did not promise to look at, nor to a refusal where he does not take the right call.
  bool is_fair(const Case& one, Entry entry) {
    if (entry == Entry::build && !promise_.builds) return false;
    if (one.promised != nullptr && !(promise_.*one.promised)) return false;
    const std::optional<Mode> mode = mode_of(one);
    if (!mode) return false;
    if (!isolated()) return true;
    const auto [known, is_new] = takes_.try_emplace({entry, *mode}, false);
    if (is_new) known->second = become_of(right(*mode, entry)) == taken_call;
    return known->second;
  }

  /// What became of a call, where that is wrong.
  std::optional<Violation> wrong(const Case& one, Entry entry) {
    Call call = right(*mode_of(one), entry);
    one.change(call);
    const std::string became = become_of(call);
    if (one.argument.empty() && became == taken_call) return std::nullopt;
    if (one.argument.empty()) return violation("the call", one, entry, "it is taken", became);
    if (!is_refused_for(one.argument, became)) return violation(one.argument, one, entry, refused_call, became);
    const std::string written = first_written();
    if (written.empty()) return std::nullopt;
    return violation(one.argument, one, entry, refused_call, "a refusal, after " + written + ", was written");
  }

 private:
  static constexpr std::int64_t columns = 4;
  static constexpr std::string_view refused_call = "a refusal before anything is written";
  static constexpr std::string_view taken_call = "taken";
  static constexpr std::string_view refusal = "refused: ";

  bool isolated() const { return pass_.capabilities.isolated; }

  /// The one that needs most of its arguments, where no other is asked for; nothing where the builder does not take it.
  std::optional<Mode> mode_of(const Case& one) const {
    const auto takes = [&](Mode mode) { return promise_.modes[static_cast<std::size_t>(mode)]; };
    if (one.mode) return takes(*one.mode) ? one.mode : std::nullopt;
    for (const Mode mode : {Mode::extend, Mode::ragged_verify, Mode::target_verify, Mode::draft_extend,
                            Mode::draft_decode, Mode::decode, Mode::idle})
      if (takes(mode)) return mode;
    return std::nullopt;
  }

  void fill(const Config& config) {
    constexpr std::array<std::int32_t, 2> pages{1, 2};
    if (config.swa) pass_.inputs.map_pages(pages, pages);
    for (std::int64_t row = 1; row <= config.requests; ++row)
      pass_.inputs.write_slots(row, 0, 2 * config.page_size, pages);
  }

  /// Two rows of a page and a token, or one row where the builder takes no more, over a poisoned image.
  Call right(Mode mode, Entry entry) {
    const std::int64_t page = pass_.outputs.page_size;
    Forward forward{.mode = mode, .real_rows = pass_.outputs.requests};
    for (std::int64_t row = 1; row <= forward.real_rows; ++row)
      forward.rows.push_back(
          {.owner = row, .pool_row = row, .length = page + 1, .new_tokens = 1, .first_write = page, .writes = 1});
    forward.written = forward.write_slots();
    pass_.world.pretend(std::move(forward));
    pass_.stage();
    const Range whole{0, pass_.layout.words()};
    pass_.first.poison(pass_.layout, {&whole, 1}, Moment::first_poison);
    Call call = pass_.moment.call(pass_.first, {});
    call.zone = judged_;
    call.batch.entry = entry;
    return call;
  }

  std::string become_of(const Call& call) {
    std::string became(taken_call);
    try {
      pass_.builder->enqueue(call);
      if (isolated()) pass_.builder->complete();
    } catch (const std::invalid_argument& error) {
      became = std::string(refusal) + error.what();
    } catch (const BuilderFailed& error) {
      became = error.how() == BuilderFailed::How::refused ? std::string(refusal) : error.what();
    }
    pass_.inputs.forget_changes();
    return became;
  }

  /// Over a process only that it was refused can be seen.
  bool is_refused_for(std::string_view argument, const std::string& became) const {
    if (isolated()) return became == refusal;
    return became.starts_with(std::string(refusal) + std::string(argument) + ":");
  }

  std::string first_written() const {
    const std::int64_t status = pass_.layout.section(Part::status).first;
    for (std::int64_t word = 0; word < pass_.layout.words(); ++word)
      if (pass_.first.words()[word] != (word == status ? 0 : Moment::first_poison))
        return pass_.layout.locate(word).text;
    return "";
  }

  static Violation violation(std::string_view what, const Case& one, Entry entry, std::string_view expected,
                             std::string got) {
    const char* of = entry == Entry::build ? ", in a build" : "";
    return {.place = {.text = std::string(what) + ": " + std::string(one.shape) + of},
            .expected = std::string(expected),
            .got = std::move(got),
            .why = "a shape that does not fit is refused, whatever the arrays hold"};
  }

  PassStand pass_;
  Promise promise_;
  std::array<Window, 1> judged_;                  ///< the whole image
  std::map<std::pair<Entry, Mode>, bool> takes_;  ///< the right calls that were tried
};

}  // namespace

Refusals offer_wrong_shapes(Builder& builder) {
  Refusals all;
  const Capabilities capabilities = builder.capabilities();
  if (!capabilities.promise.refusals) return all;
  Offer offer(builder);
  const auto all_refused = [&](std::span<const Case> cases, Entry entry) {
    for (const Case& one : cases) {
      if (!offer.is_fair(one, entry)) continue;
      ++all.offered;
      if (all.wrong = offer.wrong(one, entry); all.wrong) return false;
    }
    return true;
  };
  if (!all_refused(shapes::refused, Entry::apply) || !all_refused(shapes::refused_by_apply, Entry::apply) ||
      !all_refused(shapes::refused, Entry::build) || capabilities.isolated)
    return all;
  // What builders in a process of their own must take, scenarios give them.
  for (const Case& one : shapes::taken)
    if (all.wrong = offer.wrong(one, Entry::apply); all.wrong) return all;
  return all;
}

}  // namespace pagestorm::sim
