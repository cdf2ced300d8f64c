// The engine: one shard's role in transactions. Takes requests, runs them at the gates, votes, applies outcomes, aborts.
//
// It is put together here and has no rules of its own. Its parts, which anybody who has an engine may use, share the Ground; those that are
// capabilities (capability.h) are asked in the order of one list (engine.cc). An attempt is committed once every participant has voted yes, at the
// greatest vote timestamp; if this shard is the only participant, its vote is the commit.
//
// Input and output are plain calls and the sessions' `out` bytes. Times are arguments; nothing here reads a clock. Not thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "transaction/attempts.h"
#include "transaction/batch_votes.h"
#include "transaction/boards.h"
#include "transaction/chain_members.h"
#include "transaction/chains.h"
#include "transaction/checkpointing.h"
#include "transaction/departures.h"
#include "transaction/endings.h"
#include "transaction/epoch_members.h"
#include "transaction/epochs.h"
#include "transaction/ground.h"
#include "transaction/importing.h"
#include "transaction/inquiries.h"
#include "transaction/leftovers.h"
#include "transaction/native_run.h"
#include "transaction/natives.h"
#include "transaction/past_reads.h"
#include "transaction/replies.h"
#include "transaction/requests.h"
#include "transaction/restart.h"
#include "transaction/retried.h"
#include "transaction/slot_giver.h"
#include "transaction/slot_taker.h"
#include "transaction/type_changes.h"
#include "transaction/visit_intake.h"
#include "transaction/votes.h"
#include "transaction/warranties.h"

namespace claret {

struct EngineOptions : GroundOptions {
  WarrantySettings warranties;
  double heat_hot = BoardPlaces::kHeatHot;  // of a record; tests have less
  std::size_t visits_leave_at_once = 256;  // an attempt with more visits leaves in steps of this many
};

class Engine {
 public:
  // `has_output` is called for every session that gets output.
  Engine(const EngineOptions& options, Counters& counters, std::function<void(Coordinator&)> has_output);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Null: not watched.
  void watch(TransactionWitness* witness);
  // Sets the time for the calls that follow.
  void at(double monotonic_ms, double wall_ms);

  // ---- sessions
  void attach(Coordinator& coordinator) { ground.coordinators.push_back(&coordinator); }
  // Natives of the session are settled exactly once from now on, under this id. False if the id is taken.
  bool number_natives(Coordinator& coordinator, std::uint64_t session);
  // Aborts the session's attempts that have not voted, and keeps those that have. The session may be destroyed afterwards.
  void lose(Coordinator& coordinator);

  // ---- a turn: at its begin; after each batch of calls; once, before its end
  // Deletes records that have expired, and drops vacant ones that no log keeps.
  void expire_due();
  // Grants what can be granted, until nothing changes any more.
  void settle() { ground.settle(); }
  void turn();
  // Whatever is due by time. Call it when next_due_ms() has come, after pending input was processed.
  void due();
  double next_due_ms() const;

  // ---- the shard changes
  void set_conditions(const Conditions& conditions);
  // While entries cannot be made durable: refuses (`disk_full`, `log_unavailable`) operations that would have to be logged or that read state which is not
  // durable, so that the remaining ones, reads, wait for nothing.
  void refuse_changes(LogTrouble why);
  void durable(std::uint64_t position);
  std::optional<std::string> begin_checkpoint();
  // See Cut::prepare; a cut that was prepared before is called off. 0: not now. That is so while a run of slots is about to be given, or may not have
  // been taken yet: a cut must not come between the two entries. And while members of epochs are undecided here; no more of them are listed
  // until the cut is over.
  Timestamp prepare_cut();

  // ---- figures
  std::size_t attempts_in_flight() const { return attempts.by_serial().size() + chains.members(); }
  // The number of attempts that have ended and may still be asked about.
  std::size_t outcomes_known() const { return ground.outcomes.known().size() - (attempts.by_serial().size() - departures.size()); }

  // ---- the parts
  Ground ground;
  Attempts attempts;
  Departures departures;
  NativeRun native_run;
  PastReads past_reads;
  Natives natives;
  Warranties warranties;
  Boards boards;
  Chains chains;
  Epochs epochs;
  Replies replies;
  Endings endings;
  Votes votes;
  VisitIntake intake;
  Retried retried;
  Requests requests;
  ChainMembers chain_members;
  EpochMembers epoch_members;
  BatchVotes batch_votes;
  Inquiries inquiries;
  TypeChanges type_changes;
  Checkpointing checkpointing;
  Importing importing;
  Leftovers leftovers;
  SlotGiver slot_giver;
  SlotTaker slot_taker;
  Restart restart;
};

}  // namespace claret
