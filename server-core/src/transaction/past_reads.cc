// Natives, continued: reads of the past. They are natives that only observe, with a time as of which they do.
//
// The shard's clock is raised to that time, so all that is yet to be voted on comes later. What has voted at that time or before may be
// committed then, so the read waits for its outcome. It waits at no gate: nobody waits for it.
#include <algorithm>

#include "ground/mutation.h"
#include "transaction/chain.h"
#include "transaction/natives.h"
#include "wire/limits.h"

namespace claret {

namespace {

// Clocks of machines differ a little.
constexpr double kAheadMsMax = 1000;

}  // namespace

void Natives::take_past(Record* record, const TakenOperation& taken, Timestamp at, std::uint64_t number) {
  if (taken.call.operation->operation_class != OperationClass::kObserve || taken.call.operation->fresh) {
    Error error = refuse(errors::kNotReadOnly, "only an operation that observes can be asked of the past");
    error.operation = operation_name(*taken.type, taken.call);
    fail(number, std::move(error), true);
    return;
  }
  ShardClock& clock = shard_.clock;
  if (!HybridClock::possible(at) || at > HybridClock::later(std::max(clock.wall(), clock.reached()), kAheadMsMax)) {
    Error error = refuse(errors::kClockSkew, "the time is yet to come at this shard", true);
    error.cause = causes::kClockSkew;
    fail(number, std::move(error), true);
    return;
  }
  if (!mutated(Mutation::kPastLeavesClock)) clock.raise(at);
  clock.cover(at);
  if (record == nullptr) {
    if (observe_nothing(taken, number)) run_.done.back().at = at;
    depend_on_ceiling(at);
    return;
  }
  PastRead read{{.record = record, .call = taken.call}, at, run_.coordinator, number, clock.now_ms()};
  if (undecided(read) == nullptr) {
    look_back(read);
    return;
  }
  if (past_reads_.size() >= limits::kNativesWaitingMax) {
    Error error{.code = errors::kOverloaded, .message = "too many reads of the past wait at the shard", .retryable = true};
    error.cause = causes::kOverloaded;
    fail(number, about(read, std::move(error)), true);
    return;
  }
  shard_.records.pin(*record);
  past_reads_.push_back(std::move(read));
}

const Visit* Natives::undecided(const PastRead& read) const {
  const Record& record = *read.record;
  if (record.gate == nullptr || mutated(Mutation::kPastIgnoresVotes)) return nullptr;
  const LockRule& rule = shard_.locks.rule();
  const Mode own = rule.mode_of(*read.call.operation);
  for (const Visit* holder : record.gate->holders()) {
    const Attempt& attempt = static_cast<const Attempt&>(*holder->party);
    if (attempt.stage == Stage::kRunning || !changes(*holder)) continue;
    if (attempt.stage == Stage::kVoted && attempt.voted_at > read.at) continue;
    if (rule.relation(*record.type, own, rule.mode_of(*holder->call.operation)) != Relation::kAlways) return holder;
  }
  const claret::Run* run = record.run();
  if (run == nullptr) return nullptr;
  // Only a batch has voted, and it is below all else that its session has executed.
  const Visit* lowest = run->entries.front().visit;
  const Attempt* batch = static_cast<const Member&>(*lowest->party).chain->batch;
  return batch != nullptr && batch->voted_at <= read.at ? lowest : nullptr;
}

// A restart must not commit anything at that time or before.
void Natives::depend_on_ceiling(Timestamp at) {
  if (shard_.clock.needs_ceiling(at)) run_.needs = std::max(run_.needs, shard_.clock.ceiling_position());
}

void Natives::look_back(PastRead& read) {
  Record& record = *read.record;
  if (is_refused_while_full(&record, true)) {
    fail(read.number, about(read, claret::changes_refused(shard_.clock.trouble())), true);
    return;
  }
  Outcome outcome;
  const auto see = [&] { outcome = record.type->execute(*record.state, read.call, {}, shard_.context); };
  if (!shard_.effects.on_past(record, read.at, see)) {
    fail(read.number, about(read, {.code = errors::kHistoryGone, .message = "what has changed since that time is not kept"}), true);
    return;
  }
  run_.needs = std::max(run_.needs, record.last_position);
  depend_on_ceiling(read.at);
  if (outcome.refused()) {
    fail(read.number, about(read, {.code = outcome.refusal().code, .message = outcome.refusal().message}), true);
    return;
  }
  ++shard_.counters.totals.natives;
  run_.done.push_back({.number = read.number, .at = read.at, .has_result = true, .result = outcome.take_result()});
}

void Natives::answer(PastRead& read, const std::function<void(PastRead&)>& end) {
  run_.coordinator = read.coordinator;
  end(read);
  run_.waited_ms = shard_.clock.now_ms() - read.since_ms;
  shard_.records.unpin(*read.record);
  shard_.locks.retry_waiters(*read.record);
  finish();
}

void Natives::look_back() {
  const double now_ms = shard_.clock.now_ms();
  std::erase_if(past_reads_, [&](PastRead& read) {
    if (undecided(read) == nullptr) {
      answer(read, [&](PastRead& one) { look_back(one); });
      return true;
    }
    if (now_ms - read.since_ms < settings_.wait_ms) return false;
    answer(read, [&](PastRead& one) {
      Error error{.code = errors::kExpired, .message = "the read has waited too long for a transaction that may have changed the record"};
      error.retryable = true;
      error.cause = causes::kLockWait;
      fail(one.number, about(one, std::move(error)), true);
    });
    return true;
  });
}

void Natives::lose_past_reads(const Coordinator& coordinator) {
  std::erase_if(past_reads_, [&](const PastRead& read) {
    if (read.coordinator != &coordinator) return false;
    shard_.records.unpin(*read.record);
    shard_.locks.retry_waiters(*read.record);
    return true;
  });
}

void Natives::leave_past_reads(const SlotRun& slots) {
  std::erase_if(past_reads_, [&](PastRead& read) {
    if (!slots.contains(read.record->slot)) return false;
    answer(read, [&](PastRead& one) { fail(one.number, about(one, wrong_shard("the record has moved to another shard")), true); });
    return true;
  });
}

}  // namespace claret
