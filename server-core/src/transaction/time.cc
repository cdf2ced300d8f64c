// Participant, continued: the shard's own time, its timestamps, and the ceiling above them that the log holds (docs/decisions/0020).
#include <algorithm>

#include "transaction/participant.h"

namespace claret {

void Participant::at(double monotonic_ms, double wall_ms) {
  now_ms_ = monotonic_ms;
  wounds_.at(monotonic_ms);
  clock_.observe_wall(wall_ms);
  if (!wall_ahead_ms_) resume_time(std::clamp(wall_ms, 0.0, kWallMsMax));
  wall_ms_ = now_ms_ + *wall_ahead_ms_;
}

void Participant::resume_time(double time_ms) {
  wall_ms_ = time_ms;
  wall_ahead_ms_ = time_ms - now_ms_;
}

Timestamp Participant::next_timestamp() {
  const Timestamp at = clock_.next();
  if (at > cut_at_) pass_cut();
  cover(at);
  return at;
}

void Participant::cover(Timestamp at) {
  if (journal_.on() && at > ceiling_ && needs_ceiling(at)) raise_ceiling(at);
}

void Participant::raise_ceiling(Timestamp over) {
  ceiling_ = clock_.ceiling_over(over);
  journal_.ceiling(ceiling_, static_cast<std::uint64_t>(wall_ms_));
  ceiling_position_ = journal_.position();
}

}  // namespace claret
