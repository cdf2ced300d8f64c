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
  Value kept = past_.keeps() ? visit.type->before(*visit.record->state, visit.call, visit.result) : Value();
  commit(*visit.record, visit.call, visit.result);
  book(visit, at, position, std::move(kept));
}

void Effects::book(Visit& visit, Timestamp at, std::uint64_t position, Value kept) {
  book(visit, at, position, is_first_change(visit), std::move(kept));
}

void Effects::book(Visit& visit, Timestamp at, std::uint64_t position, bool is_first, Value kept) {
  if (past_.keeps()) keep(visit, at, kept);
  note(*visit.record, at, position, is_first);
}

void Effects::keep(const Visit& visit, Timestamp at, const Value& kept) {
  const double voted_ms = static_cast<const Attempt&>(*visit.party).voted_ms;
  past_.keep(*visit.record, at, mutated(Mutation::kSnapshotForgetsVotes) ? Past::kAtCommit : voted_ms, visit.call, visit.result, kept);
}

void Effects::note(Record& record, Timestamp at, std::uint64_t position, bool is_first) {
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
  if (past_.keeps()) {
    past_.keep(record, at, Past::kAtCommit, call, result, record.type->before(*record.state, call, result));
  }
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
  if (!mutated(Mutation::kNoUndo)) undo(*visit.record, visit.call, visit.result, kept);
}

void Effects::undo(Record& record, const Call& call, const Value& result, const Value& kept) {
  checkpoint_.walk.undoing(record, call, kept);
  copy_.walk.undoing(record, call, kept);
  record.type->undo(*record.state, call, result, kept);
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

bool Effects::on_past(Record& record, Timestamp at, absl::FunctionRef<void()> see) {
  if (!past_.since(record, at, versions_)) return false;
  on_committed(record, [&] { roll_back(record, at, see); });
  return true;
}

void Effects::roll_back(Record& record, Timestamp at, absl::FunctionRef<void()> see) {
  for (const Past::Version& version : versions_) undo(record, version.call, version.result, version.kept);
  // An earlier one may have taken effect behind a later one, with which it commutes.
  std::vector<std::pair<const Past::Version*, Value>> overtaken;
  for (auto version = versions_.rbegin(); version != versions_.rend(); ++version) {
    if (version->at > at || mutated(Mutation::kPastForgetsOvertaken)) continue;
    overtaken.emplace_back(&*version, record.type->before(*record.state, version->call, version->result));
    commit(record, version->call, version->result);
  }
  see();
  for (auto one = overtaken.rbegin(); one != overtaken.rend(); ++one) undo(record, one->first->call, one->first->result, one->second);
  for (auto version = versions_.rbegin(); version != versions_.rend(); ++version) commit(record, version->call, version->result);
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
    if (visit.record != nullptr) apply(visit, timestamp_of(visit, attempt, at), position);
  }
}

}  // namespace claret
