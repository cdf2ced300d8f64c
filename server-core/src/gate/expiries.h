// The records that expire, in order of the time at which their shard is to delete them.
//
// Not thread-safe.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include "gate/gate.h"

namespace claret {

class Expiries {
 public:
  // Wall time. The record expires then, or is to be tried again then.
  void set(Record& record, std::uint64_t due_ms) {
    forget(record);
    due_.emplace(Place{due_ms, record.key}, &record);
    due_ms_.emplace(&record, due_ms);
  }
  void forget(const Record& record) {
    const auto found = due_ms_.find(&record);
    if (found == due_ms_.end()) return;
    due_.erase(Place{found->second, record.key});
    due_ms_.erase(found);
  }
  // The record whose time came first. Null if none is due.
  Record* due(double wall_ms) const {
    return due_.empty() || static_cast<double>(due_.begin()->first.first) > wall_ms ? nullptr : due_.begin()->second;
  }
  // Infinity if there is none.
  double next_wall_ms() const {
    return due_.empty() ? std::numeric_limits<double>::infinity() : static_cast<double>(due_.begin()->first.first);
  }
  std::size_t size() const { return due_.size(); }

 private:
  using Place = std::pair<std::uint64_t, std::string_view>;  // the order must not depend on addresses

  absl::btree_map<Place, Record*> due_;
  absl::flat_hash_map<const Record*, std::uint64_t> due_ms_;  // looked up, never iterated
};

}  // namespace claret
