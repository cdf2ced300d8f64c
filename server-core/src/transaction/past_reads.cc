#include "transaction/past_reads.h"

#include <algorithm>

#include "gate/agree.h"
#include "gate/judge.h"
#include "gate/record_operations.h"
#include "ground/mutation.h"
#include "transaction/chain.h"
#include "wire/limits.h"

namespace claret {

namespace {

// Clocks of machines differ a little.
constexpr double kAheadMsMax = 1000;

bool always_commutes(const Native& read, const Visit& holder, const LockRule& rule) {
  if (holder.type != read.type) return false;
  return agree(rule, *read.type, *read.call.operation, *holder.call.operation) == Relation::kAlways;
}

}  // namespace

bool PastReads::begin(const Record* record, const TakenOperation& taken, const OperationMessage& message, std::uint64_t number) {
  const Timestamp at = message.at;
  if (taken.call.operation->operation_class != OperationClass::kObserve || taken.call.operation->fresh) {
    Error error = refuse(errors::kNotReadOnly, "only an operation that observes can be asked of the past");
    error.operation = operation_name(*taken.type, taken.call);
    shard_.run.fail(number, std::move(error), true);
    return false;
  }
  ShardClock& clock = shard_.clock;
  const double ahead_ms_max = message.snapshot == 0 ? kAheadMsMax : limits::kSnapshotAheadMsMax;
  if (!HybridClock::possible(at) || at > HybridClock::later(std::max(clock.wall(), clock.reached()), ahead_ms_max)) {
    Error error = refuse(errors::kClockSkew, "the time is yet to come at this shard", true);
    error.cause = causes::kClockSkew;
    shard_.run.fail(number, std::move(error), true);
    return false;
  }
  if (!clock.tells(at)) {
    Error error = changes_refused(clock.trouble());
    error.key = message.key;
    shard_.run.fail(number, std::move(error), true);
    return false;
  }
  if (!mutated(Mutation::kPastLeavesClock)) clock.raise(at);
  clock.cover(at);
  if (is_of_record(*taken.type)) {
    Error error = refuse(errors::kHistoryGone, "whether a record was there, and when it would expire, is not kept");
    error.operation = operation_name(*taken.type, taken.call);
    shard_.run.fail(number, std::move(error), true);
    return false;
  }
  if (record == nullptr && shard_.records.deleted_at(slot_of(message.key)) > at) {
    const bool for_snapshot = message.snapshot != 0;
    Error error = refuse(for_snapshot ? errors::kSnapshotBehind : errors::kHistoryGone, "a record may have been deleted since that time",
                         for_snapshot);
    if (for_snapshot) {
      ++shard_.counters.totals.snapshots_behind;
      error.cause = causes::kSnapshotBehind;
      error.at = shard_.run.next();
    }
    error.key = message.key;
    error.operation = operation_name(*taken.type, taken.call);
    shard_.run.fail(number, std::move(error), true);
    return false;
  }
  return true;
}

void PastReads::take(Record& record, const TakenOperation& taken, const OperationMessage& message, std::uint64_t number) {
  PastRead one{
      {.record = &record, .type = taken.type, .call = taken.call}, message.at, shard_.run.coordinator, number, shard_.clock.now_ms()};
  if (message.snapshot != 0) one.begun_by_ms = begun_by_ms(message);
  if (!is_undecided(one)) {
    read(one);
    return;
  }
  if (waiting_.size() >= limits::kNativesWaitingMax) {
    Error error{.code = errors::kOverloaded, .message = "too many reads of the past wait at the shard", .retryable = true};
    error.cause = causes::kOverloaded;
    shard_.run.fail(number, about(one, std::move(error)), true);
    return;
  }
  shard_.records.pin(record);
  waiting_.push_back(std::move(one));
}

bool PastReads::is_undecided(const PastRead& read) const {
  return !judge_past_look(*read.record, *read.type, *read.call.operation, read.at, shard_.locks.rule()).passes();
}

// What came first of the transaction tells the most: what it sends later may be under way for longer.
double PastReads::begun_by_ms(const OperationMessage& message) const {
  const double by_ms = shard_.run.arrived_ms - static_cast<double>(message.snapshot - 1) / 1000;
  const double known_ms = message.at == 0 ? by_ms : shard_.run.coordinator->snapshots.begun_by_ms(message.at);
  return std::min(by_ms, known_ms);
}

void PastReads::note_snapshot(const OperationMessage& message, std::uint64_t number) {
  shard_.past.lease();
  const bool is_taken = message.at == 0 && !shard_.run.done.empty() && shard_.run.done.back().number == number;
  if (message.at != 0 || is_taken) {
    shard_.run.coordinator->snapshots.note(is_taken ? shard_.run.done.back().at : message.at, begun_by_ms(message));
  }
}

bool PastReads::is_behind_holder(const PastRead& read) const {
  const Record& record = *read.record;
  if (record.gate == nullptr || mutated(Mutation::kSnapshotForgetsVotes)) return false;
  const LockRule& rule = shard_.locks.rule();
  for (const Visit* holder : record.gate->holders()) {
    const Attempt& attempt = static_cast<const Attempt&>(*holder->party);
    if (attempt.voted_ms > read.begun_by_ms || !changes(*holder)) continue;
    if (!always_commutes(read, *holder, rule)) return true;
  }
  const claret::Run* run = record.run();
  if (run == nullptr) return false;
  const Attempt* batch = static_cast<const Member&>(*run->entries.front().visit->party).chain->batch;
  return batch != nullptr && batch->voted_ms <= read.begun_by_ms;
}

bool PastReads::is_behind(const PastRead& read, const Past::Version& version) const {
  if (version.at <= read.at || version.voted_ms > read.begun_by_ms || mutated(Mutation::kSnapshotIgnoresAge)) return false;
  if (version.type != read.type) return true;
  return agree(*read.type, read.call.operation->mode, version.call.operation->mode) != Relation::kAlways;
}

void PastReads::fail_behind(const PastRead& read) {
  ++shard_.counters.totals.snapshots_behind;
  Error error{.code = errors::kSnapshotBehind, .message = "a later change may have been acknowledged before the transaction began"};
  error.retryable = true;
  error.cause = causes::kSnapshotBehind;
  // Nobody else has this time (known_snapshots.h).
  error.at = shard_.run.next();
  shard_.run.fail(read.number, about(read, std::move(error)), true);
}

void PastReads::read(PastRead& read) {
  Record& record = *read.record;
  if (shard_.run.is_refused_while_full(&record, true)) {
    shard_.run.fail(read.number, about(read, claret::changes_refused(shard_.clock.trouble())), true);
    return;
  }
  Outcome outcome;
  const auto see = [&] {
    if (record.type == read.type) {
      outcome = record.type->execute(*record.state, read.call, {}, shard_.context);
    } else if (is_vacant(record)) {
      outcome = read.type->execute(*read.type->create(), read.call, {}, shard_.context);
    } else {
      outcome = Refusal{errors::kWrongType, "the record was a " + std::string(record.type->name())};
    }
  };
  Totals& totals = shard_.counters.totals;
  const bool is_of_snapshot = read.is_of_snapshot();
  if (is_of_snapshot) count_age(read);
  if (is_of_snapshot && is_behind_holder(read)) return fail_behind(read);
  if (!shard_.effects.on_past(record, read.at, see)) {
    if (is_of_snapshot) return fail_behind(read);
    ++totals.history_gone;
    shard_.run.fail(read.number, about(read, {.code = errors::kHistoryGone, .message = "what has changed since that time is not kept"}),
                    true);
    return;
  }
  const Past::Versions& rolled_back = shard_.effects.rolled_back();
  if (!rolled_back.empty()) {
    ++totals.rollbacks;
    totals.rollback_steps += rolled_back.size();
    totals.rollback_steps_most = std::max<std::uint64_t>(totals.rollback_steps_most, rolled_back.size());
  }
  if (is_of_snapshot && std::any_of(rolled_back.begin(), rolled_back.end(), [&](const auto& one) { return is_behind(read, one); })) {
    return fail_behind(read);
  }
  shard_.run.depend_on(record.last_position);
  shard_.run.tell(read.at);
  if (outcome.refused()) {
    shard_.run.fail(read.number, about(read, {.code = outcome.refusal().code, .message = outcome.refusal().message}), true);
    return;
  }
  ++totals.natives;
  shard_.run.done.push_back({.number = read.number, .at = read.at, .has_result = true, .result = outcome.take_result()});
}

void PastReads::count_age(const PastRead& read) {
  Totals& totals = shard_.counters.totals;
  ++totals.snapshot_reads;
  const Timestamp now = std::max(shard_.clock.wall(), shard_.clock.reached());
  const double age_ms = now > read.at ? HybridClock::wall_ms(now) - HybridClock::wall_ms(read.at) : 0;
  totals.snapshot_age_ms += age_ms;
  totals.snapshot_age_ms_most = std::max(totals.snapshot_age_ms_most, age_ms);
}

void PastReads::answer(PastRead& read, const std::function<void(PastRead&)>& end) {
  shard_.run.coordinator = read.coordinator;
  end(read);
  shard_.run.waited_ms = shard_.clock.now_ms() - read.since_ms;
  shard_.records.unpin(*read.record);
  shard_.locks.retry_waiters(*read.record);
  shard_.run.finish();
}

void PastReads::turn() {
  const double now_ms = shard_.clock.now_ms();
  std::erase_if(waiting_, [&](PastRead& read) {
    if (!is_undecided(read)) {
      answer(read, [&](PastRead& one) { this->read(one); });
      return true;
    }
    if (now_ms - read.since_ms < patience_of(shard_.locks).wait_ms) return false;
    answer(read, [&](PastRead& one) {
      Error error{.code = errors::kExpired, .message = "the read has waited too long for a transaction that may have changed the record"};
      error.retryable = true;
      error.cause = causes::kLockWait;
      shard_.run.fail(one.number, about(one, std::move(error)), true);
    });
    return true;
  });
}

void PastReads::lose(Coordinator& coordinator) {
  std::erase_if(waiting_, [&](const PastRead& read) {
    if (read.coordinator != &coordinator) return false;
    shard_.records.unpin(*read.record);
    shard_.locks.retry_waiters(*read.record);
    return true;
  });
}

bool PastReads::change(const Change& change) {
  if (change.kind != ChangeKind::kSlots || change.step != ChangeStep::kMade) return true;
  std::erase_if(waiting_, [&](PastRead& read) {
    if (!change.slots.contains(read.record->slot)) return false;
    answer(read,
           [&](PastRead& one) { shard_.run.fail(one.number, about(one, wrong_shard("the record has moved to another shard")), true); });
    return true;
  });
  return true;
}

}  // namespace claret
