// DistinctSketch: estimates the number of distinct texts added from the rarest patterns in their hashes: HyperLogLog (Flajolet, Fusy,
// Gandouet, Meunier, "HyperLogLog: the analysis of a near-optimal cardinality estimation algorithm").
//
// The hash selects one of 16,384 registers and gives a rank (the number of leading zeros in the remaining bits, plus one). A register keeps
// the maximum rank it has seen. The standard error of the estimate is 0.8 % at any count.
//
// A sparse sketch is a sorted list of the nonzero registers, 4 bytes each. Above kSparseMax of them the sketch is dense, with a byte for
// each register. Invariant: dense exactly when more than kSparseMax registers are nonzero. Not thread-safe.
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

  // The same for the same text in every process and version, because stored states depend on it.
  static Mark mark_of(std::string_view text);

  std::uint8_t rank(std::uint16_t index) const;
  // Raises the register to the mark's rank if that is greater.
  void add(Mark mark);
  // Undoes an add: the register falls back to this rank, which may be 0. REQUIRES: the register is not 0, and not below the rank.
  void lower(std::uint16_t index, std::uint8_t rank);

  // The number of nonzero registers.
  std::size_t used() const { return used_; }
  // The estimate, rounded to the nearest integer.
  std::int64_t estimate() const;

  // Calls visit(mark) for every nonzero register, by index.
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
  // The place in sparse_ of the register, or of the next one that is not 0.
  std::size_t place(std::uint16_t index) const;
  void make_dense();
  void make_sparse();

  std::vector<Mark> sparse_;  // by index
  std::vector<std::uint8_t> dense_;  // by register; empty while sparse
  std::size_t used_ = 0;
};

}  // namespace claret
