// What a shard counts. Bounded: labels and conflict pairs beyond the limits are counted together.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "adt/adt.h"
#include "structure/text_hash.h"

namespace claret {

inline constexpr std::size_t kLabelsMax = 1024;
inline constexpr std::size_t kConflictPairsMax = 4096;

// One row of the conflict table: who held (or waited in front), who came.
struct ConflictPair {
  std::uint32_t holder_label;
  std::uint32_t comer_label;
  const OperationSpec* holder_operation;
  const OperationSpec* comer_operation;
  const DataType* type;

  // By number and name, never by address: the order is the same in every process.
  friend bool operator<(const ConflictPair& a, const ConflictPair& b);
};

struct WaitTotal {
  std::uint64_t count = 0;
  double total_ms = 0;
};

class Telemetry {
 public:
  // The label's number: 0 stands for all labels beyond kLabelsMax.
  std::uint32_t label_number(std::string_view label);
  const std::string& label(std::uint32_t number) const { return labels_[number]; }

  void conflict(const ConflictPair& pair);
  void abort(std::string_view code) { ++aborts[code]; }
  void wait(std::string_view cause, double ms) {
    WaitTotal& total = waits[cause];
    ++total.count;
    total.total_ms += ms;
  }

  std::uint64_t operations = 0;
  std::uint64_t commits = 0;
  std::uint64_t frames_in = 0;
  std::uint64_t frames_out = 0;
  std::uint64_t conflicts_dropped = 0;
  absl::btree_map<std::string_view, std::uint64_t> aborts;  // keys are errors:: constants
  absl::btree_map<std::string_view, WaitTotal> waits;
  absl::btree_map<ConflictPair, std::uint64_t> conflicts;

 private:
  std::vector<std::string> labels_{"(other)"};
  absl::flat_hash_map<std::string, std::uint32_t, TextHash, std::equal_to<>> label_numbers_;
};

}  // namespace claret
