// The shard's own time, its timestamps, and the ceiling above them that the log holds (docs/decisions/0020-clocks.md).
//
// Wall time is read once, at the first call of at(), or resumed from the log; from then on it follows the steady clock, so that setting
// the machine's clock moves nothing. A start begins above the ceiling in the log. While nothing can be logged, a timestamp that the wall
// clock has passed needs no ceiling, since a start begins above that clock too.
// Thread safety: none needed.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "ground/clock.h"
#include "transaction/journal.h"

namespace claret {

class ShardClock {
 public:
  ShardClock(std::uint32_t shard, Journal& journal) : clock_(shard), journal_(journal) {}

  // The time of everything that follows.
  void at(double monotonic_ms, double wall_ms);
  // The shard's own time was that when the log ended.
  void resume(double wall_ms);
  double now_ms() const { return now_ms_; }
  double wall_ms() const { return wall_ms_; }
  // From the one to the other.
  double monotonic_ms(std::uint64_t wall_ms) const { return now_ms_ + (static_cast<double>(wall_ms) - wall_ms_); }
  std::uint64_t wall_ms_at(double monotonic_ms) const;

  // A timestamp above all others; the log holds a ceiling above it, if it needs one.
  Timestamp next();
  // No later timestamp will be smaller than or equal to `seen`.
  void raise(Timestamp seen) { clock_.raise(seen); }
  // The greatest timestamp that any shard can have given at the time that this clock has reached.
  Timestamp reached() const { return clock_.reached(); }

  // From now on the log holds a ceiling above it, if it needs one.
  void cover(Timestamp at);
  void raise_ceiling(Timestamp over);
  bool needs_ceiling(Timestamp at) const { return !(refuses_changes_ && clock_.passed_by_wall(at)); }
  Timestamp ceiling() const { return ceiling_; }
  // The position of its entry in the log.
  std::uint64_t ceiling_position() const { return ceiling_position_; }
  // Nothing can be logged for now, or again.
  void refuse_changes(bool on) { refuses_changes_ = on; }

  // `passed` is called once, before the first timestamp above `limit` is given here or applied here.
  void watch(Timestamp limit, std::function<void()> passed) {
    limit_ = limit;
    passed_ = std::move(passed);
  }
  void watch_no_more() { limit_ = kNoLimit; }
  // A timestamp of another shard is about to be applied.
  void pass(Timestamp at) {
    if (at > limit_) passed_();
  }

 private:
  static constexpr Timestamp kNoLimit = std::numeric_limits<Timestamp>::max();

  HybridClock clock_;
  Journal& journal_;
  double now_ms_ = 0;
  double wall_ms_ = 0;
  std::optional<double> wall_ahead_ms_;  // of the steady clock
  Timestamp ceiling_ = 0;  // as logged
  std::uint64_t ceiling_position_ = 0;
  bool refuses_changes_ = false;
  Timestamp limit_ = kNoLimit;
  std::function<void()> passed_;
};

}  // namespace claret
