// One shard's part in transactions: takes requests in, runs them at the gates, votes, applies outcomes, aborts.
//
// The rules: strict two-phase locking; a shard votes yes when all of an
// attempt's operations here are granted, and keeps all its locks until it learns the outcome; an attempt is committed
// once every participant has voted yes, at the greatest vote timestamp; where this shard is the only participant, its
// vote is the commit. Wounds forbid to wait (they do not kill), so only who has to wait is ever aborted by an elder.
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
#include "errors.h"
#include "gate/locks.h"
#include "gate/records.h"
#include "gate/wounds.h"
#include "ground/clock.h"
#include "transaction/checkpoint.h"
#include "transaction/conditions.h"
#include "transaction/deduplication.h"
#include "transaction/intake.h"
#include "transaction/journal.h"
#include "transaction/known_attempts.h"
#include "transaction/shared_operations.h"
#include "transaction/witness.h"
#include "wire/client_frame.h"
#include "wire/server_frame.h"

namespace claret {

struct Replay;

struct ParticipantOptions {
  ShardPlace place;
  std::uint64_t incarnation = 1;
  double phase_cap_ms = 2;
  WoundSettings wounds;
  bool logged = false;  // what happens is handed out as entries of a log; else the shard restarts empty
  std::size_t visits_leave_at_once = 256;  // an attempt of more leaves in parts of so many
};

// Of all that leaves in parts, at least this share goes in a turn.
inline constexpr std::size_t kTurnsToLeave = 32;

class Participant : public AttemptKeeper {
 public:
  // `has_output` is told of every session that gets something to say.
  Participant(const ParticipantOptions& options, Counters& counters, std::function<void(Session&)> has_output);
  ~Participant();

  // Null: nobody watches.
  void watch(TransactionWitness* witness) {
    witness_ = witness;
    locks_.watch(witness);
  }

  // The time of everything that follows.
  void at(double monotonic_ms, double wall_ms);

  // ---- the log (restore.cc): first of all what it holds, in pieces; then restored(), and only then anything else
  // Says what is wrong with the entries; the participant is then of no use.
  std::optional<std::string> restore(std::string_view entries);
  // Holders of attempts that have voted stand again, and this start is logged.
  std::optional<std::string> restored();

  // ---- a consistent cut over all shards (cut.cc). REQUIRES: a log
  // From now on, until the cut is passed or called off, no commit over several shards is forgotten here. The time that the
  // clock has reached.
  Timestamp prepare_cut();
  bool cut_prepared() const { return cut_prepared_; }
  // Entries up to some position will have timestamps up to `at`, all later ones greater ones. False where the clock has gone
  // beyond `at`. REQUIRES: cut_prepared().
  bool set_cut(Timestamp at);
  bool cut_set() const { return cut_at_ != kNoCut || cut_position_; }
  // The clock passes the cut, unless it has; that position. REQUIRES: cut_set().
  std::uint64_t cut();
  void call_off_cut();
  Journal& journal() { return journal_; }
  const Journal& journal() const { return journal_; }

  // ---- checkpoints (checkpoint.cc, restore_checkpoint.cc); each says why not
  // Before restore().
  std::optional<std::string> restore_checkpoint(std::string_view pairs);
  std::optional<std::string> begin_checkpoint();
  std::optional<std::string> take_checkpoint(std::size_t bytes_max, CheckpointPiece& piece);

  // ---- what comes in; call settle() after a batch of these
  void attach(Session& session) { sessions_.push_back(&session); }
  // Releases what has not voted, withdraws what waits, keeps what has voted. The session may go afterwards.
  void lose(Session& session);
  // `arrived_ms`: when its frame was taken in; what it may take counts from then.
  void request(Session& session, RequestMessage& message, double arrived_ms);
  // Before and after a frame's requests: shared operations that the session lets go of. Each goes once the last of the
  // frame's requests that names it has joined.
  void release(Session& session, const std::vector<std::uint32_t>& shared, const std::vector<RequestMessage>& requests) {
    shared_.release(session, shared, requests);
  }
  void finish_release(Session& session, const std::vector<std::uint32_t>& shared) { shared_.finish_release(session, shared); }
  void committed(Session& session, std::uint64_t number, Timestamp at);
  void aborted(Session& session, std::uint64_t number);
  void forgotten_below(Session& session, std::uint64_t number);
  // At another shard an older transaction waits for this attempt.
  void wounded_elsewhere(const AttemptId& id, std::uint64_t by_priority);
  void inquire(Session& session, const InquiryMessage& message);
  // The client cannot find out how the attempt ended.
  void abandoned(Session& session, std::uint64_t number);

  // Grants what can be granted, until nothing moves.
  void settle();
  // Once a turn: the next part of what large attempts that have ended still hold goes.
  void leave();
  bool leaving() const { return !leaving_.empty(); }
  // Wounds, idle and expired attempts, forgetting. Call when next_sweep_ms() has come, after pending input was taken in.
  void sweep();
  double next_sweep_ms() const;

  const Conditions& conditions() const { return conditions_; }
  // To and from `locks: none` takes effect once the attempts that span the change are gone: those that have not voted
  // are aborted, new ones are refused until the others have their outcome.
  void set_conditions(const Conditions& conditions);

  // Shards whose clocks are too far from this one's: no attempt over this shard and one of them gets a vote here. What has a vote
  // already ends as it would have.
  void set_skewed(std::vector<std::uint32_t> shards) { skewed_ = std::move(shards); }
  const std::vector<std::uint32_t>& skewed() const { return skewed_; }

  // While nothing can be made durable: what would have to be logged, or saw what is not durable, is refused (`disk_full`), so
  // that what remains, reads, waits for nothing.
  void refuse_changes(bool on) { refuses_changes_ = on; }

  // ---- what the participants have to settle among themselves (shard/recovery.h)
  // At 0: an attempt that has voted here and whose outcome nobody tells. Else one that is committed here, while another
  // participant may not know, since the client that would tell is gone.
  struct Unsettled {
    AttemptId id;
    Timestamp committed_at;
    Timestamp voted_at;
    ShardList participants;
    double ask_at_ms;
  };
  // Those that have come up since the last call.
  std::vector<Unsettled> take_unsettled() { return std::exchange(unsettled_, {}); }
  bool any_unsettled() const { return !unsettled_.empty(); }
  // Voted here, and still without an outcome?
  bool in_doubt(const AttemptId& id) const;
  void resolve(const AttemptId& id, bool commit, Timestamp at);
  // Every participant has logged this commit.
  void forget_commit(const AttemptId& id);

  // An attempt that has voted here stands in an older one's way: its other participants must not let it wait.
  struct WoundTold {
    AttemptId id;
    std::uint64_t priority;  // of the wounder
    ShardList participants;
  };
  // Those that have come up since the last call.
  std::vector<WoundTold> take_wounds_told() { return std::exchange(wounds_told_, {}); }

  Records& records() { return records_; }
  Deduplication& deduplication() { return deduplication_; }
  HybridClock& clock() { return clock_; }
  const Context& context() const { return context_; }
  const ShardPlace& place() const { return options_.place; }
  std::size_t attempts_in_flight() const { return attempts_.size(); }
  std::size_t attempts_in_doubt() const { return in_doubt_; }
  const Wounds& wounds() const { return wounds_; }
  const LockRule& lock_rule() const { return locks_.rule(); }
  std::size_t shared_holders() const { return shared_.standing(); }
  const KnownAttempts& known() const { return known_; }
  // Attempts that have ended and may still be asked about.
  std::size_t outcomes_known() const { return known_.size() - (attempts_.size() - leaving_.size()); }
  // Records that commits have made, or changed while they were watched, since the last call; some more than once.
  std::vector<Record*> take_changed() { return std::exchange(changed_, {}); }

 private:
  // ---- participant.cc: requests, votes, outcomes
  Attempt* begin(Session& session, const RequestMessage& message, double arrived_ms);
  std::optional<Error> check_begin(const Session& session, const RequestMessage& message) const;
  std::optional<Error> take_visits(Attempt& attempt, RequestMessage& message, Request& request);
  // It changes nothing, and what it would see is durable.
  bool stands_durably(std::string_view key, const OperationSpec& operation) const;
  // False when that has ended the attempt.
  bool take_joins(Attempt& attempt, const RequestMessage& message);
  void start(Attempt& attempt);
  void run_without_locks(Attempt& attempt);
  // For those who watch: the request of a traced attempt has been tried.
  void trace(const Request& request, const Visit* refused, bool denied);
  void complete(Request& request);
  void vote(Request& request);
  void deny(Attempt& attempt);
  void apply(Attempt& attempt, Timestamp at, std::uint64_t position);
  // `position` of its entry in the log, 0 if it has none.
  void commit(Attempt& attempt, Timestamp at, std::uint64_t position);
  void remember_commit(Attempt& attempt, Timestamp at);
  void abort(Attempt& attempt, const Error& error) override;
  void tell_abort(const Attempt& attempt, std::string_view code, std::string_view cause);
  void abort_refused(Attempt& attempt, const Refusal& refusal, const Visit& refused);
  // Removes the attempt, all but what is known of it; the reference is dead afterwards. What it did takes effect, if it
  // has committed, no later than its locks go.
  void end(Attempt& attempt, Timestamp committed_at = 0, std::uint64_t position = 0);
  std::unique_ptr<Attempt> take(Attempt& attempt);
  void apply_visit(Visit& visit, Timestamp at, std::uint64_t position);
  using SharedList = absl::InlinedVector<SharedMessage, 1>;
  SharedList share(const Request& request);
  // `position` in the log that the reply depends on, beside what its results do.
  void reply(Request& request, Timestamp voted_at, Timestamp committed_at, std::uint64_t position, const SharedList& shared = {});
  void reply_error(Session& session, std::uint64_t number, const Error& error, const WaitedMessage& waited = {});
  // What the attempt has waited since it was last asked.
  static WaitedMessage take_waited(Attempt& attempt);
  Attempt* find(const Session& session, std::uint64_t number) const;
  void finish_draining();

  void granted(Request& request) override { complete(request); }
  void refused(Request& request, const Refusal& refusal, const Visit& visit) override { abort_refused(*request.attempt, refusal, visit); }
  void moved(Request& request) override { wounds_.break_cycles(*request.attempt); }
  void tell_wound(Attempt& attempt, std::uint64_t wounder_priority, bool first, bool others) override;

  void expire_attempts();
  void expire(Attempt& attempt);

  // ---- retried.cc: transactions with an id, whose home is here
  // False when its transaction cannot begin here now; that is answered then.
  bool claim(Session& session, const RequestMessage& message);
  // What comes with the prepare. An error where it cannot be kept.
  std::optional<Error> take_answer(const Attempt& attempt, const PrepareMessage& prepare);
  std::optional<AnswerToLog> answer_to_log(const Attempt& attempt) const;
  // In wall time, where it commits now; 0 for one without an id.
  std::uint64_t kept_until(const Attempt& attempt) const;

  // ---- lost_sessions.cc
  void doubt(Attempt& attempt);
  // An attempt that has voted is committed at a time that it was told of.
  void commit_voted(Attempt& attempt, Timestamp at);
  // The next entry's timestamp is above the cut.
  void pass_cut();
  // Logged, or kept in mind while a cut is prepared.
  void forget_commits(const std::vector<AttemptId>& ids);

  // ---- restore.cc
  std::optional<std::string> replay(LogEntry& entry);
  std::optional<std::string> replay_commit(LogEntry& entry);
  std::optional<std::string> replay_vote(LogEntry& entry);
  std::optional<std::string> replay_outcome(LogEntry& entry);
  std::optional<std::string> replay_visits(LogEntry& entry, Attempt& attempt);
  void replay_effects(Attempt& attempt, Timestamp at, std::uint64_t position);
  void restore_outcome(const KeptOutcome& outcome);
  void adopt(std::unique_ptr<Attempt> attempt, std::uint64_t expires_wall_ms);

  // ---- checkpoint.cc
  struct Slice;
  bool put_votes(Slice& slice);
  bool put_commits(Slice& slice);
  bool put_outcomes(Slice& slice);
  bool put_answers(Slice& slice);
  bool put_records(Slice& slice);
  bool remove_stale_parts(Slice& slice);
  void put_record(Slice& slice, Record& record);
  void put_part(Slice& slice);
  void add_part(Slice& slice, std::string_view bytes);
  void remove_parts(Slice& slice, Record& record, std::uint64_t walks_below);
  void finish_checkpoint(std::string& pairs);
  bool is_to_put(const Attempt& voter) const;
  std::string vote_pair(const Attempt& attempt) const;
  void leave_now(Record& record);
  // Each appends an entry, and remembers what the next checkpoint has to keep of it. Its position, 0 without an entry.
  std::uint64_t log_commit(const Attempt& attempt, Timestamp at);
  std::uint64_t log_outcome(const Attempt& attempt, Timestamp at);

  // ---- restore_checkpoint.cc
  std::optional<std::string> restore_pair(const Pair& pair);
  std::optional<std::string> restore_header(std::string_view value);
  std::optional<std::string> restore_record(const Pair& pair);
  std::optional<std::string> restore_part(const Pair& pair);
  // All parts of a record have come, or it had none.
  std::optional<std::string> restore_state(Record& record, std::string_view bytes);
  // What is said of the checkpoint where a part has not come.
  std::optional<std::string> missing_part() const;
  std::optional<std::string> restore_vote(const Pair& pair);
  std::optional<std::string> restore_commit(const Pair& pair);
  std::optional<std::string> restore_outcomes(std::string_view value);

  // A timestamp above all others; the log holds a ceiling above it, if it needs one.
  Timestamp next_timestamp();
  // From now on the log holds a ceiling above it, if it needs one.
  void cover(Timestamp at);
  void raise_ceiling(Timestamp over);
  // The shard's own time was that when the log ended.
  void resume_time(double time_ms);
  // A start begins above the ceiling in the log, and above its wall clock. While nothing can be logged, the latter has to do.
  bool needs_ceiling(Timestamp at) const { return !(refuses_changes_ && clock_.passed_by_wall(at)); }
  double monotonic_ms(std::uint64_t wall_ms) const { return now_ms_ + (static_cast<double>(wall_ms) - wall_ms_); }
  std::uint64_t expiry_to_log(double expires_at_ms) const;
  void depends(Session& session, std::uint64_t position) { session.depend_on(position, journal_.durable()); }

  ParticipantOptions options_;
  Counters& counters_;
  std::function<void(Session&)> has_output_;
  Context context_;
  Records records_;
  HybridClock clock_;
  Timestamp ceiling_ = 0;  // as logged
  std::uint64_t ceiling_position_ = 0;
  Journal journal_;
  Conditions conditions_;
  Locks locks_;
  Wounds wounds_;
  TransactionWitness* witness_ = nullptr;
  SharedOperations shared_;
  KnownAttempts known_;
  Deduplication deduplication_;
  Checkpoint checkpoint_;
  std::unique_ptr<Replay> replay_;  // while the log is being read
  static constexpr Timestamp kNoCut = ~Timestamp{0};
  bool cut_prepared_ = false;
  Timestamp cut_at_ = kNoCut;  // to be passed
  std::optional<std::uint64_t> cut_position_;  // it has been passed there
  std::vector<AttemptId> forgotten_later_;  // while a cut is prepared
  std::optional<Conditions> draining_to_;
  bool refuses_changes_ = false;

  std::vector<Session*> sessions_;
  absl::btree_map<std::uint64_t, Attempt*> attempts_;  // by serial: walked in order of arrival
  absl::btree_map<std::uint64_t, std::unique_ptr<Attempt>> orphans_;  // voted, session lost; by serial
  // Ended, and still among attempts_: it holds what it did not come to let go of yet.
  struct Leaving {
    std::unique_ptr<Attempt> attempt;
    Timestamp committed_at;  // 0: aborted
    std::uint64_t position;
    std::size_t next = 0;  // of its visits
  };
  std::size_t leave(Leaving& one, Visit& first);
  std::deque<Leaving> leaving_;
  std::size_t leaving_visits_ = 0;  // those that are still to go
  std::vector<Record*> changed_;
  std::vector<Unsettled> unsettled_;
  std::size_t in_doubt_ = 0;
  std::vector<WoundTold> wounds_told_;
  std::uint64_t next_serial_ = 1;
  std::vector<std::uint32_t> skewed_;
  double now_ms_ = 0;
  // The shard's own time (wire/log_entry.h): by the wall clock once, from then on by the steady one.
  double wall_ms_ = 0;
  std::optional<double> wall_ahead_ms_;  // of the steady clock
  double next_expiry_ms_ = 0;
  double next_forgetting_ms_ = 0;
};

}  // namespace claret
