// The attempts that this shard knows, by id: those in flight, and the outcomes of others for as long as they may be asked for. A known
// attempt is never begun again.
//
// An abort is kept until the attempt's own expiry has passed on this shard's clock: after that a prepare would be refused in any case. A
// commit is kept until it is forgotten: by its client's low-water mark, or once every participant has logged it and no client can ask any
// more.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

#include "ground/check.h"
#include "transaction/coordinator.h"

namespace claret {

// A client stops asking 3 s after its transaction's deadline; its last questions may be in flight for the time of a lease.
inline constexpr double kAskGraceMs = 10'000;
// The expiry of an attempt that never came here is unknown. It began elsewhere before it was asked about, so it has expired after the
// longest possible lifetime; its begin may have been in flight for the time of a lease.
inline constexpr double kUnknownAbortKeptMs = limits::kAttemptExpiryMsMax + 60'000;

// Above this number no attempt is begun, and inquiries no longer cause unknown attempts to be refused.
inline constexpr std::size_t kKnownAttemptsMax = 1 << 22;

class KnownAttempts {
 public:
  struct Known {
    Attempt* attempt;  // null once it has ended
    AttemptState state;
    Timestamp committed_at;
    double forget_at_ms;  // 0: not set yet
  };

  // Null if the attempt is unknown.
  const Known* find(const AttemptId& id) const {
    const auto found = known_.find(id);
    return found == known_.end() ? nullptr : &found->second;
  }
  Attempt* under_way(const AttemptId& id) const {
    const Known* known = find(id);
    return known == nullptr ? nullptr : known->attempt;
  }

  // REQUIRES: the attempt is unknown.
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

  // Drops entries that are due, at most kForgetStep, so that no call takes long. True if more are due.
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

  absl::flat_hash_map<AttemptId, Known> known_;  // looked up, never iterated
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> by_time_;  // the next to be forgotten on top
};

}  // namespace claret
