#include "transaction/type_changes.h"

#include <utility>

namespace claret {

std::optional<std::string> TypeChanges::request(composed::InstalledType wanted) {
  if (auto problem = types_.problem(wanted)) return problem;
  requested_.push_back(std::move(wanted));
  step();
  return std::nullopt;
}

void TypeChanges::step() {
  while (!requested_.empty() && !checkpoint_.under_way()) {
    const composed::InstalledType& next = requested_.front();
    // An earlier change may have made it void.
    const bool is_void = types_.has(next) || types_.problem(next);
    if (!is_void && types_.replaces(next)) {
      conditions_.drain_for_types();
      if (!conditions_.drained_for_types()) return;
    }
    if (!is_void) {
      if (journal_.on()) position_ = journal_.type(next);
      types_.install(next);
    }
    requested_.pop_front();
    conditions_.end_drain_for_types();
  }
}

}  // namespace claret
