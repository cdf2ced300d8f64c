// For tests: reproducible random numbers. A linear congruential generator, because storms only have to be varied.
#pragma once

#include <cstdint>

namespace claret::testing {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 2 + 1) {}
  // From 0 to bound - 1.
  std::uint64_t below(std::uint64_t bound) {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return (state_ >> 33) % bound;
  }

 private:
  std::uint64_t state_;
};

}  // namespace claret::testing
