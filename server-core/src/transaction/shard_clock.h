// The shard's own time, its timestamps, and the ceiling above them that the log holds (docs/decisions/0020-clocks.md).
//
// Wall time is read once, at the first call of at(), or resumed from the log; from then on it follows the steady clock, so that changes of
// the machine's clock have no effect. A start begins above the ceiling in the log. While entries cannot be logged, what tells of a timestamp
// leaves once the wall clock has passed it, since a start begins above the wall clock too. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "ground/clock.h"
#include "ground/errors.h"
#include "transaction/journal.h"
#include "transaction/outbox.h"

namespace claret {

// While nothing can be logged, a clock that is further ahead of the wall clock than this tells of no timestamp: nobody waits for longer.
inline constexpr double kToldLateMsMax = 1000;

class ShardClock {
 public:
  // Milliseconds since an arbitrary start.
  using Stopwatch = double (*)();

  // `stopwatch`: null, or what measures the work within a call, for reports only. All else sees a time that stands still in a call.
  ShardClock(std::uint32_t shard, Journal& journal, Stopwatch stopwatch = nullptr)
      : clock_(shard), journal_(journal), stopwatch_(stopwatch) {}

  // Sets the time for the calls that follow.
  void at(double monotonic_ms, double wall_ms);
  // The shard's own time when the log ended was `wall_ms`.
  void resume(double wall_ms);
  // The shard starts now: all its timestamps will be above the wall clock, which covers those of earlier starts that no ceiling covers.
  void start() { clock_.catch_up(); }
  double now_ms() const { return now_ms_; }
  // The same with the work of this call so far.
  double measured_ms() const { return stopwatch_ == nullptr ? now_ms_ : now_ms_ + stopwatch_() - call_began_ms_; }
  double wall_ms() const { return wall_ms_; }
  // Converts wall time to monotonic time.
  double monotonic_ms(std::uint64_t wall_ms) const { return now_ms_ + (static_cast<double>(wall_ms) - wall_ms_); }
  std::uint64_t wall_ms_at(double monotonic_ms) const;

  // Returns a timestamp above all earlier ones; the log holds a ceiling above it, if it needs one.
  Timestamp next();
  // All later timestamps will be greater than `seen`.
  void raise(Timestamp seen) { clock_.raise(seen); }
  // The greatest timestamp that any shard can have issued at the time that this clock has reached.
  Timestamp reached() const { return clock_.reached(); }
  // The greatest timestamp that belongs to the time that the machine's clock shows.
  Timestamp wall() const { return clock_.wall(); }
  // The present time, as commits have it.
  Timestamp time() const { return std::max(reached(), wall()); }

  // Makes the log hold a ceiling above the timestamp, if it needs one and anything can be logged.
  void cover(Timestamp at);
  void raise_ceiling(Timestamp over);
  Timestamp ceiling() const { return ceiling_; }
  // The position of the ceiling's entry in the log; 0 while nothing can be logged.
  std::uint64_t ceiling_position() const { return refuses_changes() ? 0 : ceiling_position_; }
  // What comes next tells of a timestamp that this shard has given: it leaves once a restart would be above it.
  void tell(Outbox& outbox, Timestamp at) const {
    if (!refuses_changes()) outbox.depend_on(ceiling_position_, journal_.durable());
    if (refuses_changes() && !covers(at)) outbox.tell_late(at);
  }
  // A restart begins above all timestamps up to this one, whatever the wall clock shows by then.
  Timestamp kept() const;
  // A restart begins above it.
  bool covers(Timestamp at) const { return at <= kept() || clock_.passed_by_wall(at); }
  // When the wall clock will have passed it. REQUIRES: !covers(at).
  double covers_at_ms(Timestamp at) const { return now_ms_ + clock_.ms_to_pass(at); }
  // What tells of it leaves soon, or waits for the log.
  bool tells(Timestamp at) const { return !refuses_changes() || covers(at) || clock_.ms_to_pass(at) <= kToldLateMsMax; }
  // It is so for the timestamps that the shard gives.
  bool tells() const { return tells(reached()); }
  // The greatest commit timestamp for which a vote at `at` holds that is not logged, once it is told.
  Timestamp holds_until(Timestamp at) const { return refuses_changes() ? std::max({at, kept(), wall()}) : ceiling_; }
  // Unless it is kNone, entries cannot be made durable.
  void refuse_changes(LogTrouble why);
  bool refuses_changes() const { return trouble_ != LogTrouble::kNone; }
  LogTrouble trouble() const { return trouble_; }

  // `passed` is called once, before the first timestamp above `limit` is issued or applied here.
  void watch(Timestamp limit, std::function<void()> passed) {
    limit_ = limit;
    passed_ = std::move(passed);
  }
  void watch_no_more() { limit_ = kNoLimit; }
  bool watched() const { return limit_ != kNoLimit; }
  // A timestamp of another shard is about to be applied.
  void pass(Timestamp at) {
    if (at > limit_) passed_();
  }

 private:
  static constexpr Timestamp kNoLimit = std::numeric_limits<Timestamp>::max();

  HybridClock clock_;
  Journal& journal_;
  Stopwatch stopwatch_;
  double call_began_ms_ = 0;  // by the stopwatch
  double now_ms_ = 0;
  double wall_ms_ = 0;
  std::optional<double> wall_ahead_ms_;  // of the steady clock
  Timestamp ceiling_ = 0;  // as logged
  std::uint64_t ceiling_position_ = 0;  // of its entry in the log
  Timestamp durable_ceiling_ = 0;  // the last one that was durable when another was logged
  LogTrouble trouble_ = LogTrouble::kNone;
  Timestamp limit_ = kNoLimit;
  std::function<void()> passed_;
};

}  // namespace claret
