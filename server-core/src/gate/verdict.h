// A verdict: whether somebody may be at a record now, and if not, why. The judges (judge.h) give it; admission, the graph of waiters, errors, counters and
// telemetry read it.
#pragma once

#include <cstdint>

namespace claret {

// What is in the way.
enum class Why : std::uint8_t {
  kNothing,
  kDrain,  // the record's slot drains
  kNative,  // a native that has waited there for long
  kQueue,  // others who wait: it is not its turn
  kRun,  // what a chain has executed there ahead of its commits
  kHolder,  // a holder with which it does not commute, or the results of which it cannot know yet
  kSum,  // the reservations of all holders together
  kWarranty,
  kQuarantine,  // warranties from before the shard's start may stand
  kNever,  // the operation is of a kind that goes beside nothing
};

struct Verdict {
  enum class Kind : std::uint8_t {
    kPass,
    kWait,
    kSleep,  // wait, but let others pass: it cannot be next before a warranty has ended
    kBreak,  // end those that are in the way, and ask again
    kRefuse,  // in this state, whatever others do
  };
  Kind kind = Kind::kPass;
  Why why = Why::kNothing;
  bool whole_mode = false;  // all others of its mode would meet the same

  bool passes() const { return kind == Kind::kPass; }
  bool waits() const { return kind == Kind::kWait || kind == Kind::kSleep; }
  bool sleeps() const { return kind == Kind::kSleep; }
  // Only the order of turns is in the way.
  bool is_turn() const { return why == Why::kDrain || why == Why::kNative || why == Why::kQueue; }
};

namespace verdicts {
inline constexpr Verdict kPass{};
inline constexpr Verdict kRefuse{.kind = Verdict::Kind::kRefuse};
constexpr Verdict wait(Why why, bool whole_mode = false) { return {.kind = Verdict::Kind::kWait, .why = why, .whole_mode = whole_mode}; }
constexpr Verdict sleep(Why why) { return {.kind = Verdict::Kind::kSleep, .why = why}; }
}  // namespace verdicts

}  // namespace claret
