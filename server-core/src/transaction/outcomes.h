// What became of attempts that are no longer here, for as long as somebody may ask.
//
// An abort is kept until the attempt's own expiry has passed on this shard's clock: after that its prepare would be
// refused anyway. A commit is kept here once its session is gone (until then the session remembers it).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <deque>
#include <string>

#include "transaction/attempt.h"

namespace claret {

class Outcomes {
 public:
  struct Known {
    AttemptState state;  // kCommitted or kAborted
    Timestamp committed_at;
  };

  void committed(const AttemptId& id, Timestamp at, double forget_at_ms) {
    remember(id, {AttemptState::kCommitted, at}, forget_at_ms);
  }
  void aborted(const AttemptId& id, double forget_at_ms) { remember(id, {AttemptState::kAborted, 0}, forget_at_ms); }

  // Null when nothing is known.
  const Known* find(const AttemptId& id) const {
    const auto found = known_.find(id);
    return found == known_.end() ? nullptr : &found->second;
  }

  // Drops what was to be forgotten before now, but no more than kForgetStep entries: no call runs long.
  void forget(double now_ms) {
    for (int step = 0; step < kForgetStep && !by_time_.empty() && by_time_.front().forget_at_ms <= now_ms; ++step) {
      known_.erase(by_time_.front().id);
      by_time_.pop_front();
    }
  }

  std::size_t size() const { return known_.size(); }

 private:
  static constexpr int kForgetStep = 1024;
  struct Entry {
    AttemptId id;
    double forget_at_ms;
  };

  // Expiries differ little; one that is out of order is forgotten a little later.
  void remember(const AttemptId& id, Known known, double forget_at_ms) {
    if (known_.emplace(id, known).second) by_time_.push_back({id, forget_at_ms});
  }

  absl::flat_hash_map<AttemptId, Known> known_;  // only asked, never walked
  std::deque<Entry> by_time_;
};

}  // namespace claret
