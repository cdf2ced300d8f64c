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
    if (!is_void && shard_.types.replaces(next)) {
      shard_.conditions.drain_for_types();
      if (!shard_.conditions.drained_for_types() || shard_.warranties.any()) return;
    }
    if (!is_void) make(next);
    requested_.pop_front();
    shard_.conditions.end_drain_for_types();
  }
}

void TypeChanges::make(const composed::InstalledType& change) {
  if (shard_.types.migrates(change)) {
    shard_.chains.break_all(condition_changed());
    shard_.past.forget();
  }
  if (shard_.journal.on()) position_ = shard_.journal.type(change);
  shard_.types.install(change);
}

}  // namespace claret
