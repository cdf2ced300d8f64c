// Counts which operation of which transactions was in the way of which other. Bounded: a pair that does not fit is counted as dropped. Rows are in
// the order in which the pairs were first seen. Not thread-safe.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "adt/adt.h"

namespace claret {

// The holder (or the older waiter) and the newcomer. Labels by number.
struct ConflictPair {
  std::uint32_t holder_label = 0;
  std::uint32_t comer_label = 0;
  const OperationSpec* holder_operation = nullptr;
  const OperationSpec* comer_operation = nullptr;
  const DataType* type = nullptr;
  bool broke = false;  // the newcomer, a native, has ended the holder
  bool again = false;  // the holder, a member of a chain, was taken out, and the newcomer was executed again
  // Neither: the newcomer waits, or was denied.

  std::string_view outcome() const { return broke ? "broke" : again ? "again" : "waited"; }

  friend bool operator==(const ConflictPair&, const ConflictPair&) = default;
  template <typename H>
  friend H AbslHashValue(H state, const ConflictPair& pair) {
    // The operations imply the type.
    return H::combine(std::move(state), pair.holder_label, pair.comer_label, pair.holder_operation, pair.comer_operation, pair.broke,
                      pair.again);
  }
};

class ConflictPairs {
 public:
  struct Row {
    ConflictPair pair;
    std::uint64_t count;
  };

  explicit ConflictPairs(std::size_t rows_max) : rows_max_(rows_max) {}

  void add(const ConflictPair& pair) {
    const auto found = index_.find(pair);
    if (found != index_.end()) {
      ++rows_[found->second].count;
    } else if (rows_.size() < rows_max_) {
      index_.emplace(pair, static_cast<std::uint32_t>(rows_.size()));
      rows_.push_back({pair, 1});
    } else {
      ++dropped_;
    }
  }

  const std::vector<Row>& rows() const { return rows_; }
  std::uint64_t dropped() const { return dropped_; }
  void clear() {
    rows_.clear();
    index_.clear();
    dropped_ = 0;
  }

 private:
  std::size_t rows_max_;
  std::vector<Row> rows_;
  absl::flat_hash_map<ConflictPair, std::uint32_t> index_;  // looked up, never iterated
  std::uint64_t dropped_ = 0;
};

}  // namespace claret
