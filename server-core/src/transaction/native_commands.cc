// Natives, continued: those of commands.
#include <algorithm>
#include <utility>

#include "gate/record_operations.h"
#include "ground/check.h"
#include "transaction/natives.h"

namespace claret {

void Natives::open(Coordinator& coordinator) {
  CLARET_CHECK(run_.coordinator == nullptr);
  run_.coordinator = &coordinator;
  run_.arrived_ms = shard_.clock.now_ms();
}

void Natives::begin_command(std::string_view name) {
  CLARET_CHECK(run_.coordinator != nullptr);
  run_.begin_command(name);
}

const Record* Natives::look(std::string_view key) {
  expire_before_use(key);
  const Record* record = shard_.records.find(key);
  if (record != nullptr) run_.depend_on(record->last_position);
  return record == nullptr || is_vacant(*record) ? nullptr : record;
}

Natives::Executed Natives::execute(std::string_view key, const DataType& type, Call& call, NativeCommand& command) {
  ++shard_.counters.totals.operations;
  expire_before_use(key);
  const bool call_observes = call.operation->operation_class == OperationClass::kObserve;
  TakenOperation taken{.type = &type, .call = std::move(call)};
  const std::uint64_t number = run_.next_number++;
  const std::size_t failed = run_.failed.size();
  if (Record* record = record_for(shard_.records.find(key), key, taken, number)) {
    Native native{.record = record, .type = taken.type, .call = std::move(taken.call), .command_name = run_.command};
    const Visit* blocker = nullptr;
    if (attempt(native, number, true, &blocker) == Tried::kWaits) return wait(std::move(native), blocker, command);
    call = std::move(native.call);
  }
  if (run_.failed.size() == failed) return {.result = run_.last_result};
  const Error& error = run_.failed.back().error;
  if (error.code == errors::kWrongType && error.retryable) {
    // Transactions that have voted may make it a record of this type or of another one.
    const Executed cleared = clear(key, call_observes, command);
    if (cleared.waits()) return cleared;
  }
  return {.error = &run_.failed.back().error};
}

Natives::Executed Natives::clear(std::string_view key, bool observes, NativeCommand& command) {
  static const Value kNothing;
  expire_before_use(key);
  Record* record = shard_.records.find(key);
  if (record == nullptr) {
    // Whoever creates it may have to wait all the same.
    const bool may_wait = !observes && (shard_.locks.rule().quarantined || shard_.locks.drain().covers(slot_of(key)));
    if (!may_wait) return {.result = &kNothing};
    record = &shard_.records.find_or_create(key, record_operations());
  }
  // Both want the record exclusively, as if anything might be executed there.
  const OperationSpec* anything = record_operations().find(observes ? record_operation::kExists : record_operation::kPersist);
  Native native{
      .record = record, .type = &record_operations(), .call = {.operation = anything, .arguments = {}}, .command_name = run_.command};
  const Visit* blocker = nullptr;
  if (!admit(native, true, &blocker)) return wait(std::move(native), blocker, command);
  return {.result = &kNothing};
}

Natives::Executed Natives::wait(Native native, const Visit* blocker, NativeCommand& command) {
  const std::size_t failed = run_.failed.size();
  enqueue(std::move(native), 0, blocker, &command);
  return run_.failed.size() > failed ? Executed{.error = &run_.failed.back().error} : Executed{};
}

void Natives::run_again(Waiting& waiting) {
  NativeCommand& command = *waiting.command;
  run_.waits_since_ms = waiting.since_ms;
  withdraw(waiting);
  command.run_again();
  run_.waits_since_ms.reset();
}

}  // namespace claret
