#include "transaction/effects.h"

#include <algorithm>

#include "gate/judge.h"
#include "gate/record_operations.h"
#include "ground/check.h"
#include "ground/mutation.h"
#include "transaction/rollback.h"

namespace claret {

namespace {

// True for the first change of its party on its record.
bool is_first_change(const Visit& visit) {
  const Visit* before = visit.previous;
  while (before != nullptr && !changes(*before)) before = before->previous;
  return before == nullptr;
}

// The more have become vacant, the more are dropped in a turn, so that they never pile up.
constexpr std::size_t kTurnsToDrop = 64;

// An operation of the record that has found nothing to do. By now an earlier operation of its own attempt may have made what it deletes.
bool does_nothing(const Visit& visit) {
  if (!is_of_record(*visit.type) || visit.result != Value(false)) return false;
  return visit.call.operation->id != record_operation::kDelete || (is_vacant(*visit.record) && visit.record->expires_at_ms == 0);
}

// What undoing a deletion needs.
Value whole(const Record& record) {
  std::string bytes;
  record.type->encode(*record.state, bytes);
  return Value::List{Value(static_cast<std::int64_t>(record.type->id())), Value(std::move(bytes))};
}

Value before(const Record& record, const DataType& type, const Call& call, const Value& result) {
  if (!is_of_record(type)) return type.before(*record.state, call, result);
  return call.operation->id == record_operation::kDelete ? whole(record) : Value();
}

// They are kept in the state, which is about to go. The holders have been ended, and have yet to leave.
void give_back_reservations(Record& record) {
  if (record.gate == nullptr) return;
  for (Visit* holder : record.gate->holders()) {
    if (holder->admitted) withdraw(*holder);
  }
}

}  // namespace

void Effects::apply(Visit& visit, Timestamp at, std::uint64_t position) {
  CLARET_CHECK(at != 0);
  if (!changes(visit) || does_nothing(visit)) return;
  Value kept = past_.keeps() ? before(*visit.record, *visit.type, visit.call, visit.result) : Value();
  commit(*visit.record, *visit.type, visit.call, visit.result);
  book(visit, at, position, std::move(kept));
}

void Effects::book(Visit& visit, Timestamp at, std::uint64_t position, Value kept) {
  book(visit, at, position, is_first_change(visit), std::move(kept));
}

void Effects::book(Visit& visit, Timestamp at, std::uint64_t position, bool is_first, Value kept) {
  if (past_.keeps()) keep(visit, at, kept);
  note(*visit.record, at, position, is_first);
  settle(*visit.record, *visit.type, visit.call);
}

void Effects::keep(const Visit& visit, Timestamp at, const Value& kept) {
  const double voted_ms = static_cast<const Attempt&>(*visit.party).voted_ms;
  const double decided_ms = mutated(Mutation::kSnapshotForgetsVotes) ? Past::kAtCommit : voted_ms;
  const Timestamp before = records_.changed_at(visit.record, visit.record->slot);
  past_.keep(*visit.record, at, before, decided_ms, *visit.type, visit.call, visit.result, kept);
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

void Effects::apply(Record& record, const DataType& type, const Call& call, const Value& result, Timestamp at, bool is_first) {
  if (past_.keeps()) {
    const Timestamp changed_at = records_.changed_at(&record, record.slot);
    past_.keep(record, at, changed_at, Past::kAtCommit, type, call, result, before(record, type, call, result));
  }
  commit(record, type, call, result);
  notice(record);
  record.last_commit = std::max(record.last_commit + (is_first ? 1 : 0), at);
  settle(record, type, call);
}

void Effects::settle(Record& record, const DataType& type, const Call& call) {
  if (!is_of_record(type)) {
    record.made = true;
  } else if (call.operation->id == record_operation::kDelete) {
    record.made = false;
  }
  note_presence(record);
  // What becomes empty is no longer there. If it comes to be again, it has no expiry, so it is to be deleted now.
  if (record.expires_at_ms != 0 && (record.run() != nullptr || is_vacant(record))) records_.expiries().set(record, 0);
}

void Effects::note_presence(Record& record) {
  if (record.run() != nullptr) return;
  const bool is_there = !is_vacant(record);
  records_.count(record, is_there);
  if (logged_ || is_there || record.vacated || record.last_commit == 0) return;
  record.vacated = true;
  vacated_.push_back(record.key);
}

Value Effects::effect(Visit& visit) {
  Value kept = before(*visit.record, *visit.type, visit.call, visit.result);
  commit(*visit.record, *visit.type, visit.call, visit.result);
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
    if (changes(*entry.visit)) commit(record, *entry.visit->type, entry.visit->call, entry.visit->result);
  }
}

bool Effects::on_past(Record& record, Timestamp at, absl::FunctionRef<void()> see) {
  if (record.last_commit == 0 && records_.deleted_at(record.slot) > at) return false;  // nothing is known of what was there
  if (!past_.since(record, at, versions_)) return false;
  on_committed(record, [&] { roll_back(record, at, see); });
  return true;
}

const Past::Version* Effects::find_before_each(Record& record, const Past::Versions& newest_first,
                                               absl::FunctionRef<bool(const Past::Version&)> is_right) {
  const Past::Version* found = nullptr;
  on_committed(record, [&] {
    auto next = newest_first.begin();
    // What another type has left, or a deletion, is not undone: such a change is before the transaction's snapshot.
    for (; next != newest_first.end() && found == nullptr && next->type == record.type; ++next) {
      undo(record, next->call, next->result, next->kept);
      if (is_right(*next)) found = &*next;
    }
    while (next != newest_first.begin()) {
      --next;
      commit(record, *next->type, next->call, next->result);
    }
  });
  return found;
}

void Effects::roll_back(Record& record, Timestamp at, absl::FunctionRef<void()> see) {
  Rollback rollback(record, records_.types(), versions_,
                    [this, &record](const Past::Version& one) { undo(record, one.call, one.result, one.kept); });
  // An earlier one may have taken effect behind a later one, with which it commutes.
  std::vector<std::pair<const Past::Version*, Value>> overtaken;
  for (auto version = versions_.rbegin(); version != versions_.rend(); ++version) {
    if (version->at > at || !rollback.undone(*version) || mutated(Mutation::kPastForgetsOvertaken)) continue;
    overtaken.emplace_back(&*version, record.type->before(*record.state, version->call, version->result));
    if (rollback.is_apart()) {
      record.type->commit(*record.state, version->call, version->result);
    } else {
      commit(record, *version->type, version->call, version->result);
    }
  }
  see();
  if (!rollback.is_apart()) {
    for (auto one = overtaken.rbegin(); one != overtaken.rend(); ++one) undo(record, one->first->call, one->first->result, one->second);
  }
  for (const Past::Version* version : rollback.end()) commit(record, *version->type, version->call, version->result);
}

void Effects::commit(Record& record, const DataType& type, const Call& call, const Value& result) {
  if (is_of_record(type)) return commit_of_record(record, call, result);
  if (!mutated(Mutation::kCheckpointMixesParts)) checkpoint_.walk.changing(record, call);
  copy_.walk.changing(record, call);
  record.type->commit(*record.state, call, result);
  if (mutated(Mutation::kCommitTwice)) record.type->commit(*record.state, call, result);
}

void Effects::commit_of_record(Record& record, const Call& call, const Value& result) {
  // A deletion that finds nothing may still end an expiry.
  if (result != Value(true) && call.operation->id != record_operation::kDelete) return;
  switch (call.operation->id) {
    case record_operation::kDelete:
      give_back_reservations(record);
      replacing(record);
      record.state = record.type->create();
      records_.expire(record, 0);
      break;
    case record_operation::kExpire:
      // A time that has passed is one: 0 says that there is none.
      records_.expire(record, std::max<std::uint64_t>(1, static_cast<std::uint64_t>(call.arguments[0].integer())));
      break;
    case record_operation::kPersist:
      records_.expire(record, 0);
      break;
  }
}

void Effects::replacing(Record& record) {
  checkpoint_.replacing(record);
  copy_.replacing(record);
}

bool Effects::become(Record& record, const DataType& type) {
  if (record.run() != nullptr || !is_vacant(record) || record.pins != record.pins_without_type) return false;
  replacing(record);
  records_.become(record, type);
  return true;
}

void Effects::clear(Record& record) {
  replacing(record);
  records_.expire(record, 0);
  record.state = record.type->create();
  record.made = false;
  record.past = 0;
  records_.count(record, false);
}

bool Effects::drop_vacant(Record& record) {
  if (record.run() != nullptr || !is_vacant(record) || record.expires_at_ms != 0 || record.dirty) return false;
  if (!changed_.empty()) return false;  // it may be among them
  if (record.pins != 0 || record.queued || record.hot != 0 || copy_.under_way || (past_.keeps() && past_.holds(record))) return false;
  if (record.gate != nullptr && !record.gate->idle()) return false;
  record.gate.reset();
  if (record.last_commit == 0) {
    records_.tidy(record);
  } else {
    records_.forget(record);
  }
  return true;
}

void Effects::drop_vacant(std::size_t most) {
  most = std::max(most, vacated_.size() / kTurnsToDrop);
  for (std::size_t left = std::min(most, vacated_.size()); left > 0; --left) {
    std::string key = std::move(vacated_.front());
    vacated_.pop_front();
    Record* record = records_.find(key);
    if (record == nullptr) continue;
    if (record->last_commit == 0 || record->run() != nullptr || !is_vacant(*record)) {
      record->vacated = false;
    } else if (!drop_vacant(*record)) {
      vacated_.push_back(std::move(key));  // later
    }
  }
}

void Effects::notice(Record& record) {
  records_.note_change();
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
