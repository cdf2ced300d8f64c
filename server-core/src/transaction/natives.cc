#include "transaction/natives.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "ground/check.h"
#include "ground/mutation.h"
#include "wire/limits.h"
#include "wire/server_frame.h"

namespace claret {

namespace {

constexpr std::size_t kAnsweredTogetherMax = 64;

std::string operation_name(const DataType& type, const Call& call) {
  std::string name(type.name());
  name += '.';
  name += call.operation->name;
  return name;
}

Error disk_full(std::string_view key) {
  Error error = refuse(errors::kDiskFull, "the shard's disk is full: it changes nothing until there is room", true);
  error.cause = causes::kDiskFull;
  error.key = key;
  return error;
}

Error about(const Native& native, Error error) {
  error.key = native.record->key;
  error.operation = operation_name(*native.record->type, native.call);
  return error;
}

}  // namespace

Natives::Natives(const Shard& shard, const NativeSettings& settings, std::function<void(Coordinator&)> has_output)
    : shard_(shard), settings_(settings), has_output_(std::move(has_output)) {
  shard_.locks.set_native_server(*this);
}

void Natives::run(Coordinator& coordinator, NativesMessage& message) {
  CLARET_CHECK(run_.coordinator == nullptr);
  run_.coordinator = &coordinator;
  run_.done.reserve(message.operations.size());
  std::uint64_t number = message.first;
  for (OperationMessage& operation : message.operations) {
    if (number - message.first < limits::kOperationsPerRequestMax) {
      take(operation, number);
    } else {
      fail(number, refuse(errors::kTooManyOperations,
                          "a message has at most " + std::to_string(limits::kOperationsPerRequestMax) + " native operations"));
    }
    ++number;
  }
  finish();
}

void Natives::take(OperationMessage& message, std::uint64_t number) {
  ++shard_.counters.totals.operations;
  TakenOperation taken;
  if (auto error = take_operation(message, shard_.place, taken)) {
    fail(number, std::move(*error));
    return;
  }
  Record* record = shard_.records.find(message.key);
  const bool observes = taken.call.operation->operation_class == OperationClass::kObserve;
  if (is_refused_while_full(record, observes)) {
    fail(number, disk_full(message.key));
    return;
  }
  if (record == nullptr && observes) {
    observe_nothing(taken, number);
    return;
  }
  if (record == nullptr) record = &shard_.records.find_or_create(message.key, *taken.type);
  Native native{.record = record, .call = std::move(taken.call)};
  if (record->type != taken.type) {
    // An attempt may have bound a record without a commit to its type, and may still abort.
    Error error = refuse(errors::kWrongType, "the record is a " + std::string(record->type->name()), record->last_commit == 0);
    error.key = record->key;
    error.operation = operation_name(*taken.type, native.call);
    run_.needs = std::max(run_.needs, record->last_position);
    fail(number, std::move(error));
    return;
  }
  if (is_behind_own(*record) || attempt(native, number, true) == Tried::kWaits) enqueue(std::move(native), number);
}

// It would have to be logged, or would see what is not durable, while nothing can be made durable.
bool Natives::is_refused_while_full(const Record* record, bool observes) const {
  if (!shard_.clock.refuses_changes()) return false;
  return !observes || (record != nullptr && record->last_position > shard_.journal.durable());
}

bool Natives::is_behind_own(const Record& record) const {
  if (record.gate == nullptr) return false;
  const auto natives = record.gate->natives();
  return std::any_of(natives.begin(), natives.end(),
                     [&](const WaitingNative* one) { return static_cast<const Waiting*>(one)->coordinator == run_.coordinator; });
}

Natives::Tried Natives::attempt(Native& native, std::uint64_t number, bool heeds_guards) {
  Record& record = *native.record;
  if (is_refused_while_full(&record, native.observes())) {  // the disk may have filled up while the native waited
    fail(number, disk_full(record.key));
    return Tried::kEnded;
  }
  for (;;) {
    NativeJudgement judgement = judge(native, rule(heeds_guards), shard_.context);
    if (judgement.verdict == NativeJudgement::Verdict::kWaits) return Tried::kWaits;
    if (judgement.verdict == NativeJudgement::Verdict::kRefused) {
      const Refusal& refusal = judgement.outcome.refusal();
      run_.needs = std::max(run_.needs, record.last_position);
      fail(number, about(native, {.code = refusal.code, .message = refusal.message}));
      if (record.gate == nullptr) shard_.records.tidy(record);
      return Tried::kEnded;
    }
    for (Visit* holder : judgement.broken) break_party(native, *holder);
    if (judgement.verdict == NativeJudgement::Verdict::kBreaksAndRetries) continue;
    execute(native, number, std::move(judgement.outcome));
    return Tried::kEnded;
  }
}

void Natives::break_party(const Native& native, Visit& holder) {
  ++shard_.counters.totals.native_breaks;
  Error error{.code = errors::kNativeConflict,
              .message = "a native operation has changed what the transaction relied on",
              .retryable = true,
              .cause = causes::kNative};
  error.key = native.record->key;
  error.operation = operation_name(*native.record->type, holder.call);
  error.blocking_operation = operation_name(*native.record->type, native.call);
  error.blocking_label = "(native)";
  holder.party->end_with(error);
}

void Natives::execute(Native& native, std::uint64_t number, Outcome outcome) {
  Record& record = *native.record;
  const Timestamp at = next();
  ++shard_.counters.totals.natives;
  run_.needs = std::max(run_.needs, record.last_position);
  Done done{.number = number, .at = at, .has_result = native.call.operation->result != Kind::kVoid, .result = outcome.take_result()};
  if (!native.observes()) {
    shard_.effects.apply(record, native.call, done.result, at);
    done.changed = &record;
    done.call = std::move(native.call);
    if (record.gate != nullptr) shard_.locks.retry_waiters(record);
  }
  run_.done.push_back(std::move(done));
}

Timestamp Natives::next() {
  // The entry of the changes so far is on one side of a cut (cut.h).
  if (shard_.clock.watched()) log();
  return shard_.clock.next();
}

void Natives::observe_nothing(const TakenOperation& taken, std::uint64_t number) {
  const std::size_t id = taken.type->id();
  if (empty_states_.size() <= id) empty_states_.resize(id + 1);
  if (empty_states_[id] == nullptr) empty_states_[id] = taken.type->create();
  Outcome outcome = taken.type->execute(*empty_states_[id], taken.call, {}, shard_.context);
  if (outcome.refused()) {
    Error error{.code = outcome.refusal().code, .message = outcome.refusal().message};
    error.operation = operation_name(*taken.type, taken.call);
    fail(number, std::move(error));
    return;
  }
  ++shard_.counters.totals.natives;
  run_.done.push_back({.number = number, .at = next(), .has_result = true, .result = outcome.take_result()});
}

void Natives::fail(std::uint64_t number, Error error) { run_.failed.push_back({number, std::move(error)}); }

// ---- waiting --------------------------------------------------------------------------------------------------------------

void Natives::enqueue(Native native, std::uint64_t number) {
  Record& record = *native.record;
  const bool is_full =
      waiting_.size() >= limits::kNativesWaitingMax || run_.coordinator->natives_waiting >= limits::kNativesWaitingPerSessionMax;
  if (is_full) {
    fail(number, about(native, {.code = errors::kOverloaded,
                                .message = "too many native operations wait at the shard",
                                .retryable = true,
                                .cause = causes::kOverloaded}));
    return;
  }
  auto waiting = std::make_unique<Waiting>();
  waiting->record = &record;
  waiting->call = std::move(native.call);
  waiting->since_ms = shard_.clock.now_ms();
  waiting->coordinator = run_.coordinator;
  waiting->number = number;
  CLARET_CHECK(record.gate != nullptr);
  shard_.records.pin(record);
  record.gate->add_native(*waiting);
  ++run_.coordinator->natives_waiting;
  waiting_.push_back(std::move(waiting));
  waiting_.back()->position = std::prev(waiting_.end());
}

void Natives::withdraw(Waiting& waiting) {
  Record& record = *waiting.record;
  record.gate->remove_native(waiting);
  shard_.records.unpin(record);
  shard_.counters.wait(waits::kLock, shard_.clock.now_ms() - waiting.since_ms);
  --waiting.coordinator->natives_waiting;
  waiting_.erase(waiting.position);
  // Claims that the native kept out may be granted now.
  shard_.locks.retry_waiters(record);
}

void Natives::serve(Record& record) {
  const auto at_gate = record.gate->natives();
  const absl::InlinedVector<WaitingNative*, 8> natives(at_gate.begin(), at_gate.end());
  // Sessions whose first native still waits: those behind it wait too, whatever the holders.
  std::vector<const Coordinator*> behind;
  for (WaitingNative* native : natives) {
    Waiting& waiting = static_cast<Waiting&>(*native);
    if (std::find(behind.begin(), behind.end(), waiting.coordinator) != behind.end()) continue;
    run_.coordinator = waiting.coordinator;
    if (attempt(waiting, waiting.number, !waiting.past_guards) == Tried::kWaits) {
      behind.push_back(waiting.coordinator);
      run_.coordinator = nullptr;
      continue;
    }
    withdraw(waiting);
    finish();
  }
}

void Natives::lose(Coordinator& coordinator) {
  for (auto position = waiting_.begin(); position != waiting_.end();) {
    Waiting& waiting = **position++;
    if (waiting.coordinator == &coordinator) withdraw(waiting);
  }
}

void Natives::sweep() {
  const double now_ms = shard_.clock.now_ms();
  for (auto position = waiting_.begin(); position != waiting_.end();) {
    Waiting& waiting = **position++;
    const double waited_ms = now_ms - waiting.since_ms;
    if (waited_ms >= settings_.wait_ms) {
      run_.coordinator = waiting.coordinator;
      fail(waiting.number, about(waiting, {.code = errors::kExpired,
                                           .message = "the operation has waited too long for a transaction that has voted",
                                           .retryable = true,
                                           .cause = causes::kLockWait}));
      withdraw(waiting);
      finish();
    } else if (waited_ms >= settings_.guard_ms && !waiting.past_guards) {
      waiting.past_guards = true;
      shard_.locks.retry_waiters(*waiting.record);
    }
  }
}

double Natives::next_sweep_ms() const {
  double next_ms = std::numeric_limits<double>::infinity();
  for (const auto& waiting : waiting_) {
    next_ms = std::min(next_ms, waiting->since_ms + (waiting->past_guards ? settings_.wait_ms : settings_.guard_ms));
  }
  return next_ms;
}

// ---- the log, and answers ---------------------------------------------------------------------------------------------------

void Natives::log() {
  const std::span<const Done> done = std::span(run_.done).subspan(std::exchange(run_.logged, run_.done.size()));
  if (!shard_.journal.on()) return;
  const auto first = std::find_if(done.begin(), done.end(), [](const Done& one) { return one.changed != nullptr; });
  if (first == done.end()) return;
  OperationsToLog operations;
  Timestamp last = first->at;
  for (const Done& one : std::span(first, done.end())) {
    if (one.changed == nullptr) continue;
    const std::uint32_t code = std::uint32_t{one.changed->type->id()} << 8 | one.call.operation->id;
    operations.push_back({one.changed->key, code, &one.call, &one.result, false, HybridClock::ticks_between(first->at, one.at)});
    last = one.at;
  }
  const std::uint64_t position = shard_.journal.natives(first->at, last, operations);
  run_.needs = std::max(run_.needs, position);
  for (const Done& one : done) {
    if (one.changed != nullptr && !mutated(Mutation::kNativesNotPositioned)) shard_.effects.logged(*one.changed, position);
  }
}

void Natives::finish() {
  log();
  Coordinator& coordinator = *run_.coordinator;
  if (!run_.done.empty() && shard_.clock.needs_ceiling(run_.done.back().at)) {
    run_.needs = std::max(run_.needs, shard_.clock.ceiling_position());
  }
  answer_done();
  coordinator.depend_on(run_.needs, shard_.journal.durable());
  for (const Failed& one : run_.failed) server_frame::add_native_failed(coordinator.out, one.number, one.error);
  if (!run_.failed.empty()) has_output_(coordinator);
  run_.coordinator = nullptr;
  run_.done.clear();
  run_.failed.clear();
  run_.logged = 0;
  run_.needs = 0;
}

// Natives that follow each other in number and time are answered together, up to a number that keeps frames small.
void Natives::answer_done() {
  Coordinator& coordinator = *run_.coordinator;
  const std::vector<Done>& done = run_.done;
  absl::InlinedVector<const Value*, 16> results;
  for (std::size_t begin = 0; begin < done.size();) {
    std::size_t end = begin;
    results.clear();
    while (end < done.size() && end - begin < kAnsweredTogetherMax && done[end].number == done[begin].number + (end - begin) &&
           done[end].at == HybridClock::after(done[begin].at, end - begin)) {
      if (done[end].has_result) results.push_back(&done[end].result);
      ++end;
    }
    coordinator.depend_on(run_.needs, shard_.journal.durable());
    server_frame::add_natives_done(coordinator.out, done[begin].number, end - begin, done[begin].at, results);
    has_output_(coordinator);
    begin = end;
  }
}

}  // namespace claret
