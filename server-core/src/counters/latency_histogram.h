// Durations in buckets of a quarter of an octave. Bucket 0 has the durations below kFirstBoundMs, bucket n those from bound(n - 1) up to
// bound(n), and the last bucket is unbounded. Adding costs a few instructions. Not thread-safe.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace claret {

class LatencyHistogram {
 public:
  static constexpr double kFirstBoundMs = 1.0 / 16;
  static constexpr int kPerOctave = 4;
  static constexpr int kOctaves = 18;  // up to 16 s
  static constexpr std::size_t kBuckets = 1 + kPerOctave * kOctaves + 1;

  // Exclusive upper bound of every bucket but the last. Steps within an octave are equal: 1, 5/4, 6/4, 7/4.
  static constexpr double bound_ms(std::size_t bucket) {
    const auto octave = static_cast<double>(std::uint64_t{1} << bucket / kPerOctave);
    return kFirstBoundMs * octave * (1 + static_cast<double>(bucket % kPerOctave) / kPerOctave);
  }

  static std::size_t bucket_of(double ms) {
    if (!(ms >= kFirstBoundMs)) return 0;
    // The exponent and the two highest bits of the mantissa.
    const std::uint64_t steps = (std::bit_cast<std::uint64_t>(ms) >> 50) - (std::bit_cast<std::uint64_t>(kFirstBoundMs) >> 50);
    return steps + 1 < kBuckets ? static_cast<std::size_t>(steps) + 1 : kBuckets - 1;
  }

  void add(double ms) {
    ++counts_[bucket_of(ms)];
    total_ms_ += ms;
  }
  // REQUIRES: `before` is an earlier copy of this histogram.
  void subtract(const LatencyHistogram& before) {
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) counts_[bucket] -= before.counts_[bucket];
    total_ms_ -= before.total_ms_;
  }
  const std::array<std::uint64_t, kBuckets>& counts() const { return counts_; }
  // The sum of all durations.
  double total_ms() const { return total_ms_; }

 private:
  std::array<std::uint64_t, kBuckets> counts_{};
  double total_ms_ = 0;
};

}  // namespace claret
