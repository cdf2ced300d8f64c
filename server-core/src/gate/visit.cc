#include "gate/visit.h"

#include <algorithm>

#include "ground/check.h"

namespace claret {

Visit* Party::latest(const Record& record) {
  if (visits.size() <= kSearchedMax) {
    const auto found = std::find_if(visits.rbegin(), visits.rend(), [&](const Visit& visit) { return visit.record == &record; });
    return found == visits.rend() ? nullptr : &*found;
  }
  if (latest_.empty()) {
    for (Visit& visit : visits) latest_[visit.record] = &visit;
  }
  const auto found = latest_.find(&record);
  return found == latest_.end() ? nullptr : found->second;
}

void Party::drop_newest_visit() {
  CLARET_CHECK(!visits.empty() && !visits.back().held && !visits.back().admitted);
  const Visit& newest = visits.back();
  if (!latest_.empty()) {
    if (newest.previous == nullptr) {
      latest_.erase(newest.record);
    } else {
      latest_[newest.record] = newest.previous;
    }
  }
  visits.pop_back();
}

Visit& Party::visit(Record& record) {
  Visit* previous = latest(record);
  Visit& made = visits.emplace_back();
  made.party = this;
  made.record = &record;
  made.previous = previous;
  made.first = previous == nullptr ? &made : previous->first;
  if (previous != nullptr) made.number = previous->number + 1;
  if (!latest_.empty()) latest_[&record] = &made;
  return made;
}

}  // namespace claret
