// What all that runs transactions at a shard stands on: its clock and its log, its records with their gates, and what is known of attempts that
// have ended. The parts of the engine (engine.h) share it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "counters/counters.h"
#include "gate/locks.h"
#include "gate/records.h"
#include "gate/wounds.h"
#include "transaction/attempt_log.h"
#include "transaction/capability.h"
#include "transaction/checkpoint.h"
#include "transaction/conditions.h"
#include "transaction/coordinator.h"
#include "transaction/deduplication.h"
#include "transaction/doubts.h"
#include "transaction/effects.h"
#include "transaction/journal.h"
#include "transaction/moves.h"
#include "transaction/native_sessions.h"
#include "transaction/outcomes.h"
#include "transaction/past.h"
#include "transaction/shard_clock.h"
#include "transaction/slot_copy.h"
#include "transaction/witness.h"

namespace claret {

struct GroundOptions {
  ShardPlace place;
  std::uint64_t incarnation = 1;  // of this start; 0: Restart::restored() says it
  Patience patience;
  PastSettings past;
  ShardClock::Stopwatch stopwatch = nullptr;  // of the work within a call, for reports only; null: time stands still there
  bool logged = false;  // produce the entries of a log; otherwise the shard restarts empty
};

struct Ground {
  // `on_output` is called for every session that gets output.
  Ground(const GroundOptions& options, Counters& its_counters, std::function<void(Coordinator&)> on_output);

  ShardPlace place;
  Counters& counters;
  std::function<void(Coordinator&)> has_output;
  Context context;
  Records records;
  Journal journal;
  ShardClock clock;
  Locks locks;
  Wounds wounds;
  Deduplication deduplication;
  Checkpoint checkpoint;
  Moves moves;
  SlotCopy copy;
  Past past;
  Effects effects;
  NativeSessions native_sessions;
  Doubts doubts;
  Outcomes outcomes;
  AttemptLog log;
  Conditions conditions;  // in force
  TransactionWitness* witness = nullptr;  // null: not watched
  std::vector<Coordinator*> coordinators;
  std::vector<std::uint32_t>
      skewed;  // shards whose clocks differ too much from this shard's: no attempt over one of them and this shard gets a vote
  std::uint32_t shards;  // those that an attempt may name
  std::vector<Capability*> capabilities;  // in the order in which they are asked (engine.cc)

  const SlotTable& slots() const { return moves.slots(); }
  void depends(Coordinator& coordinator, std::uint64_t position) { coordinator.depend_on(position, journal.durable()); }
  // The cluster has at least so many shards.
  void set_shards(std::uint32_t count);
  // Slots that were another shard's have come to this one, or have gone.
  void set_foreign() { context.foreign_plus_one = slots().owns_taken() ? place.shard + 1 : 0; }

  // Grants what can be granted, until nothing changes any more.
  void settle();
  // Asks every capability. True if nothing goes by what is there now.
  bool change(const Change& change);
};

}  // namespace claret
