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
  const std::size_t found = place(index);
  return found == sparse_.size() || sparse_[found].index != index ? 0 : sparse_[found].rank;
}

void DistinctSketch::add(Mark mark) {
  if (!dense_.empty()) {
    std::uint8_t& rank = dense_[mark.index];
    used_ += rank == 0;
    rank = std::max(rank, mark.rank);
    return;
  }
  const auto found = sparse_.begin() + static_cast<std::ptrdiff_t>(place(mark.index));
  if (found != sparse_.end() && found->index == mark.index) {
    found->rank = std::max(found->rank, mark.rank);
    return;
  }
  sparse_.insert(found, mark);
  if (++used_ > kSparseMax) make_dense();
}

void DistinctSketch::lower(std::uint16_t index, std::uint8_t rank) {
  used_ -= rank == 0;
  if (!dense_.empty()) {
    dense_[index] = rank;
    if (used_ <= kSparseMax) make_sparse();
    return;
  }
  const auto found = sparse_.begin() + static_cast<std::ptrdiff_t>(place(index));
  if (rank == 0) {
    sparse_.erase(found);
  } else {
    found->rank = rank;
  }
}

std::size_t DistinctSketch::place(std::uint16_t index) const {
  const auto before = [](const Mark& mark, std::uint16_t i) { return mark.index < i; };
  return static_cast<std::size_t>(std::lower_bound(sparse_.begin(), sparse_.end(), index, before) - sparse_.begin());
}

void DistinctSketch::make_dense() {
  dense_.resize(kRegisters);
  for (const Mark& mark : sparse_) dense_[mark.index] = mark.rank;
  std::vector<Mark>().swap(sparse_);
}

void DistinctSketch::make_sparse() {
  sparse_.reserve(used_);
  visit([&](const Mark& mark) { sparse_.push_back(mark); });
  std::vector<std::uint8_t>().swap(dense_);
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
