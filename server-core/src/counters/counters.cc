#include "counters/counters.h"

namespace claret {

Totals Totals::since(const Totals& before) const {
  Totals made = *this;
#define COUNT(name, frames, meaning) made.name -= before.name;
#define TIME(name, frames, meaning) made.name -= before.name;
#define MOST(name, meaning)
#define MOST_TIME(name, meaning)
#include "counters/counters.def"
  made.latencies.subtract(before.latencies);
  made.before -= before.before;
  for (const auto& [code, count] : before.aborts) made.aborts[code] -= count;
  for (const auto& [reason, count] : before.breaks) made.breaks[reason] -= count;
  for (const auto& [reason, count] : before.stand_backs) made.stand_backs[reason] -= count;
  for (const auto& [cause, total] : before.waits) {
    made.waits[cause].count -= total.count;
    made.waits[cause].total_ms -= total.total_ms;
  }
  for (auto* counts : {&made.aborts, &made.breaks, &made.stand_backs}) {
    absl::erase_if(*counts, [](const auto& entry) { return entry.second == 0; });
  }
  absl::erase_if(made.waits, [](const auto& entry) { return entry.second.count == 0; });
  return made;
}

std::uint32_t Counters::label_number(std::string_view label) {
  const auto found = label_numbers_.find(label);
  if (found != label_numbers_.end()) return found->second;
  if (label_numbers_.size() == telemetry::kLabelsMax) return 0;
  const auto number = static_cast<std::uint32_t>(labels_.size());
  labels_.emplace_back(label);
  label_numbers_.emplace(label, number);
  return number;
}

}  // namespace claret
