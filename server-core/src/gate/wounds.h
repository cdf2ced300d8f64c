// What happens to those that wait at the gates, and to those that they wait for.
//
// A wound forbids to wait, it does not kill (docs/rules.md, section 4): most parties in the way of an older one end within a round
// trip by themselves. Cycles within this shard are broken at once, and the youngest of the cycle ends. What crosses shards is found by
// time: a party that has waited for a while wounds the younger ones in its way.
// Thread safety: none needed.
#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>
#include <deque>
#include <limits>

#include "gate/locks.h"

namespace claret {

struct WoundSettings {
  double delay_ms = 5;  // from the begin of a wait to its first check, and from one check to the next
  double grace_ms = 20;  // a party that was told of its wound gets so long to end by itself
  double idle_ms = 2000;  // a party that sends nothing for so long ends for the sake of any that waits for it
};

class Wounds {
 public:
  Wounds(const Locks& locks, const WoundSettings& settings) : locks_(locks), settings_(settings) {}

  void at(double now_ms) { now_ms_ = now_ms; }

  // ---- those that wait
  // The party has begun to wait, or waits on; it may end for that. `any_joinable`: shared operations stand at this shard.
  void waits(Party& party, bool any_joinable);
  // It has got what it asked for, or has ended.
  void waits_no_more(const Party& party) { waiting_.erase(party.serial); }
  bool is_waiting(const Party& party) const { return waiting_.contains(party.serial); }
  // By serial, which is the order of arrival.
  const absl::btree_map<std::uint64_t, Party*>& waiting() const { return waiting_; }

  // Ends the youngest of each cycle that leads through the party. False when that has ended the party itself.
  bool break_cycles(Party& party);
  // The same for all that wait.
  void break_all_cycles();

  // ---- those that they wait for
  // At another shard an older party waits for this one.
  void wounded_elsewhere(Party& party, std::uint64_t by_priority);
  // The request has been granted. Where it has passed an elder on which other shards wait, its party is told at once: if it waits there
  // for that elder, the two are in a cycle.
  void heed_elders(Party& party, const GateRequest& request);

  // ---- by time
  // When check_next() has something to do; infinity when nothing waits.
  double next_check_ms() const { return checks_.empty() ? std::numeric_limits<double>::infinity() : checks_.front().at_ms; }
  std::size_t checks() const { return checks_.size(); }
  // Wounds what is in the way of the waiter whose check is due next, or ends that waiter where its time is over. `after` runs before
  // the waiter is put back in line. False when nothing is due.
  template <typename After>
  bool check_next(const After& after);
  // Ends a party whose time is over while it waits.
  void expire(Party& party);

 private:
  struct Due {
    double at_ms;
    std::uint64_t serial;
  };

  bool concerns(const Party& blocker, const Party& waiter, double waited_ms) const;
  void check(Party& waiter);
  // True where that has ended the blocker. `waited_ms`: how long the wounder has waited where this one is in its way.
  bool wound(Party& blocker, const Party& wounder, double waited_ms);
  // Forbids it to wait; told to its client once. True when that is new.
  bool tell(Party& blocker, std::uint64_t wounder_priority);
  void end_joining(const Party& waiter);
  Error blocked_error(const Party& party, std::string_view code, std::string_view cause, std::string message) const;
  bool is_idle(const Party& party) const { return party.silent_since(now_ms_ - settings_.idle_ms); }

  const Locks& locks_;
  WoundSettings settings_;
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
  // At its time, not at the next of the rare sweeps: a party that waited can still be told for what.
  if (found->second->expires_at_ms <= now_ms_) {
    expire(*found->second);
  } else {
    check(*found->second);
  }
  after();
  if (waiting_.contains(serial)) checks_.push_back({now_ms_ + settings_.delay_ms, serial});
  return true;
}

}  // namespace claret
