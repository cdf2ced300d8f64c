// Escrow: allows many pending additions to one 64-bit integer without ever leaving its range (O'Neil, "The escrow transactional method").
//
// Two sums are kept beside the committed number: of all pending increases, and of all pending decreases. Whichever additions commit or
// abort, and in whatever order, the number ends between `committed + minus` and `committed + plus`. An addition that raises the number fits
// if the upper of these stays in range, one that lowers it if the lower does. An addition is out of range if even the opposite end leaves
// the range. In between it is undecided, and has to wait until some of the pending additions have ended.
//
// The sums have 128 bits: 2^64 additions of any size cannot overflow them. Not thread-safe.
#pragma once

#include <cstdint>
#include <limits>

#include "absl/numeric/int128.h"

namespace claret {

// The steps that one transaction has already promised for the number before its next addition. They commit together, in order, so they
// count as done.
struct OwnSteps {
  bool replaced = false;  // it overwrites the number: then no other transaction adds to it, and `sum` is the number itself
  absl::int128 sum = 0;  // its additions so far; after a replacement, the new value and the additions since
  absl::int128 plus = 0;  // its share of the two sums
  absl::int128 minus = 0;

  // A step that the escrow has taken.
  void add(std::int64_t n) {
    sum += n;
    (n > 0 ? plus : minus) += n;
  }
  // A step that the escrow knows nothing of, because nothing else may be at the number beside it.
  void add_alone(std::int64_t n) { sum += n; }
  void replace(std::int64_t value) {
    replaced = true;
    sum = value;
  }
};

class Escrow {
 public:
  enum class Verdict : std::uint8_t { kFits, kUndecided, kOutOfRange };

  // `least_allowed`: the lower end of the range; the upper end is that of 64 bits.
  Verdict judge(std::int64_t committed, std::int64_t n, const OwnSteps& own, std::int64_t least_allowed = kLeast) const {
    const absl::int128 number = (own.replaced ? 0 : absl::int128(committed)) + own.sum + n;
    const absl::int128 least = own.replaced ? number : number + (minus_ - own.minus);
    const absl::int128 greatest = own.replaced ? number : number + (plus_ - own.plus);
    if (least > kGreatest || greatest < least_allowed) return Verdict::kOutOfRange;
    const bool fits = n < 0 ? least >= least_allowed : greatest <= kGreatest;
    return fits ? Verdict::kFits : Verdict::kUndecided;
  }

  // The greatest possible value: all pending increases commit and no decrease does.
  absl::int128 best(std::int64_t committed) const { return plus_ + committed; }
  // The least possible value: all pending decreases commit and no increase does.
  absl::int128 worst(std::int64_t committed) const { return minus_ + committed; }

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
