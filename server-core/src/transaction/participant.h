// One shard's part in transactions: takes requests in, runs them at the gates, votes, applies outcomes, aborts.
//
// The rules (docs/rules.md): strict two-phase locking; a shard votes yes when all of an attempt's operations here are granted, and keeps
// all its locks until it learns the outcome; an attempt is committed once every participant has voted yes, at the greatest vote
// timestamp; where this shard is the only participant, its vote is the commit. Wounds forbid to wait (they do not kill), so only an
// attempt that has to wait is ever aborted by an elder.
//
// Input and output are plain calls and the sessions' `out` bytes. Times are given; nothing here reads a clock.
// Thread safety: none needed.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

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
#include "transaction/checkpointing.h"
#include "transaction/conditions_change.h"
#include "transaction/departures.h"
#include "transaction/doubts.h"
#include "transaction/effects.h"
#include "transaction/intake.h"
#include "transaction/outcomes.h"
#include "transaction/replay.h"
#include "transaction/shared_operations.h"
#include "transaction/witness.h"
#include "wire/client_frame.h"
#include "wire/server_frame.h"

namespace claret {

struct ParticipantOptions {
  ShardPlace place;
  std::uint64_t incarnation = 1;
  double phase_cap_ms = 2;
  WoundSettings wounds;
  bool logged = false;  // what happens is handed out as entries of a log; else the shard restarts empty
  std::size_t visits_leave_at_once = 256;  // an attempt of more leaves in parts of so many
};

class Participant : public AttemptKeeper {
 public:
  // `has_output` is told of every session that gets something to say.
  Participant(const ParticipantOptions& options, Counters& counters, std::function<void(Coordinator&)> has_output);
  ~Participant();

  // Null: nobody watches.
  void watch(TransactionWitness* witness) {
    witness_ = witness;
    locks_.watch(witness);
  }

  // The time of everything that follows.
  void at(double monotonic_ms, double wall_ms) {
    clock_.at(monotonic_ms, wall_ms);
    wounds_.at(monotonic_ms);
  }

  // ---- the start of a shard that keeps a log (restart.cc): what it holds, in pieces, a checkpoint first; then restored(), and only
  // then anything else. Each says what is wrong; the participant is then of no use.
  std::optional<std::string> restore_checkpoint(std::string_view pairs);
  std::optional<std::string> restore(std::string_view entries);
  // Attempts that have voted hold again, and this start is logged.
  std::optional<std::string> restored();

  // ---- what comes in; call settle() after a batch of these
  void attach(Coordinator& coordinator) { coordinators_.push_back(&coordinator); }
  // Releases what has not voted, withdraws what waits, keeps what has voted. The session may go afterwards.
  void lose(Coordinator& coordinator);
  // `arrived_ms`: when its frame was taken in; what it may take counts from then.
  void request(Coordinator& coordinator, RequestMessage& message, double arrived_ms);
  void committed(Coordinator& coordinator, std::uint64_t number, Timestamp at);
  void aborted(Coordinator& coordinator, std::uint64_t number);
  // At another shard an older transaction waits for this attempt.
  void wounded_elsewhere(const AttemptId& id, std::uint64_t by_priority);
  void inquire(Coordinator& coordinator, const InquiryMessage& message);
  // The client cannot find out how the attempt ended.
  void abandoned(Coordinator& coordinator, std::uint64_t number);
  // Another participant says how an attempt in doubt has ended.
  void resolve(const AttemptId& id, bool commit, Timestamp at);
  // To and from `locks: none` it takes effect later (conditions_change.h).
  void set_conditions(const Conditions& conditions);

  // Grants what can be granted, until nothing moves.
  void settle();
  // Once a turn: the next part of what large attempts that have ended still hold goes.
  void leave();
  // Wounds, idle and expired attempts, forgetting. Call when next_sweep_ms() has come, after pending input was taken in.
  void sweep();
  double next_sweep_ms() const;

  // Shards whose clocks are too far from this one's: no attempt over this shard and one of them gets a vote here. What has a vote
  // already ends as it would have.
  void set_skewed(std::vector<std::uint32_t> shards) { skewed_ = std::move(shards); }
  // While nothing can be made durable: what would have to be logged, or saw what is not durable, is refused (`disk_full`), so
  // that what remains, reads, waits for nothing.
  void refuse_changes(bool on) {
    refuses_changes_ = on;
    clock_.refuse_changes(on);
  }

  std::optional<std::string> begin_checkpoint() { return checkpointing_.begin(next_serial_); }

  // An attempt that has voted here stands in an older one's way: its other participants must not let it wait.
  struct WoundTold {
    AttemptId id;
    std::uint64_t priority;  // of the wounder
    ShardList participants;
  };
  // Those that have come up since the last call.
  std::vector<WoundTold> take_wounds_told() { return std::exchange(wounds_told_, {}); }

  // ---- its rooms
  Journal& journal() { return journal_; }
  const Journal& journal() const { return journal_; }
  Cut& cut() { return outcomes_.cut(); }
  const Cut& cut() const { return outcomes_.cut(); }
  Checkpointing& checkpointing() { return checkpointing_; }
  Doubts& doubts() { return doubts_; }
  const Doubts& doubts() const { return doubts_; }
  Outcomes& outcomes() { return outcomes_; }
  const Outcomes& outcomes() const { return outcomes_; }
  SharedOperations& shared() { return shared_; }
  const SharedOperations& shared() const { return shared_; }
  Effects& effects() { return effects_; }
  Records& records() { return records_; }
  Deduplication& deduplication() { return deduplication_; }
  ShardClock& clock() { return clock_; }
  const Wounds& wounds() const { return wounds_; }
  const LockRule& lock_rule() const { return locks_.rule(); }
  const Conditions& conditions() const { return conditions_.in_force(); }
  const std::vector<std::uint32_t>& skewed() const { return skewed_; }
  const Context& context() const { return context_; }
  const ShardPlace& place() const { return options_.place; }
  std::size_t attempts_in_flight() const { return attempts_.size(); }
  bool leaving() const { return !departures_.empty(); }
  // Attempts that have ended and may still be asked about.
  std::size_t outcomes_known() const { return outcomes_.known().size() - (attempts_.size() - departures_.size()); }

 private:
  // ---- participant.cc: requests and votes
  Attempt* begin(Coordinator& coordinator, const RequestMessage& message, double arrived_ms);
  std::optional<Error> check_begin(const Coordinator& coordinator, const RequestMessage& message) const;
  std::optional<Error> take_visits(Attempt& attempt, RequestMessage& message, Request& request);
  // It changes nothing, and what it would see is durable.
  bool stands_durably(std::string_view key, const OperationSpec& operation) const;
  // False when that has ended the attempt.
  bool take_joins(Attempt& attempt, const RequestMessage& message);
  void start(Attempt& attempt);
  void run_without_locks(Attempt& attempt);
  // The request of a traced attempt has been tried.
  void trace(const Request& request, const Visit* refused, bool denied);
  void complete(Request& request);
  void vote(Request& request);
  Attempt* find(const Coordinator& coordinator, std::uint64_t number) const;

  using SharedList = absl::InlinedVector<SharedMessage, 1>;
  SharedList share(const Request& request);
  // `position` in the log that the reply depends on, beside what its results do.
  void reply(Request& request, Timestamp voted_at, Timestamp committed_at, std::uint64_t position, const SharedList& shared = {});
  void reply_error(Coordinator& coordinator, std::uint64_t number, const Error& error, const WaitedMessage& waited = {});
  // What the attempt has waited since it was last asked.
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
  // `position` of its entry in the log, 0 if it has none.
  void commit(Attempt& attempt, Timestamp at, std::uint64_t position);
  // An attempt that has voted is committed at a time that it was told of.
  void commit_voted(Attempt& attempt, Timestamp at);
  void abort(Attempt& attempt, const Error& error) override;
  void tell_abort(const Attempt& attempt, std::string_view code, std::string_view cause);
  void abort_refused(Attempt& attempt, const Refusal& refusal, const Visit& refused);
  // Removes the attempt, all but what is known of it; the reference is dead afterwards. What it did takes effect, if it
  // has committed, no later than its locks go.
  void end(Attempt& attempt, Timestamp committed_at = 0, std::uint64_t position = 0);
  std::unique_ptr<Attempt> take(Attempt& attempt);

  // ---- retried.cc: transactions with an id, whose home is here
  // False when its transaction cannot begin here now; that is answered then.
  bool claim(Coordinator& coordinator, const RequestMessage& message);
  // What comes with the prepare. An error where it cannot be kept.
  std::optional<Error> take_answer(const Attempt& attempt, const PrepareMessage& prepare);

  void adopt(std::unique_ptr<Attempt> attempt, std::uint64_t expires_wall_ms);

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
  SharedOperations shared_;
  Deduplication deduplication_;
  Checkpoint checkpoint_;
  Effects effects_;
  Departures departures_;
  Doubts doubts_;
  Outcomes outcomes_;
  AttemptLog log_;
  ConditionsChange conditions_;
  Checkpointing checkpointing_;
  std::unique_ptr<Replay> replay_;  // until restored()
  bool refuses_changes_ = false;

  std::vector<Coordinator*> coordinators_;
  absl::btree_map<std::uint64_t, Attempt*> attempts_;  // by serial: walked in order of arrival
  absl::btree_map<std::uint64_t, std::unique_ptr<Attempt>> orphans_;  // voted, session lost; by serial
  std::vector<WoundTold> wounds_told_;
  std::uint64_t next_serial_ = 1;
  std::vector<std::uint32_t> skewed_;
  double next_expiry_ms_ = 0;
  double next_forgetting_ms_ = 0;
};

}  // namespace claret
