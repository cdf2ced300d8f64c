// Passes requests to the gates, and reports their results.
//
// The operations of a request on one record are one claim. Each claim is granted separately, the request once all claims are. A *whole*
// request (everything that its transaction does on this shard, or its end) is granted only when all claims can be granted at once, and
// holds nothing of them until then: within this shard a transaction that holds nothing besides is part of no cycle.
//
// Nothing here ends a party. Grants and refusals of waiting requests are collected, and the requests are notified one by one, so that no
// gate changes while a loop iterates over it.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "counters/counters.h"
#include "gate/gate.h"
#include "gate/judge.h"
#include "gate/patience.h"
#include "gate/records.h"
#include "gate/warranty.h"
#include "gate/witness.h"
#include "ground/errors.h"

namespace claret {

enum class Acquired : std::uint8_t {
  kGranted,
  kWaiting,
  kDenied,  // phasing is off and a lock is taken; ask blocked_error() of obstacles.h for the cause, then cancel the request
  kRefused,  // an operation is refused in this state; nothing of the request is held
};

enum class Listed : std::uint8_t {
  kHeld,
  kMissed,  // something is in the way; nothing is held
  kRefused,  // an operation is refused in this state; nothing is held
};

struct LockSettings {
  LockRule rule;
  bool phasing = true;
  Patience patience{};
};

// Serves the natives that wait at a record.
class NativeServer {
 public:
  // The record's state or its holders have changed. May end parties.
  virtual void serve(Record& record) = 0;

 protected:
  ~NativeServer() = default;
};

// Hears of claims that have to wait.
class ConflictListener {
 public:
  virtual void waits(const Claim& claim) = 0;

 protected:
  ~ConflictListener() = default;
};

// Whether this shard accepts new attempts. Admission reads it first.
enum class ShardMode : std::uint8_t {
  kOpen,
  kDraining,  // a new version of a type waits for all attempts here to end
};

class Locks {
 public:
  Locks(Records& records, Counters& counters, const Context& context, LockSettings settings)
      : records_(records), counters_(counters), context_(context), settings_(settings) {}

  const LockSettings& settings() const { return settings_; }
  const LockRule& rule() const { return settings_.rule; }
  const Counters& counters() const { return counters_; }
  GateRules rules() const { return {settings_.rule, drain_, settings_.patience, context_}; }
  Drain& drain() { return drain_; }
  const Drain& drain() const { return drain_; }
  ShardMode mode() const { return mode_; }
  void set_mode(ShardMode mode) { mode_ = mode; }
  // REQUIRES: called once, before any native waits.
  void set_native_server(NativeServer& server) { native_server_ = &server; }
  // REQUIRES: called once, before any claim waits.
  void set_conflict_listener(ConflictListener& listener) { conflict_listener_ = &listener; }
  // REQUIRES: called once, before any warranty stands.
  void set_warranty_keeper(WarrantyKeeper& keeper) { warranty_keeper_ = &keeper; }
  WarrantyKeeper& warranties() { return *warranty_keeper_; }
  // Null: not watched.
  GateWitness* witness() const { return witness_; }
  void watch(GateWitness* witness) {
    witness_ = witness;
    records_.watch(witness);
  }

  // Holders keep what they hold; their modes are recomputed by the new rule. Waiters are tried again.
  void change(const LockSettings& settings, const std::vector<Record*>& gated);

  // REQUIRES: request.visits is set, request.claims is empty. `refusal` and `refused` are set for kRefused.
  Acquired acquire(GateRequest& request, double now_ms, Refusal& refusal, const Visit*& refused);

  // The party holds all that it has named, if everything goes with the present holders; it passes those that are listed in its epoch. Nobody's
  // turn is heeded. Operations that reserve are executed. `refusal` and `refused` are set for kRefused. REQUIRES: party.epoch is set.
  Listed list(Party& party, double now_ms, Refusal& refusal, const Visit*& refused);
  // It holds nothing any more, and refers to its records as before.
  void unlist(Party& party);

  // Restores the locks that a party held before a restart. False if they conflict with the other holders.
  bool reinstate(Party& party, double now_ms);

  // Until then changes sleep.
  void begin_quarantine(double until_ms);
  // `gated`: the records at which something may sleep.
  void end_quarantine(const std::vector<Record*>& gated);

  // Takes a denied request back: nothing of it holds or waits any more.
  void cancel(GateRequest& request, double now_ms) { drop_claims(request, now_ms); }

  // Ends the waits of the party's requests, and adds the time that they have waited. To be followed by `release`.
  void stop_waiting(Party& party, double now_ms);

  // A party that commits with the message in which it came holds nothing; from now on it does, like any other.
  void hold_granted(Party& party, double now_ms);

  // Gives back the reservations of visits that do not hold their gates.
  void give_back_unheld(Party& party);

  // Removes the party's requests from the queues and from the pending notifications.
  void withdraw_requests(Party& party);
  // The same, and releases all that the party holds. Visits that were not applied give their reservations back.
  void release(Party& party);

  // Releases one visit; see release.
  void let_go(Visit& visit);

  // The record's committed state or its holders have changed: schedules its waiters to be tried again.
  void retry_waiters(Record& record);

  // Tries waiters, and notifies requests of the results, until nothing changes any more.
  void settle(double now_ms);

 private:
  enum class Tried : std::uint8_t { kGranted, kBlocked, kRefused };
  enum class News : std::uint8_t { kGranted, kRefused, kMoved };
  struct Brought {
    News news;
    GateRequest* request;
    Refusal refusal;
    const Visit* refused = nullptr;
  };

  void make_claims(GateRequest& request);
  Tried try_claim(Claim& claim, bool heed_queue, double now_ms, Refusal& refusal, const Visit*& refused);
  Tried try_whole(GateRequest& request, bool heed_queue, double now_ms, Refusal& refusal, const Visit*& refused);
  static bool sleeps_now(const GateRequest& request);
  void enter(Visit& visit, double now_ms);
  void enqueue(Claim& claim, double now_ms);
  void recall_violated(const Claim& claim);
  void leave_queue(Claim& claim, double now_ms);
  void drop_claims(GateRequest& request, double now_ms);
  // Tries one waiter; true if it has left the queue.
  bool try_waiter(Claim& claim, bool heed_queue, double now_ms);
  void moved(GateRequest& request) { brought_.push_back({News::kMoved, &request, {}, nullptr}); }
  void advance(Record& record, double now_ms);
  void count_conflict(const Claim& claim);
  Gate& gate_of(Record& record);

  Records& records_;
  Counters& counters_;
  const Context& context_;
  LockSettings settings_;
  ShardMode mode_ = ShardMode::kOpen;
  Drain drain_;
  GateWitness* witness_ = nullptr;
  NativeServer* native_server_ = nullptr;
  ConflictListener* conflict_listener_ = nullptr;
  WarrantyKeeper* warranty_keeper_ = nullptr;
  std::deque<Record*> to_retry_;
  std::deque<Brought> brought_;
};

inline const Patience& patience_of(const Locks& locks) { return locks.settings().patience; }

}  // namespace claret
