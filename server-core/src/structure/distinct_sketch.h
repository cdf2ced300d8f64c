// DistinctSketch: how many different texts were added, from what their hashes look like at their rarest: HyperLogLog
// (Flajolet, Fusy, Gandouet, Meunier, "HyperLogLog: the analysis of a near-optimal cardinality estimation algorithm").
//
// The hash picks one of 16,384 registers and a rank (how many leading zeros the rest has, plus one); a register keeps the
// greatest rank it saw. The estimate is off by 0.8 % as a rule, whatever the count.
//
// Sparse, a sketch is a sorted list of the registers that are not 0, 4 bytes each; above kSparseMax of them it
// is dense, a byte for each register. Invariant: dense exactly when more than kSparseMax registers are not 0.
// Thread safety: none needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace claret {

class DistinctSketch {
 public:
  static constexpr std::size_t kIndexBits = 14;
  static constexpr std::size_t kRegisters = std::size_t{1} << kIndexBits;
  static constexpr std::uint8_t kRankMax = 64 - kIndexBits + 1;
  static constexpr std::size_t kSparseMax = 1024;

  struct Mark {
    std::uint16_t index;
    std::uint8_t rank;  // 1 to kRankMax
  };

  // The same for the same text, in every process and version: it is part of what a state's bytes mean.
  static Mark mark_of(std::string_view text);

  std::uint8_t rank(std::uint16_t index) const;
  // Raises the register to the mark's rank, where that is greater.
  void add(Mark mark);

  // How many registers are not 0.
  std::size_t used() const { return used_; }
  // The nearest integer to the estimate.
  std::int64_t estimate() const;

  // Calls visit(mark) for every register that is not 0, by index.
  template <typename Visit>
  void visit(Visit visit) const {
    if (!dense_.empty()) {
      for (std::size_t i = 0; i < kRegisters; ++i) {
        if (dense_[i] != 0) visit(Mark{static_cast<std::uint16_t>(i), dense_[i]});
      }
      return;
    }
    for (const Mark& mark : sparse_) visit(mark);
  }

 private:
  void make_dense();

  std::vector<Mark> sparse_;  // by index
  std::vector<std::uint8_t> dense_;  // by register; empty while sparse
  std::size_t used_ = 0;
};

}  // namespace claret
