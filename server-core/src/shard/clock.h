// Hybrid logical clock of one shard: timestamps are unique in the cluster and totally ordered.
//
//   timestamp := ticks (56 bits) . shard (8 bits)      a tick is a quarter of a microsecond of wall time, or the last one + 1
//
// Invariant: every timestamp handed out is greater than each one handed out or raised to before.
#pragma once

#include <algorithm>
#include <cstdint>

#include "adt/adt.h"

namespace claret {

inline constexpr std::uint32_t kShardsMax = 256;

// A timestamp this far ahead of a shard's clock is nobody's. Clocks differ by some seconds, and each restart puts a shard
// some more ahead, until its wall clock has caught up.
inline constexpr double kAheadMsMax = 60'000;

class HybridClock {
 public:
  explicit HybridClock(std::uint32_t shard) : shard_(shard) {}

  void observe_wall(double wall_ms) { wall_ticks_ = static_cast<std::uint64_t>(wall_ms * kTicksPerMs); }

  Timestamp next() {
    ticks_ = std::max(ticks_ + 1, wall_ticks_);
    return ticks_ << 8 | shard_;
  }

  // The greatest timestamp that any shard can have given at the time that this clock has reached.
  Timestamp reached() const { return ticks_ << 8 | 0xFF; }

  // The wall time that a timestamp stands for.
  static double wall_ms(Timestamp at) { return static_cast<double>(at >> 8) / kTicksPerMs; }

  static Timestamp later(Timestamp than, double by_ms) {
    return ((than >> 8) + static_cast<std::uint64_t>(by_ms * kTicksPerMs)) << 8 | 0xFF;
  }

  // Is this timestamp so far ahead of the wall clock that no shard with a sane clock can have given it?
  bool too_far_ahead(Timestamp seen, double ahead_ms) const {
    return seen >> 8 > std::max(ticks_, wall_ticks_) + static_cast<std::uint64_t>(ahead_ms * kTicksPerMs);
  }

  bool passed_by_wall(Timestamp at) const { return at >> 8 <= wall_ticks_; }

  // No later timestamp of this shard will be smaller than or equal to `seen`.
  void raise(Timestamp seen) { ticks_ = std::max(ticks_, seen >> 8); }

 private:
  static constexpr double kTicksPerMs = 4000;
  std::uint64_t ticks_ = 0;
  std::uint64_t wall_ticks_ = 0;
  std::uint32_t shard_;
};

}  // namespace claret
