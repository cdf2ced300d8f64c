#include "transaction/effects.h"

#include <algorithm>

#include "ground/check.h"
#include "ground/mutation.h"

namespace claret {

namespace {

// True for the first change of its party on its record.
bool is_first_change(const Visit& visit) {
  const Visit* before = visit.previous;
  while (before != nullptr && !changes(*before)) before = before->previous;
  return before == nullptr;
}

}  // namespace

void Effects::apply(Visit& visit, Timestamp at, std::uint64_t position) {
  CLARET_CHECK(at != 0);
  if (!changes(visit)) return;
  commit(*visit.record, visit.call, visit.result);
  book(visit, at, position);
}

void Effects::book(Visit& visit, Timestamp at, std::uint64_t position) { book(*visit.record, at, position, is_first_change(visit)); }

void Effects::book(Record& record, Timestamp at, std::uint64_t position, bool is_first) {
  notice(record);
  // A change that was overtaken must be reported too: a watcher may have seen the later change, and resume from its timestamp.
  if (at > record.last_commit) {
    record.last_commit = at;
  } else if (is_first) {
    ++record.last_commit;
  }
  if (position != 0) logged(record, position);
}

void Effects::apply(Record& record, const Call& call, const Value& result, Timestamp at) {
  commit(record, call, result);
  notice(record);
  record.last_commit = std::max(record.last_commit + 1, at);
}

Value Effects::effect(Visit& visit) {
  Value kept = visit.type->before(*visit.record->state, visit.call, visit.result);
  commit(*visit.record, visit.call, visit.result);
  return kept;
}

void Effects::undo(Visit& visit, const Value& kept) {
  if (mutated(Mutation::kNoUndo)) return;
  checkpoint_.walk.undoing(*visit.record, visit.call, kept);
  copy_.walk.undoing(*visit.record, visit.call, kept);
  visit.type->undo(*visit.record->state, visit.call, visit.result, kept);
}

void Effects::on_committed(Record& record, absl::FunctionRef<void()> see) {
  Run* run = record.run();
  if (run == nullptr) return see();
  for (auto entry = run->entries.rbegin(); entry != run->entries.rend(); ++entry) {
    if (changes(*entry->visit)) undo(*entry->visit, entry->kept);
  }
  see();
  for (Run::Entry& entry : run->entries) {
    if (changes(*entry.visit)) commit(record, entry.visit->call, entry.visit->result);
  }
}

void Effects::commit(Record& record, const Call& call, const Value& result) {
  if (!mutated(Mutation::kCheckpointMixesParts)) checkpoint_.walk.changing(record, call);
  copy_.walk.changing(record, call);
  record.type->commit(*record.state, call, result);
  if (mutated(Mutation::kCommitTwice)) record.type->commit(*record.state, call, result);
}

void Effects::notice(Record& record) {
  // A record may be watched before its first commit creates it.
  if (record.watched || record.last_commit == 0) changed_.push_back(&record);
  if (record.last_commit != 0) return;
  records_.link(record);
  copy_.made(record);
}

void Effects::logged(Record& record, std::uint64_t position) {
  record.last_position = std::max(record.last_position, position);
  checkpoint_.changed(record, position);
  if (!mutated(Mutation::kChangedNotCopied)) copy_.changed(record);
}

void Effects::apply(Attempt& attempt, Timestamp at, std::uint64_t position) {
  for (Visit& visit : attempt.visits) {
    if (visit.record != nullptr && visit.admitted) withdraw(visit);
  }
  for (Visit& visit : attempt.visits) {
    if (visit.record != nullptr) apply(visit, at, position);
  }
}

}  // namespace claret
