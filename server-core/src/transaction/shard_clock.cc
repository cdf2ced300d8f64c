#include "transaction/shard_clock.h"

#include <algorithm>
#include <cmath>

namespace claret {

void ShardClock::at(double monotonic_ms, double wall_ms) {
  now_ms_ = monotonic_ms;
  if (stopwatch_ != nullptr) call_began_ms_ = stopwatch_();
  clock_.observe_wall(wall_ms);
  if (!wall_ahead_ms_) resume(std::clamp(wall_ms, 0.0, kWallMsMax));
  wall_ms_ = now_ms_ + *wall_ahead_ms_;
}

void ShardClock::resume(double wall_ms) {
  wall_ms_ = wall_ms;
  wall_ahead_ms_ = wall_ms - now_ms_;
}

std::uint64_t ShardClock::wall_ms_at(double monotonic_ms) const {
  return static_cast<std::uint64_t>(std::max(0.0, std::ceil(wall_ms_ + (monotonic_ms - now_ms_))));
}

Timestamp ShardClock::next() {
  // While nothing can be logged, timestamps follow each other closely, behind the wall clock if they can, which covers them instead of a ceiling.
  const Timestamp at = refuses_changes() ? clock_.next_tick() : clock_.next();
  pass(at);
  cover(at);
  return at;
}

void ShardClock::cover(Timestamp at) {
  if (journal_.on() && !refuses_changes() && at > ceiling_) raise_ceiling(at);
}

Timestamp ShardClock::kept() const {
  if (!journal_.on()) return kNoLimit;
  return ceiling_position_ <= journal_.durable() ? ceiling_ : durable_ceiling_;
}

void ShardClock::refuse_changes(LogTrouble why) {
  const bool could_not_log = refuses_changes();
  trouble_ = why;
  // Timestamps were told that only the wall clock covers.
  if (could_not_log) cover(reached());
}

void ShardClock::raise_ceiling(Timestamp over) {
  durable_ceiling_ = kept();
  ceiling_ = clock_.ceiling_over(over);
  journal_.ceiling(ceiling_, static_cast<std::uint64_t>(wall_ms_));
  ceiling_position_ = journal_.position();
}

}  // namespace claret
