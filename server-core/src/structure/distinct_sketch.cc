#include "structure/distinct_sketch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace claret {

namespace {

constexpr std::uint64_t kFnvOffset = 0xcbf29ce484222325, kFnvPrime = 0x100000001b3;

// FNV-1a mixes the low bits well but not the high ones; the finalizer of SplitMix64 then mixes all bits.
std::uint64_t hash(std::string_view text) {
  std::uint64_t h = kFnvOffset;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * kFnvPrime;
  h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9;
  h = (h ^ h >> 27) * 0x94d049bb133111eb;
  return h ^ h >> 31;
}

// The two corrections of Ertl's estimator ("New cardinality estimation algorithms for HyperLogLog sketches", section 2.3), for registers
// that are still 0 and for registers at the maximum rank. Both series stop once the sum no longer changes.
double sigma(double x) {
  if (x == 1) return HUGE_VAL;
  double power = 1;
  double sum = x;
  for (double before = -1; sum != before; power *= 2) {
    x *= x;
    before = sum;
    sum += x * power;
  }
  return sum;
}

double tau(double x) {
  if (x == 0 || x == 1) return 0;
  double power = 1;
  double sum = 1 - x;
  for (double before = -1; sum != before;) {
    x = std::sqrt(x);
    before = sum;
    power /= 2;
    sum -= (1 - x) * (1 - x) * power;
  }
  return sum / 3;
}

}  // namespace

DistinctSketch::Mark DistinctSketch::mark_of(std::string_view text) {
  const std::uint64_t h = hash(text);
  const std::uint64_t rest = h << kIndexBits;
  const int zeros = std::min(std::countl_zero(rest), static_cast<int>(64 - kIndexBits));
  return {static_cast<std::uint16_t>(h >> (64 - kIndexBits)), static_cast<std::uint8_t>(zeros + 1)};
}

std::uint8_t DistinctSketch::rank(std::uint16_t index) const {
  if (!dense_.empty()) return dense_[index];
  const auto found =
      std::lower_bound(sparse_.begin(), sparse_.end(), index, [](const Mark& mark, std::uint16_t i) { return mark.index < i; });
  return found == sparse_.end() || found->index != index ? 0 : found->rank;
}

void DistinctSketch::add(Mark mark) {
  if (!dense_.empty()) {
    std::uint8_t& rank = dense_[mark.index];
    used_ += rank == 0;
    rank = std::max(rank, mark.rank);
    return;
  }
  const auto place = std::lower_bound(sparse_.begin(), sparse_.end(), mark.index,
                                      [](const Mark& other, std::uint16_t index) { return other.index < index; });
  if (place != sparse_.end() && place->index == mark.index) {
    place->rank = std::max(place->rank, mark.rank);
    return;
  }
  sparse_.insert(place, mark);
  if (++used_ > kSparseMax) make_dense();
}

void DistinctSketch::make_dense() {
  dense_.resize(kRegisters);
  for (const Mark& mark : sparse_) dense_[mark.index] = mark.rank;
  std::vector<Mark>().swap(sparse_);
}

std::int64_t DistinctSketch::estimate() const {
  std::array<std::uint32_t, kRankMax + 1> registers{};  // by rank
  visit([&](const Mark& mark) { ++registers[mark.rank]; });
  registers[0] = static_cast<std::uint32_t>(kRegisters - used_);

  constexpr double kCount = kRegisters;
  double z = kCount * tau(1 - registers[kRankMax] / kCount);
  for (std::size_t rank = kRankMax - 1; rank >= 1; --rank) z = (z + registers[rank]) / 2;
  z += kCount * sigma(registers[0] / kCount);
  return std::llround(kCount * kCount / (2 * std::numbers::ln2 * z));
}

}  // namespace claret
