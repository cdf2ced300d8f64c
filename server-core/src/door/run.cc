#include "door/run.h"

#include "adt/check.h"
#include "gate/record_operations.h"
#include "ground/check.h"
#include "resp/command_keys.h"

namespace claret {

bool DoorRun::run(bool may_block) {
  may_block_ = may_block;
  const auto& runner = *static_cast<const CommandRunner*>(spec_.runner);
  if (runner.alone) {
    const auto keys = resp::CommandKeys::of(spec_, from(0));
    for (std::size_t n = 0; keys && n < keys->size() && !stopped(); ++n) clear((*this)[keys->place(n)]);
  }
  if (!stopped()) runner.run(*this);
  if (waits_) drop_reply();
  return !waits_;
}

bool DoorRun::goes_on(const Natives::Executed& executed) {
  if (executed.result != nullptr) return true;
  if (executed.error != nullptr) {
    fail(redis_error(*executed.error));
  } else {
    waits_ = true;
    stop();
  }
  return false;
}

const Value& DoorRun::execute_now(std::string_view key, const DataType& type, std::uint8_t operation, std::vector<Value>& operands) {
  const OperationSpec* spec = type.find(operation);
  CLARET_CHECK(spec != nullptr);
  if (const auto error = check_call(type, *spec, operands)) {
    fail(redis_error(*error));
    return nothing();
  }
  door_.call_.operation = spec;
  const auto executed = door_.shard_.natives.execute(key, type, door_.call_, static_cast<NativeCommand&>(session_));
  return goes_on(executed) ? *executed.result : nothing();
}

bool DoorRun::clear(std::string_view key) {
  if (stopped()) return false;
  const bool observes = !spec_.has(resp::CommandFlag::kWrite);
  return goes_on(door_.shard_.natives.clear(key, observes, static_cast<NativeCommand&>(session_)));
}

const DataType* DoorRun::type_of(std::string_view key) {
  const Record* record = stopped() ? nullptr : door_.shard_.natives.look(key);
  return record == nullptr ? nullptr : record->type;
}

bool DoorRun::expires(std::string_view key) {
  const Record* record = stopped() ? nullptr : door_.shard_.natives.look(key);
  return record != nullptr && record->expires_at_ms != 0;
}

std::size_t DoorRun::memory_of(std::string_view key) {
  const Record* record = stopped() ? nullptr : door_.shard_.natives.look(key);
  if (record == nullptr) return 0;
  std::string bytes;
  record->type->encode(*record->state, bytes);
  return sizeof(Record) + key.size() + bytes.size();
}

bool DoorRun::block(double for_ms) {
  if (stopped() || !may_block_ || session_.is_over) return false;
  door_.block(session_, spec_, from(0), for_ms);
  waits_ = true;
  stop();
  return true;
}

std::int64_t DoorRun::now_ms() { return static_cast<std::int64_t>(door_.shard_.clock.wall_ms()); }

std::uint64_t DoorRun::draw(std::uint64_t below) {
  // The steps of splitmix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
  std::uint64_t bits = door_.shard_.context.incarnation + 0x9E3779B97F4A7C15 * ++door_.draws_;
  bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
  return (bits ^ bits >> 31) % below;
}

void DoorRun::fail_now(std::string_view error) {
  drop_reply();
  reply().error(error);
}

const DataType& DoorRun::record_operations() { return claret::record_operations(); }

}  // namespace claret
