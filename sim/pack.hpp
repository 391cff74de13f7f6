#pragma once
// Plays many scenarios in lockstep on a judge that lives with the images: a pass of each in one round, and the next round
// is simulated while one is under way.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "coverage.hpp"
#include "player.hpp"
#include "scene.hpp"

namespace pagestorm::sim {

/// A scenario of a campaign.
struct PackCase {
  std::int64_t index = 0;
  Scenario scenario;
};

/// How a pack plays.
struct PackOptions {
  std::size_t seats = 256;  ///< scenarios at a time, at least 1
  bool compare = false;     ///< every image comes back, and the host judges it too
};

/// The law that a judge breaks when it does not say what the host's laws say.
inline constexpr std::string_view judges_agree = "judges_agree";

class Pack {
 public:
  /// The next case; none when the campaign is over.
  using Next = std::function<std::optional<PackCase>()>;

  /// Told about each case that breaks a law, which ends with that step; false ends the campaign.
  using Found = std::function<bool(const PackCase&, const Violation&)>;

  /// `builder` is what `judge` builds with; `laws` are image laws (see ImageLaw), in the order in which violations are
  /// reported. All must outlive the pack. Throws std::invalid_argument for another law.
  Pack(DeviceJudge& judge, Builder& builder, std::span<const std::unique_ptr<Law>> laws, const PackOptions& options);

  /// Plays all cases. A step that the judge finds wrong is judged by the host's laws on the same images: they are the
  /// authority, and a judge that says anything else is reported under judges_agree.
  void play(const Next& next, const Found& found);

  std::span<const LawTally> tallies() const { return tallies_; }
  Coverage coverage() const;
  std::int64_t steps() const { return steps_; }              ///< passes judged
  std::int64_t excused_far() const { return excused_far_; }  ///< far layouts for which the device had too little memory

 private:
  struct Play {
    PackCase one;
    bool over = false;    ///< a law was broken
    bool judged = false;  ///< some step was
  };

  struct Seat {
    Scene scene;
    std::shared_ptr<Play> play;
    std::size_t next_step = 0;
    Coverage coverage;
  };

  /// A pass under way.
  struct Entry {
    std::size_t seat = 0;
    std::shared_ptr<Play> play;
    std::int64_t step = 0;
    std::int64_t rows = 0;
  };
  using Round = std::vector<Entry>;

  void run(std::size_t first, std::size_t last, std::size_t depth, const Next& next);
  Round gather(std::size_t first, std::size_t last, const Next& next);
  bool advance(std::size_t seat, const Next& next);
  bool open(std::size_t seat, const Next& next);
  void settle();
  void count(const Entry& entry);
  void convict(const Entry& entry, const Verdict& verdict);
  void compare(const Round& round, std::span<const Verdict> verdicts);
  void weigh(const Entry& entry, Scene& scene, const Verdict& verdict);
  std::size_t far_seat() const { return seats_.size() - 1; }

  DeviceJudge& judge_;
  Builder& builder_;
  std::span<const std::unique_ptr<Law>> laws_;
  std::vector<ImageLaw> kinds_;  ///< of the laws
  std::uint32_t mask_ = 0;       ///< all of them
  bool compare_;
  std::vector<std::unique_ptr<Seat>> seats_;  ///< the last one is for far layouts, which have the device to themselves
  std::vector<PackCase> far_;                 ///< set aside until the others are done
  std::vector<Round> under_way_;              ///< oldest first
  Scene replayed_;
  const Found* found_ = nullptr;
  bool going_ = false;
  std::vector<LawTally> tallies_;
  std::int64_t steps_ = 0;
  std::int64_t excused_far_ = 0;
};

}  // namespace pagestorm::sim
