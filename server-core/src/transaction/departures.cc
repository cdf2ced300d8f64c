#include "transaction/departures.h"

#include <algorithm>
#include <numeric>

namespace claret {

void Departures::add(std::unique_ptr<Attempt> attempt, Timestamp committed_at, std::uint64_t position) {
  visits_left_ += attempt->visits.size();
  if (committed_at == 0) attempt->voted_at = kNeverCommits;
  leaving_.push_back({std::move(attempt), committed_at, position});
}

std::size_t Departures::leave(Leaving& one, Visit& first) {
  Record& record = *first.record;
  absl::InlinedVector<Visit*, 4> visits{&first};
  const auto& held = first.held_in_mode;
  // Several visits of an attempt on one record are rare, and searching for them costs more than everything else here.
  if (std::accumulate(held.begin(), held.end(), 0u) > 1) {
    visits.clear();
    for (Visit* visit = one.attempt->latest(record); visit != nullptr; visit = visit->previous) visits.push_back(visit);
    std::reverse(visits.begin(), visits.end());
  }
  for (Visit* visit : visits) {
    if (visit->admitted) withdraw(*visit);
  }
  if (one.committed_at != 0) {
    for (Visit* visit : visits) effects_.apply(*visit, timestamp_of(*visit, *one.attempt, one.committed_at), one.position);
  }
  for (Visit* visit : visits) locks_.let_go(*visit);
  return visits.size();
}

void Departures::turn() {
  // The more visits are left, the more leave in a turn, so that departures never pile up.
  const std::size_t at_once = std::max(visits_at_once_, visits_left_ / kTurnsToLeave);
  std::size_t left = 0;
  while (!leaving_.empty()) {
    Leaving& one = leaving_.front();
    if (Visit& visit = one.attempt->visits[one.next]; visit.record != nullptr) {
      if (left >= at_once) return;
      left += leave(one, visit);
    }
    --visits_left_;
    if (++one.next < one.attempt->visits.size()) continue;
    attempts_.remove(*one.attempt);
    leaving_.pop_front();
  }
}

void Departures::leave_now(Record& record) {
  for (Leaving& one : leaving_) {
    if (one.committed_at == 0) continue;
    const Visit* visit = one.attempt->latest(record);
    if (visit != nullptr && visit->record == &record) leave(one, *visit->first);
  }
}

bool Departures::owe(std::uint64_t position) const {
  return std::any_of(leaving_.begin(), leaving_.end(),
                     [&](const Leaving& one) { return one.committed_at != 0 && one.position != 0 && one.position <= position; });
}

}  // namespace claret
