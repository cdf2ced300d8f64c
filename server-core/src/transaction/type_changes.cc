#include "transaction/type_changes.h"

#include <utility>

namespace claret {

std::optional<std::string> TypeChanges::request(composed::InstalledType wanted) {
  if (auto problem = ground_.records.types().problem(wanted)) return problem;
  requested_.push_back(std::move(wanted));
  settle();
  return std::nullopt;
}

bool TypeChanges::settle() {
  const composed::TypeTable& types = ground_.records.types();
  while (!requested_.empty() && !ground_.checkpoint.under_way()) {
    const composed::InstalledType& next = requested_.front();
    // An earlier change may have made it void.
    if (!types.has(next) && !types.problem(next)) {
      Change change{.kind = ChangeKind::kType, .step = ChangeStep::kAnnounced, .type = types.find(std::uint32_t{next.id})};
      change.replaces = types.replaces(next);
      change.migrates = types.migrates(next);
      // Warranties from before the start may stand during the quarantine.
      if (change.replaces && (ground_.locks.rule().quarantined || !ground_.change(change))) break;
      make(change, next);
    }
    ground_.change({.kind = ChangeKind::kType, .step = ChangeStep::kOver});
    requested_.pop_front();
  }
  stirred = !requested_.empty();
  return false;
}

void TypeChanges::make(Change change, const composed::InstalledType& wanted) {
  change.step = ChangeStep::kMaking;
  ground_.change(change);
  if (ground_.journal.on()) position_ = ground_.journal.type(wanted);
  ground_.records.types().install(wanted);
  change.step = ChangeStep::kMade;
  change.type = ground_.records.types().find(std::uint32_t{wanted.id});
  ground_.change(change);
}

}  // namespace claret
