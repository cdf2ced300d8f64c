// What this shard knows of attempts, by id: those under way, and what became of others for as long as somebody may ask.
// An attempt that is known here is never begun again.
//
// An abort is kept until the attempt's own expiry has passed on this shard's clock: after that a prepare of it would be
// refused anyway. A commit is kept until it is forgotten: by its client's low-water mark, or once every participant has
// logged it and no client can still ask.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "ground/check.h"
#include "transaction/coordinator.h"

namespace claret {

// A client stops asking 3 s after its transaction's deadline; what it has asked by then may be on its way for a lease.
inline constexpr double kAskGraceMs = 10'000;
// Nobody knows when an attempt expires that never came here. It began elsewhere before it was asked about, so it has
// expired after the longest life there is; its begin may have been on its way for a lease.
inline constexpr double kUnknownAbortKeptMs = limits::kAttemptExpiryMsMax + 60'000;

// Beyond this nothing more is begun, and nobody is promised to refuse an attempt that is unknown.
inline constexpr std::size_t kKnownAttemptsMax = 1 << 22;

class KnownAttempts {
 public:
  struct Known {
    Attempt* attempt;  // null once it has ended
    AttemptState state;
    Timestamp committed_at;
    double forget_at_ms;  // 0: not before it is told
  };

  // Null when nothing is known.
  const Known* find(const AttemptId& id) const {
    const auto found = known_.find(id);
    return found == known_.end() ? nullptr : &found->second;
  }
  Attempt* under_way(const AttemptId& id) const {
    const Known* known = find(id);
    return known == nullptr ? nullptr : known->attempt;
  }

  // REQUIRES: nothing is known of it.
  void begun(Attempt& attempt) {
    CLARET_CHECK(find(attempt.id) == nullptr);
    known_.insert_or_assign(attempt.id, Known{&attempt, AttemptState::kPending, 0, 0});
  }
  void committed(const AttemptId& id, Timestamp at) { known_.insert_or_assign(id, Known{nullptr, AttemptState::kCommitted, at, 0}); }
  void aborted(const AttemptId& id, double forget_at_ms) {
    known_.insert_or_assign(id, Known{nullptr, AttemptState::kAborted, 0, 0});
    forget_at(id, forget_at_ms);
  }
  void forget_at(const AttemptId& id, double forget_at_ms) {
    const auto found = known_.find(id);
    if (found == known_.end()) return;
    found->second.forget_at_ms = forget_at_ms;
    by_time_.push({id, forget_at_ms});
  }
  void forget(const AttemptId& id) { known_.erase(id); }

  // Drops what was to be forgotten by now, but no more than kForgetStep entries: no call runs long. True if more is due.
  bool forget_due(double now_ms) {
    const auto due = [&] { return !by_time_.empty() && by_time_.top().forget_at_ms <= now_ms; };
    for (int step = 0; step < kForgetStep && due(); ++step) {
      const Entry& entry = by_time_.top();
      const auto found = known_.find(entry.id);
      if (found != known_.end() && found->second.forget_at_ms == entry.forget_at_ms) known_.erase(found);
      by_time_.pop();
    }
    return due();
  }

  std::size_t size() const { return known_.size(); }

 private:
  static constexpr int kForgetStep = 1024;
  struct Entry {
    AttemptId id;
    double forget_at_ms;
    friend bool operator>(const Entry& a, const Entry& b) { return a.forget_at_ms > b.forget_at_ms; }
  };

  absl::flat_hash_map<AttemptId, Known> known_;  // only asked, never walked
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> by_time_;  // the first to be forgotten on top
};

}  // namespace claret
