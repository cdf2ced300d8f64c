// Takes requests to the gates, and tells them what becomes of them.
//
// A request's operations on one record are one claim; each claim is granted on its own, the request when all are. A
// *whole* request (all that its transaction does on this shard) is granted only when every claim can be at once, and
// holds nothing until then: within this shard it is part of no cycle.
//
// Nothing here ends a party. Grants and refusals that come from waiting are collected, and the requests are told of them one by one,
// so that no gate changes under the feet of the loop that walks it.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "counters/counters.h"
#include "gate/gate.h"
#include "gate/records.h"
#include "gate/witness.h"
#include "ground/errors.h"

namespace claret {

enum class Acquired : std::uint8_t {
  kGranted,
  kWaiting,
  kDenied,  // phasing is off and a lock is taken: cancel the request, once blocked_error() has told why
  kRefused,  // an operation cannot be done on this state: nothing of the request is held
};

struct LockSettings {
  LockRule rule;
  bool phasing = true;
  double phase_cap_ms = 0;
};

// Whether this shard takes newcomers at all. Admission reads it first.
enum class ShardMode : std::uint8_t {
  kOpen,
  kDraining,  // a change of conditions waits for everybody here to leave
};

class Locks {
 public:
  Locks(Records& records, Counters& counters, const Context& context, LockSettings settings)
      : records_(records), counters_(counters), context_(context), settings_(settings) {}

  const LockSettings& settings() const { return settings_; }
  const LockRule& rule() const { return settings_.rule; }
  ShardMode mode() const { return mode_; }
  void set_mode(ShardMode mode) { mode_ = mode; }
  // Null: nobody watches.
  void watch(GateWitness* witness) {
    witness_ = witness;
    records_.watch(witness);
  }

  // Holders keep what they hold; their modes are read by the new rule. Waiters are tried again.
  void change(const LockSettings& settings, const std::vector<Record*>& gated);

  // REQUIRES: request.visits are set, request.claims are empty. `refusal` and `refused` are set for kRefused.
  Acquired acquire(GateRequest& request, double now_ms, Refusal& refusal, const Visit*& refused);

  // Gives a party that held its locks before a restart their places again. False if they do not go with the others'.
  bool reinstate(Party& party, double now_ms);

  // Takes a request that was denied back out: nothing of it is held or waits.
  void cancel(GateRequest& request, double now_ms) { drop_claims(request, now_ms); }

  // Its requests wait for nothing any more, and what they have waited counts. To be followed by `release`.
  void stop_waiting(Party& party, double now_ms);

  // One that commits with the message that it came in holds nothing; from now on it does, like any other.
  void hold_granted(Party& party, double now_ms);

  // None of its requests waits any more, or is among what waiting has brought.
  void withdraw_requests(Party& party);
  // That, and it lets go of all that it holds. Visits that were not applied give their reservations back.
  void release(Party& party);

  // One visit: see release.
  void let_go(Visit& visit);

  // Rule 1 alone, and at once: true when the visit now holds its gate with the result it has. Else it is as it was.
  bool hold(Visit& visit, double now_ms);

  // The record's committed state or holders have changed: its waiters will be tried again.
  void retry_waiters(Record& record);

  // Tries waiters, and tells requests what waiting has brought them, until nothing moves.
  void settle(double now_ms);

  // Why a waiting (or denied) request is not granted: the first that is in its way.
  Error blocked_error(const GateRequest& request, std::string_view code) const;
  // Why a party ends for the sake of one that waits for it: where, and what the two do there.
  Error in_the_way_error(const Party& blocker, const Party& waiter, std::string_view code) const;

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
  void enter(Visit& visit, double now_ms);
  void enqueue(Claim& claim, double now_ms);
  void leave_queue(Claim& claim, double now_ms);
  void drop_claims(GateRequest& request, double now_ms);
  // Tries one waiter; true when it has left the queue.
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
  GateWitness* witness_ = nullptr;
  std::deque<Record*> to_retry_;
  std::deque<Brought> brought_;
};

}  // namespace claret
