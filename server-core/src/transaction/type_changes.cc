#include "transaction/type_changes.h"

#include <utility>

namespace claret {

std::optional<std::string> TypeChanges::request(composed::InstalledType wanted) {
  if (auto problem = shard_.types.problem(wanted)) return problem;
  requested_.push_back(std::move(wanted));
  step();
  return std::nullopt;
}

void TypeChanges::step() {
  while (!requested_.empty() && !shard_.checkpoint.under_way()) {
    const composed::InstalledType& next = requested_.front();
    // An earlier change may have made it void.
    const bool is_void = shard_.types.has(next) || shard_.types.problem(next);
    if (!is_void && shard_.types.replaces(next) && !ends(*shard_.types.find(std::uint32_t{next.id}))) return;
    if (!is_void) make(next);
    requested_.pop_front();
    shard_.conditions.end_drain_for_types();
  }
}

bool TypeChanges::ends(const DataType& type) {
  // Warranties from before the start may stand during the quarantine.
  if (shard_.locks.rule().quarantined) return false;
  shard_.conditions.drain_for_types();
  shard_.warranties.recall(type);
  return shard_.conditions.drained_for_types() && !shard_.warranties.any(type);
}

void TypeChanges::make(const composed::InstalledType& change) {
  // What has been executed, and waits for its commit, would be logged behind the change, and be replayed by another version.
  if (shard_.types.replaces(change)) shard_.chains.break_all(condition_changed());
  if (shard_.types.migrates(change)) shard_.past.forget();
  if (shard_.journal.on()) position_ = shard_.journal.type(change);
  shard_.types.install(change);
  shard_.natives.renew(*shard_.types.find(std::uint32_t{change.id}));
}

}  // namespace claret
