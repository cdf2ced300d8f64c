#include "counters/counters.h"

namespace claret {

Totals Totals::since(const Totals& before) const {
  Totals made = *this;
  made.begun -= before.begun;
  made.retries -= before.retries;
  made.commits -= before.commits;
  made.home_commits -= before.home_commits;
  made.denials -= before.denials;
  made.operations -= before.operations;
  made.natives -= before.natives;
  made.native_breaks -= before.native_breaks;
  made.redis_commands -= before.redis_commands;
  made.members -= before.members;
  made.answered_again -= before.answered_again;
  made.chains_broken -= before.chains_broken;
  made.batches -= before.batches;
  made.batch_members -= before.batch_members;
  made.stood_back -= before.stood_back;
  made.turns -= before.turns;
  made.turns_timed_out -= before.turns_timed_out;
  made.turn_kept_ms -= before.turn_kept_ms;
  made.turn_wait_ms -= before.turn_wait_ms;
  made.warranties -= before.warranties;
  made.warranties_recalled -= before.warranties_recalled;
  made.grants -= before.grants;
  made.grants_returned -= before.grants_returned;
  made.grants_lapsed -= before.grants_lapsed;
  made.firm_promises -= before.firm_promises;
  made.expects -= before.expects;
  made.expects_changed -= before.expects_changed;
  made.warranted_answers -= before.warranted_answers;
  made.warranted_commits -= before.warranted_commits;
  made.epochs -= before.epochs;
  made.epochs_called_off -= before.epochs_called_off;
  made.epoch_members -= before.epoch_members;
  made.epoch_operations -= before.epoch_operations;
  made.epoch_contested -= before.epoch_contested;
  made.epoch_incomplete -= before.epoch_incomplete;
  made.rollbacks -= before.rollbacks;
  made.rollback_steps -= before.rollback_steps;
  made.history_gone -= before.history_gone;
  made.snapshot_reads -= before.snapshot_reads;
  made.snapshot_age_ms -= before.snapshot_age_ms;
  made.snapshots_behind -= before.snapshots_behind;
  made.frames_in -= before.frames_in;
  made.frames_out -= before.frames_out;
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
