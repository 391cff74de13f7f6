#pragma once
// The laws as a library: what a test suite of another project needs to put a builder of its own under them.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pagestorm/builder.hpp"

namespace pagestorm {

/// What check() plays. The defaults are those of `pagestorm check`, where the same seed draws the same scenarios.
struct CheckOptions {
  std::vector<std::string> laws = {};         ///< empty = all of builder_laws()
  std::int64_t cases = 1000;                  ///< scenarios
  std::uint64_t seed = 1;                     ///< that they are drawn from
  std::vector<std::int64_t> page_sizes = {};  ///< tokens, each 1 to 4096; empty = all
  std::int64_t length_high = 4096;            ///< tokens of a request at most, and the largest context
  std::int64_t rows_high = 16;                ///< requests at most
  std::vector<Mode> modes = {};               ///< empty = all
  std::optional<bool> swa = {};               ///< absent = scenarios with SWA and without
  bool far = true;                            ///< layouts with offsets past 2^31 elements
  bool odd = true;                            ///< rows and slots that no engine means to send
  bool flash = false;                         ///< operations of the FlashAttention family besides
  std::optional<std::string> folder = {};     ///< where a failure is saved as a file; absent = nowhere
};

/// What became of a check.
struct CheckVerdict {
  enum class Outcome : std::uint8_t {
    held,       ///< every law, in every case
    violated,   ///< `law` was broken, by `scenario`
    flaky,      ///< so it was once; the same scenario, played again, held
    undecided,  ///< no case had anything that a law could judge
  };

  Outcome outcome = Outcome::undecided;
  std::int64_t cases = 0;     ///< played, the broken one included
  std::int64_t judged = 0;    ///< forward passes that laws judged, shrinking included, summed over laws
  std::string law = {};       ///< that was broken
  std::string scenario = {};  ///< the smallest found that breaks it, as a scenario file (docs/replay.md)
  std::string file = {};      ///< where it was saved; empty = not saved
  std::string report = {};    ///< for people: what happened, step by step, or why nothing was decided; empty when held

  bool held() const { return outcome == Outcome::held; }
};

/// Names of the laws that judge builders, the most telling first; with `flash`, also those that judge operations of the
/// FlashAttention family alone. A suite can have one test for each.
std::vector<std::string> builder_laws(bool flash = false);

/// One sentence that says what a law of that name demands. Throws std::invalid_argument where there is none.
std::string law_says(const std::string& law);

/// Draws scenarios and plays each against the builder, up to the first that breaks a law; that is made as small as can be.
/// Where the builder is not called "host", `paths_agree` also compares it with Pagestorm's own. Deterministic. Throws
/// std::invalid_argument that names the option which is wrong; what the builder throws passes through.
CheckVerdict check(Builder& builder, const CheckOptions& options = {});

/// Plays a saved or hand-written scenario against the builder. Judges by the law that the file names, or by all of
/// builder_laws() if it names none. Throws std::invalid_argument with place and remedy where the file is malformed, and
/// std::runtime_error where it cannot be read.
CheckVerdict replay(Builder& builder, const std::string& path);

}  // namespace pagestorm
