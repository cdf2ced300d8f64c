#include "shard/telemetry.h"

#include <tuple>

namespace claret {

bool operator<(const ConflictPair& a, const ConflictPair& b) {
  const auto rank = [](const ConflictPair& pair) {
    return std::tuple(pair.holder_label, pair.comer_label, pair.type->id(), pair.holder_operation->id,
                      pair.comer_operation->id);
  };
  return rank(a) < rank(b);
}

std::uint32_t Telemetry::label_number(std::string_view label) {
  const auto found = label_numbers_.find(label);
  if (found != label_numbers_.end()) return found->second;
  if (labels_.size() > kLabelsMax) return 0;
  const auto number = static_cast<std::uint32_t>(labels_.size());
  labels_.emplace_back(label);
  label_numbers_.emplace(label, number);
  return number;
}

void Telemetry::conflict(const ConflictPair& pair) {
  const auto found = conflicts.find(pair);
  if (found != conflicts.end()) {
    ++found->second;
  } else if (conflicts.size() < kConflictPairsMax) {
    conflicts.emplace(pair, 1);
  } else {
    ++conflicts_dropped;
  }
}

}  // namespace claret
