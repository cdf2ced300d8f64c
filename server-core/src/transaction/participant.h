// One shard's role in transactions: takes requests, runs them at the gates, votes, applies outcomes, aborts.
//
// The rules (docs/rules.md): strict two-phase locking. A shard votes yes once all of an attempt's operations here are granted, and keeps
// all its locks until it learns the outcome. An attempt is committed once every participant has voted yes, at the greatest vote timestamp;
// if this shard is the only participant, its vote is the commit. Wounds forbid waiting (they do not abort), so an older transaction causes
// the abort of an attempt only if the attempt has to wait, or delays it beyond the grace.
//
// Input and output are plain calls and the sessions' `out` bytes. Times are arguments; nothing here reads a clock. Not thread-safe.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/btree_set.h>
#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "counters/counters.h"
#include "gate/locks.h"
#include "gate/records.h"
#include "gate/wounds.h"
#include "ground/errors.h"
#include "transaction/attempt_log.h"
#include "transaction/boards.h"
#include "transaction/chains.h"
#include "transaction/checkpointing.h"
#include "transaction/conditions_change.h"
#include "transaction/departures.h"
#include "transaction/doubts.h"
#include "transaction/effects.h"
#include "transaction/epochs.h"
#include "transaction/giving.h"
#include "transaction/importing.h"
#include "transaction/intake.h"
#include "transaction/leftovers.h"
#include "transaction/moves.h"
#include "transaction/natives.h"
#include "transaction/outcomes.h"
#include "transaction/past.h"
#include "transaction/replay.h"
#include "transaction/type_changes.h"
#include "transaction/warranties.h"
#include "transaction/witness.h"
#include "wire/client_frame.h"
#include "wire/server_frame.h"

namespace claret {

struct ParticipantOptions {
  ShardPlace place;
  std::uint64_t incarnation = 1;  // of this start; 0: restored() says it
  double phase_cap_ms = 2;
  WoundSettings wounds;
  NativeSettings natives;
  ChainSettings chains;
  WarrantySettings warranties;
  PastSettings past;
  ShardClock::Stopwatch stopwatch = nullptr;  // of the work within a call, for reports only; null: time stands still there
  bool logged = false;  // produce the entries of a log; otherwise the shard restarts empty
  std::size_t visits_leave_at_once = 256;  // an attempt with more visits leaves in steps of this many
};

class Participant : public AttemptKeeper, public MemberKeeper, public EpochKeeper {
 public:
  // `has_output` is called for every session that gets output.
  Participant(const ParticipantOptions& options, Counters& counters, std::function<void(Coordinator&)> has_output);
  ~Participant();

  // Null: not watched.
  void watch(TransactionWitness* witness) {
    witness_ = witness;
    locks_.watch(witness);
    chains_.watch(witness);
    warranties_.watch(witness);
    epochs_.watch(witness);
  }

  // Sets the time for the calls that follow.
  void at(double monotonic_ms, double wall_ms) {
    clock_.at(monotonic_ms, wall_ms);
    wounds_.at(monotonic_ms);
    past_.at(monotonic_ms);
  }

  // ---- the start of a shard with a log (restart.cc): first its contents piece by piece, beginning with a checkpoint, then restored(),
  // then any other call. Each returns an error message, after which the participant is unusable.
  std::optional<std::string> restore_checkpoint(std::string_view pairs);
  std::optional<std::string> restore(std::string_view entries);
  // Restores the locks of voted attempts, and logs this start. `incarnation`: of this start, if it was not known before.
  std::optional<std::string> restored(std::uint64_t incarnation = 0);

  // ---- input; call settle() after a batch of these
  void attach(Coordinator& coordinator) { coordinators_.push_back(&coordinator); }
  // Natives of the session are settled exactly once from now on, under this id. False if the id is taken.
  bool number_natives(Coordinator& coordinator, std::uint64_t session);
  // Aborts the session's attempts that have not voted, and keeps those that have. The session may be destroyed afterwards.
  void lose(Coordinator& coordinator);
  // `arrived_ms`: when the request's frame arrived; its time limit counts from then.
  void request(Coordinator& coordinator, RequestMessage& message, double arrived_ms);
  // Votes on it at once, or refuses it, and breaks its chain.
  void batch(Coordinator& coordinator, const BatchMessage& message);
  void committed(Coordinator& coordinator, std::uint64_t number, Timestamp at);
  void aborted(Coordinator& coordinator, std::uint64_t number);
  // An older transaction waits for this attempt at another shard.
  void wounded_elsewhere(const AttemptId& id, std::uint64_t by_priority);
  void inquire(Coordinator& coordinator, const InquiryMessage& message);
  // The client cannot find out how the attempt ended.
  void abandoned(Coordinator& coordinator, std::uint64_t number);
  // Another participant reports how an attempt in doubt has ended.
  void resolve(const AttemptId& id, bool commit, Timestamp at);
  // A change to or from `locks: none` takes effect later (conditions_change.h).
  void set_conditions(const Conditions& conditions);

  // Grants what can be granted, until nothing changes any more.
  void settle();
  // Once a turn: takes the next step of large attempts that have ended and still hold records, and answers reads of the past that have waited.
  void leave();
  // Handles wounds, idle and expired attempts, and forgetting. Call it when next_sweep_ms() has come, after pending input was processed.
  void sweep();
  double next_sweep_ms() const;
  // Deletes records that have expired, and drops vacant ones that no log keeps. Call it at the begin of a turn.
  void expire_due();

  // Shards whose clocks differ too much from this shard's: no attempt over this shard and one of them gets a vote here. Attempts with a
  // vote are not affected.
  void set_skewed(std::vector<std::uint32_t> shards) { skewed_ = std::move(shards); }
  // While entries cannot be made durable: refuses (`disk_full`, `log_unavailable`) operations that would have to be logged or that read state which is not
  // durable, so that the remaining ones, reads, wait for nothing.
  void refuse_changes(LogTrouble why);

  std::optional<std::string> begin_checkpoint() {
    for (Coordinator* coordinator : coordinators_) outcomes_.publish(*coordinator);
    return checkpointing_.begin(next_serial_);
  }

  // ---- runs of slots that move (moving.cc). A shard gives one at a time and takes one at a time. Each call returns an error if it is refused.
  std::optional<Error> begin_give(Give give);
  std::optional<Error> take_give(std::size_t bytes_max, GivePiece& piece);
  // From now on nobody begins to hold anything in the run, nor changes anything there. Those that hold something and have not voted are wounded
  // after a while.
  std::optional<Error> drain_give(double wound_after_ms);
  bool is_drained();
  // What has waited for the drain goes on; the copy does too.
  std::optional<Error> call_off_drain();
  std::optional<Error> call_off_give();
  // Logs that the run is the other shard's. What has waited is refused.
  std::optional<Error> give();
  // The time above which the other shard's clock has to be, once it is durable that the run was given.
  std::optional<Timestamp> given(std::string_view move) const;
  // The other shard owns the run, and that is durable.
  std::optional<Error> settle_give(std::string_view move);
  std::optional<Error> import_piece(std::string_view move, std::uint32_t from, std::string_view piece);
  // `at`: as `given` returned it. The shard owns the run once that is durable.
  std::optional<Error> take_over(std::string_view move, Timestamp at);
  std::optional<Error> drop_import(std::string_view move);
  const Moves& moves() const { return moves_; }
  bool gives() const { return giving_.under_way(); }
  bool any_leftovers() const { return !leftovers_.empty(); }
  void remove_leftovers() { leftovers_.step(); }
  void durable(std::uint64_t position);
  // The number of shards that the cluster has now.
  void set_shards(std::uint32_t shards) { shards_ = std::max(shards_, std::min(shards, kShardsMax)); }
  // See Cut::prepare. 0 while a run is about to be given, or may not have been taken yet: a cut must not come between the two entries.
  Timestamp prepare_cut() { return locks_.drain().on || moves_.given() ? 0 : outcomes_.cut().prepare(); }

  // An attempt that has voted here blocks an older one: its other participants must not let it wait.
  struct WoundTold {
    AttemptId id;
    std::uint64_t priority;  // of the wounder
    ShardList participants;
  };
  // The wounds added since the last call.
  std::vector<WoundTold> take_wounds_told() { return std::exchange(wounds_told_, {}); }

  // ---- its parts
  Journal& journal() { return journal_; }
  const Journal& journal() const { return journal_; }
  Cut& cut() { return outcomes_.cut(); }
  const Cut& cut() const { return outcomes_.cut(); }
  Checkpointing& checkpointing() { return checkpointing_; }
  Doubts& doubts() { return doubts_; }
  const Doubts& doubts() const { return doubts_; }
  Outcomes& outcomes() { return outcomes_; }
  const Outcomes& outcomes() const { return outcomes_; }
  Effects& effects() { return effects_; }
  Natives& natives() { return natives_; }
  const Past& past() const { return past_; }
  Warranties& warranties() { return warranties_; }
  const Warranties& warranties() const { return warranties_; }
  Chains& chains() { return chains_; }
  Epochs& epochs() { return epochs_; }
  const Epochs& epochs() const { return epochs_; }
  Boards& boards() { return boards_; }
  const Boards& boards() const { return boards_; }
  NativeSessions& native_sessions() { return native_sessions_; }
  Records& records() { return records_; }
  const Records& records() const { return records_; }
  Deduplication& deduplication() { return deduplication_; }
  ShardClock& clock() { return clock_; }
  const Wounds& wounds() const { return wounds_; }
  const LockRule& lock_rule() const { return locks_.rule(); }
  const Conditions& conditions() const { return conditions_.in_force(); }
  TypeChanges& type_changes() { return type_changes_; }
  const TypeChanges& type_changes() const { return type_changes_; }
  const std::vector<std::uint32_t>& skewed() const { return skewed_; }
  const Context& context() const { return context_; }
  const SlotTable& slots() const { return moves_.slots(); }
  std::size_t attempts_in_flight() const { return attempts_.size() + chains_.members(); }
  bool leaving() const { return !departures_.empty(); }
  // The number of attempts that have ended and may still be asked about.
  std::size_t outcomes_known() const { return outcomes_.known().size() - (attempts_.size() - departures_.size()); }

 private:
  // ---- participant.cc: requests
  // Neither known to the shard nor to its session until it is enlisted.
  Attempt& begin(Coordinator& coordinator, const RequestMessage& message, double arrived_ms);
  void fill_in(Attempt& attempt, Coordinator& coordinator, const RequestMessage& message, double arrived_ms);
  void count_begun(Attempt& attempt);
  std::unique_ptr<Member> begin_member(Coordinator& coordinator, MemberMessage& message, double arrived_ms,
                                       std::optional<Error>& error) override;
  void member_committed(Member& member, Timestamp at, std::uint64_t position) override { note_commit(member, at, position); }
  void enlist(Attempt& attempt);
  // True for a transaction of this shard alone that may end within this call: it is enlisted only if it has to wait.
  bool may_end_at_once(const RequestMessage& message) const;
  std::optional<Error> check_begin(const Coordinator& coordinator, const RequestMessage& message) const;
  std::optional<Error> take_visits(Attempt& attempt, RequestMessage& message, Request& request);
  // True if the operation changes nothing, and the state that it would read is durable.
  bool stands_durably(std::string_view key, const OperationSpec& operation) const;
  void start(Attempt& attempt);
  void run_without_locks(Attempt& attempt);
  // The request of a traced attempt has been tried.
  void trace(const Request& request, const Visit* refused, bool denied);
  void complete(Request& request);
  // Why the attempt ends: a result is not the one that its client has used. Null if all are.
  std::optional<Error> unexpected(const Request& request);
  std::optional<Error> take_asked(const OperationMessage& operation, const TakenOperation& taken, Request& request) const;
  void end_quarantine();
  Attempt* find(const Coordinator& coordinator, std::uint64_t number) const;

  // ---- votes.cc
  void vote(Request& request);
  std::optional<Error> take_prepare(const PrepareMessage& message, Prepare& prepare);
  std::optional<Error> overtaken(const Attempt& attempt, Timestamp snapshot);
  // Why the attempt gets no vote here, or draws the time of its vote.
  std::optional<Error> draw_vote(const Attempt& attempt, const Prepare& prepare, bool changes_something, Timestamp& at);
  // The attempt votes yes. Returns the position of the vote in the log; 0: it is not logged.
  std::uint64_t cast_vote(Attempt& attempt, Prepare& prepare, Timestamp at);
  std::optional<Error> vote_batch(Coordinator& coordinator, const BatchMessage& message);
  // The attempt must never vote here.
  void refuse_id(const BeginMessage& begin);
  void put_in_doubt(Attempt& attempt, std::string_view reason) override;

  // `position`: in the log, on which the reply depends, besides the positions on which its results depend.
  void reply(Request& request, Timestamp voted_at, Timestamp committed_at, std::uint64_t position);
  void reply_error(Coordinator& coordinator, std::uint64_t number, const Error& error, const WaitedMessage& waited = {});
  // The completed waits of the attempt that were not reported yet.
  static WaitedMessage take_waited(Attempt& attempt);
  void depends(Coordinator& coordinator, std::uint64_t position) { coordinator.depend_on(position, journal_.durable()); }

  void granted(Request& request) override { complete(request); }
  void refused(Request& request, const Refusal& refusal, const Visit& visit) override { abort_refused(*request.attempt, refusal, visit); }
  void moved(Request& request) override { wounds_.break_cycles(*request.attempt); }
  void tell_wound(Attempt& attempt, std::uint64_t wounder_priority, bool first, bool others) override;
  void deny(Attempt& attempt) override;

  void expire_attempts();
  void expire(Attempt& attempt);

  // ---- endings.cc: outcomes
  void count_commit(Attempt& attempt);
  // Counts the commit, and keeps what may be asked of it.
  void note_commit(Attempt& attempt, Timestamp at, std::uint64_t position);
  // `position` of its log entry, 0 if it has none.
  void commit(Attempt& attempt, Timestamp at, std::uint64_t position);
  // Commits a voted attempt at a timestamp that was reported by its client or another participant.
  void commit_voted(Attempt& attempt, Timestamp at);
  void abort(Attempt& attempt, const Error& error) override;
  void tell_abort(const Attempt& attempt, std::string_view code, std::string_view cause);
  void abort_refused(Attempt& attempt, const Refusal& refusal, const Visit& refused);
  // Removes the attempt, except for what is known of its outcome; the reference is invalid afterwards. If it has committed, its effects are
  // applied no later than its locks are released.
  void end(Attempt& attempt, Timestamp committed_at = 0, std::uint64_t position = 0);
  std::unique_ptr<Attempt> take(Attempt& attempt);

  // ---- epoch_members.cc
  std::optional<Error> check_member_of_epoch(const RequestMessage& message) const;
  void gather(Attempt& attempt);
  bool vote_listed(Attempt& member) override;
  bool commit_member_of_epoch(Attempt& member, Timestamp at) override;
  void refuse_member_of_epoch(Attempt& member, const Refusal& refusal, const Visit& refused) override;
  void end_member_of_epoch(Attempt& member, const Error& error) override;
  // What another shard is told of a member of that epoch.
  AttemptState state_in_epoch(const AttemptId& id, EpochNumber epoch, Timestamp& at);

  // ---- retried.cc: transactions with an id, whose home is here
  // False if the transaction cannot begin here now; the reply has been written then.
  bool claim(Coordinator& coordinator, const RequestMessage& message);
  // Takes the answer that comes with the prepare. An error if it cannot be kept.
  std::optional<Error> take_answer(const Attempt& attempt, const PrepareMessage& prepare);

  void adopt(std::unique_ptr<Attempt> attempt, std::uint64_t expires_wall_ms);

  // ---- moving.cc
  std::optional<Error> check_give() const;
  std::optional<Error> check_piece(std::string_view move, std::uint32_t from, const PieceHead& head) const;
  void drop(const LoggedMove& move);
  // The attempt has something in the run that is drained.
  static bool is_inside(const Attempt& attempt, const SlotRun& slots);
  // Its transaction's home is in a run that is drained, and it was not there before.
  bool waits_for_drain(const Attempt& attempt) const;
  void hold_back(Attempt& attempt);
  void end_drain();
  // Wounds those for which the drain has waited for long enough.
  void press_drain();
  // No visit to a record of the run remains.
  void leave_slots(const SlotRun& slots);
  void set_foreign() { context_.foreign_plus_one = slots().owns_taken() ? options_.place.shard + 1 : 0; }

  ParticipantOptions options_;
  Counters& counters_;
  std::function<void(Coordinator&)> has_output_;
  Context context_;
  Records records_;
  Journal journal_;
  ShardClock clock_;
  Locks locks_;
  Wounds wounds_;
  TransactionWitness* witness_ = nullptr;
  Deduplication deduplication_;
  Checkpoint checkpoint_;
  Moves moves_;
  SlotCopy copy_;
  Past past_;
  Past::Versions versions_;  // of the record that is judged; its memory is reused
  Effects effects_;
  Natives natives_;
  NativeSessions native_sessions_;
  Departures departures_;
  Doubts doubts_;
  Outcomes outcomes_;
  AttemptLog log_;
  Warranties warranties_;
  Boards boards_;
  Chains chains_;
  Epochs epochs_;
  ConditionsChange conditions_;
  TypeChanges type_changes_;
  Checkpointing checkpointing_;
  Giving giving_;
  Importing importing_;
  Leftovers leftovers_;
  std::unique_ptr<Replay> replay_;  // until restored()

  std::vector<Coordinator*> coordinators_;
  absl::btree_map<std::uint64_t, Attempt*> attempts_;  // by serial: iterated in order of arrival
  std::unique_ptr<Attempt> begun_;  // until it is enlisted
  absl::btree_map<std::uint64_t, std::unique_ptr<Attempt>> orphans_;  // voted, with a lost session; by serial
  std::vector<WoundTold> wounds_told_;
  std::uint64_t next_serial_ = 1;
  std::vector<std::uint32_t> skewed_;
  std::uint32_t shards_;  // those that an attempt may name
  std::vector<std::uint64_t> inside_;  // serials of the attempts for which the drain waits
  absl::btree_set<std::uint64_t> held_back_;  // serials of the attempts that wait for the drain before they come to a gate
  double drain_began_ms_ = 0;
  double wound_after_ms_ = 0;
  double next_press_ms_ = 0;
  double next_expiry_ms_ = 0;
  double next_forgetting_ms_ = 0;
};

}  // namespace claret
