// Escrow: lets many pending additions to one 64-bit integer hold together without ever leaving its range (O'Neil, "The
// escrow transactional method").
//
// Beside the committed number stand two sums: all that pending additions may add, and all that they may take. The number
// will end somewhere between `committed + minus` and `committed + plus`, whoever commits or aborts, in whatever order.
// An addition that raises it fits when it is in range at the upper of the two, one that lowers it at the lower; it is out
// of range when it is so even at the other one, and undecided in between: wait until some of the others have ended.
//
// The sums are 128-bit: 2^64 additions of any size cannot overflow them. Thread safety: none needed.
#pragma once

#include <cstdint>
#include <limits>

#include "absl/numeric/int128.h"

namespace claret {

// What one transaction has already promised to do to the number, before its next addition. All of it commits together,
// in order, so it counts as done.
struct OwnSteps {
  bool replaced = false;  // it overwrites the number: then nobody else is adding to it, and `sum` is the number itself
  absl::int128 sum = 0;  // of its additions, since it replaced the number, if it did
  absl::int128 plus = 0;  // its share of the two sums
  absl::int128 minus = 0;

  void add(std::int64_t n) {
    sum += n;
    (n > 0 ? plus : minus) += n;
  }
  void replace(std::int64_t value) {
    replaced = true;
    sum = value;
  }
};

class Escrow {
 public:
  enum class Verdict : std::uint8_t { kFits, kUndecided, kOutOfRange };

  // `least_allowed`: the lower end of the range; the upper one is that of 64 bits.
  Verdict judge(std::int64_t committed, std::int64_t n, const OwnSteps& own, std::int64_t least_allowed = kLeast) const {
    const absl::int128 number = (own.replaced ? 0 : absl::int128(committed)) + own.sum + n;
    const absl::int128 least = own.replaced ? number : number + (minus_ - own.minus);
    const absl::int128 greatest = own.replaced ? number : number + (plus_ - own.plus);
    if (least > kGreatest || greatest < least_allowed) return Verdict::kOutOfRange;
    const bool fits = n < 0 ? least >= least_allowed : greatest <= kGreatest;
    return fits ? Verdict::kFits : Verdict::kUndecided;
  }

  // The most that the number may become, if all that add commit and none that take.
  absl::int128 best(std::int64_t committed) const { return plus_ + committed; }

  void take(std::int64_t n) { (n > 0 ? plus_ : minus_) += n; }
  void give_back(std::int64_t n) { (n > 0 ? plus_ : minus_) -= n; }
  bool idle() const { return plus_ == 0 && minus_ == 0; }

 private:
  static constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();
  static constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

  absl::int128 plus_ = 0;
  absl::int128 minus_ = 0;
};

}  // namespace claret
