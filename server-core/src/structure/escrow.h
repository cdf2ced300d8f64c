// Escrow: lets many pending additions to one 64-bit integer hold together without ever leaving its range.
//
// Beside the committed number stand two sums: all that pending additions may add, and all that they may take. The number
// will end somewhere between `committed + minus` and `committed + plus`, whoever commits or aborts, in whatever order.
// An addition fits when it is in range at both ends, is out of range when it is so even at the end that helps it, and is
// undecided in between: wait until some of the others have ended.
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
  bool replaced = false;   // it overwrites the number: then nobody else is adding to it, and `sum` is the number itself
  absl::int128 sum = 0;    // of its additions, since it replaced the number, if it did
  absl::int128 plus = 0;   // its share of the two sums
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

  Verdict judge(std::int64_t committed, std::int64_t n, const OwnSteps& own) const {
    const absl::int128 number = (own.replaced ? 0 : absl::int128(committed)) + own.sum + n;
    const absl::int128 least = own.replaced ? number : number + (minus_ - own.minus);
    const absl::int128 greatest = own.replaced ? number : number + (plus_ - own.plus);
    if (least > kMax || greatest < kMin) return Verdict::kOutOfRange;
    if (greatest > kMax || least < kMin) return Verdict::kUndecided;
    return Verdict::kFits;
  }

  void take(std::int64_t n) { (n > 0 ? plus_ : minus_) += n; }
  void give_back(std::int64_t n) { (n > 0 ? plus_ : minus_) -= n; }
  bool idle() const { return plus_ == 0 && minus_ == 0; }

 private:
  static constexpr absl::int128 kMax = std::numeric_limits<std::int64_t>::max();
  static constexpr absl::int128 kMin = std::numeric_limits<std::int64_t>::min();

  absl::int128 plus_ = 0;
  absl::int128 minus_ = 0;
};

}  // namespace claret
