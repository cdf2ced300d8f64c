// Hybrid logical clock of one shard: timestamps are unique in the cluster and totally ordered.
//
//   timestamp := ticks (56 bits) . shard (8 bits)      a tick is a quarter of a microsecond of wall time, or the last one + 1
//
// Invariant: every timestamp issued is greater than all timestamps issued before, and than all passed to raise() before.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ground/identifiers.h"

namespace claret {

inline constexpr std::uint32_t kShardsMax = 256;

// The log's ceiling is this far ahead of the wall clock, so that a ceiling entry is needed at most once in that time.
inline constexpr double kCeilingAheadOfWallMs = 250;
// If the hybrid clock itself is ahead of the wall clock, the ceiling is only this far ahead of it. A restart adds at most this much, which
// is less than the time that a start takes: so restarts never move a clock away from the wall clock.
inline constexpr double kCeilingAheadMs = 10;

// Wall clocks beyond the year 2200 count as that year, so that timestamps never overflow.
inline constexpr double kWallMsMax = 7'258'118'400'000;

class HybridClock {
 public:
  explicit HybridClock(std::uint32_t shard) : shard_(shard) {}

  void observe_wall(double wall_ms) { wall_ticks_ = ticks_at(std::clamp(wall_ms, 0.0, kWallMsMax)); }

  Timestamp next() {
    ticks_ = std::max(ticks_ + 1, wall_ticks_);
    return ticks_ << 8 | shard_;
  }

  // The timestamp after the last one, even if the wall clock is ahead.
  Timestamp next_tick() { return ++ticks_ << 8 | shard_; }

  // The greatest timestamp that any shard can have issued at the time that this clock has reached.
  Timestamp reached() const { return ticks_ << 8 | 0xFF; }

  // The greatest timestamp that belongs to the time that the wall clock shows.
  Timestamp wall() const { return wall_ticks_ << 8 | 0xFF; }

  // The wall time that corresponds to a timestamp.
  static double wall_ms(Timestamp at) { return static_cast<double>(at >> 8) / kTicksPerMs; }

  static Timestamp later(Timestamp than, double by_ms) { return ((than >> 8) + ticks_at(by_ms)) << 8 | 0xFF; }

  // The ceiling to be logged before a timestamp leaves; it is not below the timestamp, nor below those that follow soon.
  Timestamp ceiling_over(Timestamp at) const {
    return std::max(later(at, kCeilingAheadMs), (wall_ticks_ + ticks_at(kCeilingAheadOfWallMs)) << 8 | 0xFF);
  }

  // Can any shard have issued it, whatever its wall clock shows?
  static bool possible(Timestamp at) { return at >> 8 < kTicksMax; }

  bool passed_by_wall(Timestamp at) const { return at >> 8 <= wall_ticks_; }
  // How far the wall clock is from passing it; more than 0. REQUIRES: !passed_by_wall(at).
  double ms_to_pass(Timestamp at) const { return static_cast<double>((at >> 8) - wall_ticks_) / kTicksPerMs; }

  // The timestamp that many ticks later, of the same shard; and back.
  static Timestamp after(Timestamp at, std::uint64_t ticks) { return at + (ticks << 8); }
  static std::uint64_t ticks_between(Timestamp from, Timestamp to) { return (to >> 8) - (from >> 8); }

  // All later timestamps will be greater than those of the wall clock so far.
  void catch_up() { ticks_ = std::max(ticks_, wall_ticks_); }

  // All later timestamps of this shard will be greater than `seen`.
  void raise(Timestamp seen) { ticks_ = std::max(ticks_, seen >> 8); }

 private:
  static constexpr double kTicksPerMs = 4000;
  static constexpr std::uint64_t kTicksMax = std::uint64_t{1} << 55;  // 55 years beyond kWallMsMax
  static constexpr std::uint64_t ticks_at(double ms) { return static_cast<std::uint64_t>(ms * kTicksPerMs); }
  std::uint64_t ticks_ = 0;
  std::uint64_t wall_ticks_ = 0;
  std::uint32_t shard_;
};

}  // namespace claret
