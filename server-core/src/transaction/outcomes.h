// What became of attempts that are no longer here, for as long as somebody may ask.
//
// An abort is kept until the attempt's own expiry has passed on this shard's clock: after that its prepare would be
// refused anyway. A commit is kept here once its session is gone (until then the session remembers it).
#pragma once

#include <absl/container/flat_hash_map.h>

#include <functional>
#include <queue>
#include <vector>

#include "transaction/attempt.h"

namespace claret {

class Outcomes {
 public:
  struct Known {
    AttemptState state;  // kCommitted or kAborted
    Timestamp committed_at;
  };

  void committed(const AttemptId& id, Timestamp at, double now_ms) {
    remember(id, {AttemptState::kCommitted, at}, now_ms + kCommitKeptMs);
  }
  void aborted(const AttemptId& id, double forget_at_ms) { remember(id, {AttemptState::kAborted, 0}, forget_at_ms); }

  // Null when nothing is known.
  const Known* find(const AttemptId& id) const {
    const auto found = known_.find(id);
    return found == known_.end() ? nullptr : &found->second;
  }

  // Drops what was to be forgotten by now, but no more than kForgetStep entries: no call runs long. True if more is due.
  bool forget(double now_ms) {
    const auto due = [&] { return !by_time_.empty() && by_time_.top().forget_at_ms <= now_ms; };
    for (int step = 0; step < kForgetStep && due(); ++step) {
      known_.erase(by_time_.top().id);
      by_time_.pop();
    }
    return due();
  }

  std::size_t size() const { return known_.size(); }

 private:
  static constexpr int kForgetStep = 1024;
  static constexpr double kCommitKeptMs = 10 * 60 * 1000;  // longer than any client asks
  struct Entry {
    AttemptId id;
    double forget_at_ms;
    friend bool operator>(const Entry& a, const Entry& b) { return a.forget_at_ms > b.forget_at_ms; }
  };

  void remember(const AttemptId& id, Known known, double forget_at_ms) {
    if (known_.emplace(id, known).second) by_time_.push({id, forget_at_ms});
  }

  absl::flat_hash_map<AttemptId, Known> known_;  // only asked, never walked
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> by_time_;  // the first to be forgotten on top
};

}  // namespace claret
