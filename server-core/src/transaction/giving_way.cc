#include "transaction/giving_way.h"

#include <absl/container/flat_hash_map.h>

namespace claret {

void GivingWay::note(const Attempt& attempt, const Error& error, double now_ms, const Patience& patience) {
  if (error.cause != causes::kWarrantyWait || error.retry_after_ms == 0) return;
  if (until_ms_.size() + attempt.visits.size() > kMost) {
    absl::erase_if(until_ms_, [&](const auto& one) { return one.second <= now_ms; });
    if (until_ms_.size() + attempt.visits.size() > kMost) return;
  }
  for (const Visit& visit : attempt.visits) {
    if (changes(visit)) until_ms_[visit.record->key] = now_ms + error.retry_after_ms + patience.comes_back_ms;
  }
}

bool GivingWay::awaits(const Record& record, double now_ms) const {
  const auto found = until_ms_.find(record.key);
  return found != until_ms_.end() && found->second > now_ms;
}

}  // namespace claret
