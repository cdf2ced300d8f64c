#include <algorithm>

#include "gate/agree.h"
#include "gate/judge.h"

namespace claret {

Verdict judge_beside_votes(const Record& record, const DataType& type, const OperationSpec& operation, Timestamp at, const LockRule& rule) {
  if (record.gate == nullptr) return verdicts::kPass;
  const auto is_open = [&](const Visit* holder) {
    if (passes(Asker::kPastLook, standing_of(*holder)) || !changes(*holder) || holder->party->voted_at > at) return false;
    return holder->type != &type || agree(rule, type, operation, *holder->call.operation) != Relation::kAlways;
  };
  const auto holders = record.gate->holders();
  return std::any_of(holders.begin(), holders.end(), is_open) ? verdicts::wait(Why::kHolder) : verdicts::kPass;
}

Verdict judge_past_look(const Record& record, const DataType& type, const OperationSpec& operation, Timestamp at, const LockRule& rule) {
  if (const Verdict verdict = judge_beside_votes(record, type, operation, at, rule); !verdict.passes()) return verdict;
  const Run* run = record.run();
  if (run == nullptr || passes(Asker::kPastLook, Standing::kTip)) return verdicts::kPass;
  // Of a run, only members of a batch have voted. They are below all else that their session has executed.
  const Timestamp voted_at = run->entries.front().visit->party->voted_at;
  return voted_at != 0 && voted_at <= at ? verdicts::wait(Why::kRun) : verdicts::kPass;
}

}  // namespace claret
