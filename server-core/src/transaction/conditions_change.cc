#include "transaction/conditions_change.h"

#include <absl/container/flat_hash_set.h>

#include <utility>

namespace claret {

void ConditionsChange::change(const Conditions& conditions, double now_ms) {
  if ((conditions.locks == LockKind::kNone) != (in_force_.locks == LockKind::kNone)) {
    draining_to_ = conditions;
    drain();
    return;
  }
  draining_to_.reset();
  if (!for_types_) locks_.set_mode(ShardMode::kOpen);
  in_force_ = conditions;
  switch_rule(now_ms);
}

void ConditionsChange::switch_rule(double now_ms) {
  locks_.change(lock_settings(in_force_, phase_cap_ms_), gated());
  if (!in_force_.phasing) {
    std::vector<Attempt*> waiting;
    for (const auto& [serial, attempt] : attempts_) {
      if (wounds_.is_waiting(*attempt)) waiting.push_back(attempt);
    }
    for (Attempt* attempt : waiting) keeper_.deny(*attempt);
  }
  locks_.settle(now_ms);
  wounds_.break_all_cycles();  // other modes may have other conflicts
}

std::vector<Record*> ConditionsChange::gated() const {
  std::vector<Record*> gated;
  absl::flat_hash_set<const Record*> seen;  // looked up, never iterated
  const auto add = [&](const Party& party) {
    for (const Visit& visit : party.visits) {
      Record* record = visit.record;
      if (record == nullptr || record->gate == nullptr) continue;
      if (seen.insert(record).second) gated.push_back(record);
    }
  };
  for (const auto& [serial, attempt] : attempts_) add(*attempt);
  return gated;
}

void ConditionsChange::drain() {
  locks_.set_mode(ShardMode::kDraining);
  std::vector<Attempt*> running;
  for (const auto& [serial, attempt] : attempts_) {
    if (attempt->stage == Stage::kRunning) running.push_back(attempt);
  }
  for (Attempt* attempt : running) keeper_.abort(*attempt, condition_changed());
}

void ConditionsChange::finish_draining() {
  if (!draining_to_ || !attempts_.empty()) return;
  in_force_ = *draining_to_;
  draining_to_.reset();
  if (!for_types_) locks_.set_mode(ShardMode::kOpen);
  locks_.change(lock_settings(in_force_, phase_cap_ms_), {});
}

void ConditionsChange::drain_for_types() {
  if (!std::exchange(for_types_, true)) drain();
}

void ConditionsChange::end_drain_for_types() {
  if (std::exchange(for_types_, false) && !draining_to_) locks_.set_mode(ShardMode::kOpen);
}

}  // namespace claret
