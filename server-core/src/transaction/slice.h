// The share of one call in a longer copy of records and answers into pairs: it ends with the requested bytes, or with the allowed work.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

namespace claret {

struct Slice {
  // Limit of a call's work, beside its bytes: takes well below a millisecond.
  static constexpr std::size_t kWork = 2048;
  static constexpr std::size_t kPartBytes = 64 * 1024;
  static constexpr std::size_t kAnswersBytesPerPair = 16 * 1024;

  std::string& pairs;
  std::size_t bytes_max;
  std::size_t work_left = kWork;

  bool full() const { return pairs.size() >= bytes_max || work_left == 0; }
  // Size of a part of a state. Independent of what the slice already holds: otherwise a small state at its end would be put in parts.
  std::size_t part_bytes() const { return std::min(bytes_max, kPartBytes); }
  void worked(std::size_t much) { work_left -= std::min(work_left, much); }
};

}  // namespace claret
