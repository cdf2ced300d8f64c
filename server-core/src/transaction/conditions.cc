// Participant, continued: the concurrency control in force, and how it is switched.
#include <absl/container/flat_hash_set.h>

#include "transaction/participant.h"

namespace claret {

void Participant::set_conditions(const Conditions& conditions) {
  const bool drains = (conditions.locks == LockKind::kNone) != (conditions_.locks == LockKind::kNone);
  if (!drains) {
    draining_to_.reset();
    locks_.set_mode(ShardMode::kOpen);
    conditions_ = conditions;
    std::vector<Record*> gated;
    absl::flat_hash_set<const Record*> seen;  // only asked, never walked
    const auto add_gated = [&](const Party& party) {
      for (const Visit& visit : party.visits) {
        Record* record = visit.record;
        if (record == nullptr || record->gate == nullptr) continue;
        if (seen.insert(record).second) gated.push_back(record);
      }
    };
    for (const auto& [serial, attempt] : attempts_) add_gated(*attempt);
    for (const Session* session : sessions_) {
      for (const auto& [number, holder] : session->shared) add_gated(*holder);
    }
    locks_.change(lock_settings(conditions_, options_.phase_cap_ms), gated);
    if (!conditions_.phasing) {
      std::vector<Attempt*> waiting;
      for (const auto& [serial, attempt] : attempts_) {
        if (wounds_.is_waiting(*attempt)) waiting.push_back(attempt);
      }
      for (Attempt* attempt : waiting) deny(*attempt);
    }
    settle();
    // Other modes, other conflicts.
    wounds_.break_all_cycles();
    settle();
    return;
  }
  draining_to_ = conditions;
  locks_.set_mode(ShardMode::kDraining);
  std::vector<Attempt*> running;
  for (const auto& [serial, attempt] : attempts_) {
    if (attempt->stage == Stage::kRunning) running.push_back(attempt);
  }
  for (Attempt* attempt : running) abort(*attempt, condition_changed());
  for (Session* session : sessions_) shared_.drop_all(*session);
  settle();
}

void Participant::finish_draining() {
  if (!attempts_.empty()) return;
  conditions_ = *draining_to_;
  draining_to_.reset();
  locks_.set_mode(ShardMode::kOpen);
  locks_.change(lock_settings(conditions_, options_.phase_cap_ms), {});
}

}  // namespace claret
