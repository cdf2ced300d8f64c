#include "transaction/natives.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "adt/registry.h"
#include "gate/record_operations.h"
#include "ground/check.h"
#include "ground/mutation.h"
#include "wire/limits.h"
#include "wire/server_frame.h"

namespace claret {

namespace {

Error changes_refused(LogTrouble why, std::string_view key) {
  Error error = changes_refused(why);
  error.key = key;
  return error;
}

bool observes(const TakenOperation& taken) { return taken.call.operation->operation_class == OperationClass::kObserve; }

// As its client writes it: what clears the way for a command is none of its operations.
std::string shown_command(std::string_view name) {
  std::string shown;
  for (const char letter : name) shown.push_back(letter == '|' ? ' ' : 'a' <= letter && letter <= 'z' ? letter - 'a' + 'A' : letter);
  return shown;
}

Error native_conflict(std::string message) {
  return {.code = errors::kNativeConflict, .message = std::move(message), .retryable = true, .cause = causes::kNative};
}

}  // namespace

Natives::Natives(const Shard& shard) : shard_(shard), run_(shard.run) { shard_.locks.set_native_server(*this); }

void Natives::run(Coordinator& coordinator, NativesMessage& message, double arrived_ms) {
  CLARET_CHECK(run_.coordinator == nullptr);
  for (const OperationMessage& operation : message.operations) expire_before_use(operation.key);
  run_.coordinator = &coordinator;
  run_.arrived_ms = arrived_ms;
  if (coordinator.native_session != nullptr) coordinator.native_session->answers.forget_below(message.below);
  run_.done.reserve(message.operations.size());
  std::uint64_t number = message.first;
  for (OperationMessage& operation : message.operations) {
    if (number - message.first < limits::kOperationsPerRequestMax) {
      take(operation, number);
      if (operation.snapshot != 0) shard_.past_reads.note_snapshot(operation, number);
    } else {
      run_.fail(number,
                refuse(errors::kTooManyOperations,
                       "a message has at most " + std::to_string(limits::kOperationsPerRequestMax) + " native operations"),
                true);
    }
    ++number;
  }
  run_.finish();
}

void Natives::take(OperationMessage& message, std::uint64_t number) {
  ++shard_.counters.totals.operations;
  TakenOperation taken;
  if (auto error = take_operation(message, shard_.records.types(), &shard_.slots, taken)) {
    run_.fail(number, std::move(*error), true);
    return;
  }
  Record* record = shard_.records.find(message.key);
  if (message.at != 0 && !run_.is_refused_while_full(record, observes(taken))) {
    const bool anew = is_anew(record, taken);
    const bool may_come = anew && record->pins != record->pins_without_type && !is_made_by_unvoted(*record);
    if (!may_come) {
      look_back(anew ? nullptr : record, taken, message, number);
      return;
    }
  }
  record = record_for(record, message.key, taken, number);
  if (record == nullptr) return;
  Native native{.record = record, .type = taken.type, .call = std::move(taken.call)};
  const Visit* blocker = nullptr;
  if (is_behind_own(*record) || attempt(native, number, true, &blocker) == Tried::kWaits) enqueue(std::move(native), number, blocker);
}

void Natives::look_back(Record* record, const TakenOperation& taken, const OperationMessage& message, std::uint64_t number) {
  if (!shard_.past_reads.begin(record, taken, message, number)) return;
  if (record != nullptr) return shard_.past_reads.take(*record, taken, message, number);
  if (observe_nothing(taken, number)) run_.done.back().at = message.at;
  run_.tell(message.at);
}

bool Natives::is_anew(const Record* record, const TakenOperation& taken) const {
  return record != nullptr && !is_of_record(*taken.type) && record->type != taken.type && record->last_commit == 0;
}

Record* Natives::record_for(Record* record, std::string_view key, const TakenOperation& taken, std::uint64_t number) {
  const bool observing = observes(taken);
  if (run_.is_refused_while_full(record, observing)) {
    run_.fail(number, changes_refused(shard_.clock.trouble(), key), observing);
    return nullptr;
  }
  const bool of_record = is_of_record(*taken.type);
  const bool differs = record != nullptr && !of_record && record->type != taken.type;
  if ((observing && (record == nullptr || (differs && is_made_by_unvoted(*record)))) || (of_record && record == nullptr)) {
    if (record != nullptr) run_.depend_on(record->last_position);
    observe_nothing(taken, number);
    return nullptr;
  }
  if (record == nullptr) record = &shard_.records.find_or_create(key, *taken.type);
  if (differs && !take_from_unvoted(*record, taken)) {
    const bool undecided = is_type_undecided(*record);
    if (undecided) shard_.locks.warranties().recall_all(*record);
    Error error = refuse(errors::kWrongType, "the record is a " + std::string(record->type->name()), undecided);
    error.key = record->key;
    error.operation = operation_name(*taken.type, taken.call);
    run_.depend_on(record->last_position);
    run_.fail(number, std::move(error), observing);
    return nullptr;
  }
  return record;
}

bool Natives::is_made_by_unvoted(const Record& record) const {
  if (record.run() != nullptr || !is_vacant(record)) return false;
  if (record.gate == nullptr) return true;
  const auto holders = record.gate->holders();
  return std::all_of(holders.begin(), holders.end(), [](const Visit* holder) { return holder->party->stage == Stage::kRunning; });
}

bool Natives::take_from_unvoted(Record& record, const TakenOperation& taken) {
  if (shard_.effects.become(record, *taken.type)) return true;
  if (!is_made_by_unvoted(record)) return false;
  if (record.gate != nullptr) {
    if (!record.gate->natives().empty()) return false;
    absl::InlinedVector<Party*, 8> parties;
    const auto note = [&](Party* party) {
      if (std::find(parties.begin(), parties.end(), party) == parties.end()) parties.push_back(party);
    };
    for (const Visit* holder : record.gate->holders()) note(holder->party);
    for (const Claim* waiter : record.gate->waiters()) note(waiter->party);
    if (std::any_of(parties.begin(), parties.end(), [](const Party* party) { return party->guarded; })) return false;
    Error error = native_conflict("a native operation has made the record one of another type");
    error.key = record.key;
    error.blocking_operation = operation_name(*taken.type, taken.call);
    error.blocking_label = shard_.counters.label(kNativeLabel);
    for (Party* party : parties) {
      ++shard_.counters.totals.native_breaks;
      party->end_with(error);
    }
  }
  // A request that has not come to the gate yet may refer to it too.
  return shard_.effects.become(record, *taken.type);
}

bool Natives::is_behind_own(const Record& record) const {
  if (record.gate == nullptr || passes(Asker::kNative, Standing::kQueue)) return false;
  const auto natives = record.gate->natives();
  return std::any_of(natives.begin(), natives.end(),
                     [&](const WaitingNative* one) { return static_cast<const Waiting*>(one)->coordinator == run_.coordinator; });
}

Natives::Tried Natives::attempt(Native& native, std::uint64_t number, bool heeds_guards, const Visit** blocker) {
  Record& record = *native.record;
  if (run_.is_refused_while_full(&record, native.observes())) {  // the disk may have filled up while the native waited
    run_.fail(number, changes_refused(shard_.clock.trouble(), record.key), native.observes());
    return Tried::kEnded;
  }
  if (is_free(native)) {
    Outcome outcome = claret::execute(record, *native.type, native.call, {}, shard_.context);
    if (outcome.refused()) {
      fail_refused(native, number, outcome.refusal());
    } else {
      execute(native, number, std::move(outcome));
    }
    return Tried::kEnded;
  }
  std::optional<NativeJudgement> judgement = admit(native, heeds_guards, blocker);
  if (!judgement) return Tried::kWaits;
  if (judgement->verdict.kind == Verdict::Kind::kRefuse) {
    fail_refused(native, number, judgement->outcome.refusal());
  } else {
    execute(native, number, std::move(judgement->outcome));
  }
  return Tried::kEnded;
}

void Natives::fail_refused(const Native& native, std::uint64_t number, const Refusal& refusal) {
  Record& record = *native.record;
  run_.depend_on(record.last_position);
  run_.fail(number, about(native, {.code = refusal.code, .message = refusal.message}), native.observes());
  if (record.gate == nullptr) shard_.records.tidy(record);
}

bool Natives::is_free(const Native& native) const {
  if (native.record->gate != nullptr) return false;
  return native.observes() || !(shard_.locks.rule().quarantined || shard_.locks.drain().covers(*native.record));
}

std::optional<NativeJudgement> Natives::admit(Native& native, bool heeds_guards, const Visit** blocker) {
  for (;;) {
    NativeJudgement judgement = judge(native, shard_.locks.rules(), heeds_guards);
    const Verdict verdict = judgement.verdict;
    if (verdict.why != Why::kDrain) native.sleeps = verdict.sleeps();
    if (verdict.waits()) {
      if (blocker != nullptr) *blocker = judgement.blocker;
      if (verdict.why == Why::kWarranty) {
        shard_.locks.warranties().recall(*native.record, native.call, &judgement.outcome.result(), kNobodysPriority);
      }
      return std::nullopt;
    }
    if (verdict.kind == Verdict::Kind::kRefuse) return judgement;
    for (Visit* holder : judgement.broken) break_party(native, *holder);
    if (verdict.kind != Verdict::Kind::kBreak) return judgement;
  }
}

void Natives::break_party(const Native& native, Visit& holder) {
  ++shard_.counters.totals.native_breaks;
  count_conflict(native, holder, true);
  Error error = native_conflict("a native operation has changed what the transaction relied on");
  error.key = native.record->key;
  error.operation = operation_name(*holder.type, holder.call);
  error.blocking_operation = native.command_name.empty() ? operation_name(*native.type, native.call) : shown_command(native.command_name);
  error.blocking_label = shard_.counters.label(kNativeLabel);
  holder.party->end_with(error);
}

void Natives::count_conflict(const Native& native, const Visit& holder, bool broke) {
  const ConflictPair pair{holder.party->label, kNativeLabel, holder.call.operation, native.call.operation, native.record->type, broke};
  shard_.counters.conflicts.add(pair);
  if (GateWitness* witness = shard_.locks.witness()) witness->native_conflict(pair, *native.record);
}

void Natives::execute(Native& native, std::uint64_t number, Outcome outcome) {
  Record& record = *native.record;
  const Timestamp at = run_.next();
  ++shard_.counters.totals.natives;
  if (GateWitness* witness = shard_.locks.witness()) witness->native(record);
  run_.depend_on(record.last_position);
  Value result = outcome.take_result();
  const bool changes = !native.observes() && !does_nothing(record, *native.type, result);
  if (changes) {
    shard_.effects.apply(record, *native.type, native.call, result, at, run_.is_first_change(record));
    if (record.gate != nullptr) shard_.locks.retry_waiters(record);
  }
  if (run_.of_commands && !(changes && shard_.journal.on())) return run_.keep_result(std::move(result));
  NativeRun::Done& done = run_.done.emplace_back();
  done.number = number;
  done.at = at;
  done.has_result = native.call.operation->result != Kind::kVoid;
  done.result = std::move(result);
  if (changes) {
    done.changed = &record;
    done.type = native.type;
    done.call = std::move(native.call);
  }
  run_.last_result = &done.result;
}

bool Natives::observe_nothing(const TakenOperation& taken, std::uint64_t number) {
  const std::size_t id = taken.type->id();
  if (empty_states_.size() <= id) empty_states_.resize(id + 1);
  if (empty_states_[id] == nullptr && !is_of_record(*taken.type)) empty_states_[id] = taken.type->create();
  Outcome outcome = execute_on_nothing(empty_states_[id].get(), *taken.type, taken.call, shard_.context);
  if (outcome.refused()) {
    Error error{.code = outcome.refusal().code, .message = outcome.refusal().message};
    error.operation = operation_name(*taken.type, taken.call);
    run_.fail(number, std::move(error), true);
    return false;
  }
  ++shard_.counters.totals.natives;
  const Timestamp at = run_.next();
  if (run_.of_commands) {
    run_.keep_result(outcome.take_result());
  } else {
    run_.done.push_back({.number = number, .at = at, .has_result = true, .result = outcome.take_result()});
  }
  return true;
}

// ---- waiting --------------------------------------------------------------------------------------------------------------

void Natives::enqueue(Native native, std::uint64_t number, const Visit* blocker, NativeCommand* command) {
  Record& record = *native.record;
  const bool is_full =
      waiting_.size() >= limits::kNativesWaitingMax || run_.coordinator->natives_waiting >= limits::kNativesWaitingPerSessionMax;
  if (is_full) {
    const bool observes = native.observes();
    run_.fail(number,
              about(native, {.code = errors::kOverloaded,
                             .message = "too many native operations wait at the shard",
                             .retryable = true,
                             .cause = causes::kOverloaded}),
              observes);
    return;
  }
  auto waiting = std::make_unique<Waiting>();
  waiting->record = &record;
  waiting->type = native.type;
  waiting->since_ms = run_.waits_since_ms.value_or(shard_.clock.now_ms());
  waiting->command = command;
  waiting->serial = ++serials_;
  waiting->coordinator = run_.coordinator;
  waiting->number = number;
  if (record.gate == nullptr) record.gate = std::make_unique<Gate>();  // it waits for a drain
  if (blocker != nullptr) count_conflict(native, *blocker, false);
  shard_.records.pin(record, *native.type);
  waiting->call = std::move(native.call);
  waiting->sleeps = native.sleeps;
  waiting->command_name = native.command_name;
  record.gate->add_native(*waiting);
  ++run_.coordinator->natives_waiting;
  waiting_.push_back(std::move(waiting));
  waiting_.back()->position = std::prev(waiting_.end());
}

void Natives::withdraw(Waiting& waiting) {
  Record& record = *waiting.record;
  record.gate->remove_native(waiting);
  shard_.records.unpin(record, *waiting.type);
  const double waited_ms = shard_.clock.now_ms() - waiting.since_ms;
  shard_.counters.wait(waits::kNative, waited_ms);
  if (GateWitness* witness = shard_.locks.witness()) witness->native_waited(record, waited_ms);
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
    if (waiting.command != nullptr) {
      if (admit(waiting, !waiting.past_guards, nullptr)) run_again(waiting);
      continue;
    }
    run_.coordinator = waiting.coordinator;
    if (attempt(waiting, waiting.number, !waiting.past_guards) == Tried::kWaits) {
      behind.push_back(waiting.coordinator);
      run_.coordinator = nullptr;
      continue;
    }
    run_.waited_ms = shard_.clock.now_ms() - waiting.since_ms;
    withdraw(waiting);
    run_.finish();
  }
}

void Natives::lose(Coordinator& coordinator) {
  for (auto position = waiting_.begin(); position != waiting_.end();) {
    Waiting& waiting = **position++;
    if (waiting.coordinator != &coordinator) continue;
    if (mutated(Mutation::kWithdrawnCountsAsDone) && coordinator.native_session != nullptr) {
      std::string told;
      server_frame::add_natives_done(told, waiting.number, 1, shard_.clock.next(), {});
      coordinator.native_session->answers.keep(waiting.number, 0, told);
    }
    withdraw(waiting);
  }
}

void Natives::fail_waiting(Waiting& waiting, Error error) {
  error = about(waiting, std::move(error));
  if (NativeCommand* command = waiting.command) {
    withdraw(waiting);
    command->give_up(std::move(error));
    return;
  }
  run_.coordinator = waiting.coordinator;
  run_.fail(waiting.number, std::move(error), waiting.observes());
  withdraw(waiting);
  run_.finish();
}

void Natives::leave(const SlotRun& slots) {
  for (auto position = waiting_.begin(); position != waiting_.end();) {
    Waiting& waiting = **position++;
    if (!slots.contains(waiting.record->slot)) continue;
    fail_waiting(waiting, wrong_shard("the record has moved to another shard"));
  }
}

void Natives::try_again(const SlotRun& slots) {
  for (const auto& waiting : waiting_) {
    if (slots.contains(waiting->record->slot)) shard_.locks.retry_waiters(*waiting->record);
  }
}

void Natives::due() {
  const double now_ms = shard_.clock.now_ms();
  for (auto position = waiting_.begin(); position != waiting_.end();) {
    Waiting& waiting = **position++;
    const double waited_ms = now_ms - waiting.since_ms;
    if (waited_ms >= patience_of(shard_.locks).wait_ms) {
      fail_waiting(waiting, {.code = errors::kExpired,
                             .message = "the operation has waited too long for a transaction that holds the record",
                             .retryable = true,
                             .cause = causes::kLockWait});
    } else if (waited_ms >= patience_of(shard_.locks).guard_ms && !waiting.past_guards) {
      waiting.past_guards = true;
      shard_.locks.retry_waiters(*waiting.record);
    }
  }
}

std::vector<NativeWait> Natives::longest_waits(std::size_t count) const {
  std::vector<NativeWait> longest;
  for (const auto& waiting : waiting_) {
    if (longest.size() == count) break;
    longest.push_back({waiting.get(), judge(*waiting, shard_.locks.rules(), !waiting->past_guards).blocker});
  }
  return longest;
}

double Natives::next_due_ms() const {
  // What expires is deleted at the begin of the turn (expiring.cc).
  double next_ms = shard_.records.expiries().next_wall_ms() - shard_.clock.wall_ms() + shard_.clock.now_ms();
  for (const auto& waiting : waiting_) {
    next_ms = std::min(next_ms,
                       waiting->since_ms + (waiting->past_guards ? patience_of(shard_.locks).wait_ms : patience_of(shard_.locks).guard_ms));
  }
  return next_ms;
}

bool Natives::change(const Change& change) {
  switch (change.kind) {
    case ChangeKind::kSlots:
      if (change.step == ChangeStep::kMade) leave(change.slots);
      if (change.step == ChangeStep::kOver) try_again(change.slots);
      break;
    case ChangeKind::kType:
      if (change.step == ChangeStep::kMade) renew(*change.type);
      break;
    case ChangeKind::kQuarantine:
      try_again({.first = 0, .last = kSlots - 1});
      break;
    case ChangeKind::kConditions:
      break;
  }
  return true;
}

void Natives::renew(const DataType& type) {
  if (type.id() < empty_states_.size()) empty_states_[type.id()] = nullptr;
  for (const auto& waiting : waiting_) {
    if (waiting->type == &type) waiting->call.operation = type.find(waiting->call.operation->id);
  }
}

}  // namespace claret
