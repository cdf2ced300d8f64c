// Natives, continued: the deletion of records that have expired. Each is a native of nobody: it is judged, logged and timestamped as any other,
// and answered to none.
#include "gate/record_operations.h"
#include "transaction/natives.h"

namespace claret {

namespace {

Call deletion() { return {.operation = record_operations().find(record_operation::kDelete), .arguments = {}}; }

}  // namespace

bool Natives::expire(Record& record) {
  if (!shard_.slots.owns(record.slot)) return false;  // it is given away, or has yet to be taken
  const bool joins = run_.coordinator != nullptr;  // the run of a command
  const std::size_t failed = run_.failed.size();
  Native native{.record = &record, .type = &record_operations(), .call = deletion()};
  const bool done = attempt(native, joins ? run_.next_number++ : 0, true) == Tried::kEnded && run_.failed.size() == failed;
  if (joins) return done;
  run_.log();
  run_.clear();
  return done;
}

void Natives::expire_due(std::size_t most) {
  Expiries& expiries = shard_.records.expiries();
  const double wall_ms = shard_.clock.wall_ms();
  for (std::size_t left = most; left > 0; --left) {
    Record* record = expiries.due(wall_ms);
    if (record == nullptr) return;
    const bool is_over = static_cast<double>(record->expires_at_ms) <= wall_ms;
    if (!is_over && (record->run() != nullptr || !is_vacant(*record))) {
      expiries.set(*record, record->expires_at_ms);  // it is there, or has come back
    } else if (!expire(*record)) {
      expiries.set(*record, static_cast<std::uint64_t>(wall_ms + patience_of(shard_.locks).look_again_ms));
    }
  }
}

void Natives::expire_before_use(std::string_view key) {
  const double wall_ms = shard_.clock.wall_ms();
  if (shard_.records.expiries().due(wall_ms) == nullptr) return;
  Record* record = shard_.records.find(key);
  if (record != nullptr && record->expires_at_ms != 0 && static_cast<double>(record->expires_at_ms) <= wall_ms) expire(*record);
}

}  // namespace claret
