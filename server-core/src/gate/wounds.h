// The treatment of waiting parties and of those that block them.
//
// A wound forbids a party to wait; it does not abort it (docs/rules.md, section 4). Most parties that block an older one end by themselves
// within a round trip. Cycles within this shard are broken at once by ending the youngest party. Cycles across shards are found by time: a
// party that has waited for a while wounds the younger parties that block it. Not thread-safe.
#pragma once

#include <absl/container/btree_map.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>

#include "gate/locks.h"

namespace claret {

class Wounds {
 public:
  explicit Wounds(const Locks& locks) : locks_(locks) {}

  void at(double now_ms) { now_ms_ = now_ms; }

  // ---- waiting parties
  // The party has begun to wait, or continues to; it may be ended.
  void waits(Party& party);
  // The party was granted its request, or has ended.
  void waits_no_more(const Party& party) { waiting_.erase(party.serial); }
  bool is_waiting(const Party& party) const { return waiting_.contains(party.serial); }
  // By serial, which is the order of arrival.
  const absl::btree_map<std::uint64_t, Party*>& waiting() const { return waiting_; }

  // Ends the youngest party of each cycle through this one. False if that has ended this party itself.
  bool break_cycles(Party& party);
  // The same for all waiting parties.
  void break_all_cycles();

  // ---- blocking parties
  // An older party waits for this one at another shard.
  void wounded_elsewhere(Party& party, std::uint64_t by_priority);
  // The request was granted. If it has passed an older waiter on which other shards wait, its party is notified at once: if the party waits
  // for that one there, the two form a cycle.
  void heed_elders(Party& party, const GateRequest& request);

  // The party holds what a drain waits for: from now on it may not wait. If it waits, or its time is `over`, it ends, unless it has voted.
  void drain(Party& party, bool over);

  // ---- by time
  // When check_next() has work to do; infinity if no party waits.
  double next_check_ms() const { return checks_.empty() ? std::numeric_limits<double>::infinity() : checks_.front().at_ms; }
  std::size_t checks() const { return checks_.size(); }
  // Wounds the parties that block the waiter whose check is due next, or ends that waiter if it has expired. `after` runs before the
  // waiter's next check is scheduled. False if no check is due.
  template <typename After>
  bool check_next(const After& after);
  // Ends a waiting party that has expired.
  void expire(Party& party);

 private:
  struct Due {
    double at_ms;
    std::uint64_t serial;
  };

  bool concerns(const Party& blocker, const Party& waiter, double waited_ms) const;
  void check(Party& waiter);
  // Ends the party if it has slept for too long, and may hold something. True if it has ended.
  bool end_sleep(Party& waiter);
  // True if the blocker was ended. `waited_ms`: how long the wounder has waited for this blocker.
  bool wound(Party& blocker, const Party& wounder, double waited_ms);
  // Forbids the party to wait, and notifies its client once. True for the first time.
  bool tell(Party& blocker, std::uint64_t wounder_priority);
  Error blocked_error(const Party& party, std::string_view code, std::string_view cause, std::string message) const;
  bool is_idle(const Party& party) const { return party.silent_since(now_ms_ - patience_of(locks_).idle_ms); }

  const Locks& locks_;
  absl::btree_map<std::uint64_t, Party*> waiting_;
  std::deque<Due> checks_;
  double now_ms_ = 0;
};

template <typename After>
bool Wounds::check_next(const After& after) {
  if (next_check_ms() > now_ms_) return false;
  const std::uint64_t serial = checks_.front().serial;
  checks_.pop_front();
  const auto found = waiting_.find(serial);
  if (found == waiting_.end()) return true;
  // At the time of the check and not of the next, rare, sweep, so that a waiting party's error can still name its blocker.
  if (std::min(found->second->expires_at_ms, found->second->waits_until_ms) <= now_ms_) {
    expire(*found->second);
  } else {
    check(*found->second);
  }
  after();
  if (waiting_.contains(serial)) checks_.push_back({now_ms_ + patience_of(locks_).wound_delay_ms, serial});
  return true;
}

}  // namespace claret
