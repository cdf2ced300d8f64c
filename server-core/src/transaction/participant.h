// One shard's part in transactions: takes requests in, runs them at the gates, votes, applies outcomes, aborts.
//
// The rules are those of the founding design's transactions: strict two-phase locking; a shard votes yes when all of an
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

#include "errors.h"
#include "shard/clock.h"
#include "shard/telemetry.h"
#include "transaction/intake.h"
#include "transaction/locks.h"
#include "transaction/outcomes.h"
#include "transaction/records.h"
#include "transaction/shared_operations.h"
#include "wire/client_frame.h"
#include "wire/server_frame.h"

namespace claret {

struct ParticipantOptions {
  ShardPlace place;
  std::uint64_t incarnation = 1;
  double phase_cap_ms = 2;
  double wound_delay_ms = 5;
  double wound_grace_ms = 20;
  double idle_ms = 2000;
};

struct Conditions {
  LockKind locks = LockKind::kAbstract;
  bool phasing = true;
  std::string combining = "auto";

  bool operator==(const Conditions&) const = default;
};

class Participant {
 public:
  // `has_output` is told of every session that gets something to say.
  Participant(const ParticipantOptions& options, Telemetry& telemetry, std::function<void(Session&)> has_output);

  // The monotonic time of everything that follows.
  void at(double now_ms) { now_ms_ = now_ms; }

  // ---- what comes in; call settle() after a batch of these
  void attach(Session& session) { sessions_.push_back(&session); }
  // Releases what has not voted, withdraws what waits, keeps what has voted. The session may go afterwards.
  void lose(Session& session);
  void request(Session& session, RequestMessage& message);
  // Before and after a frame's requests: shared operations that the session lets go of. Each goes once the last of the
  // frame's requests that names it has joined.
  void release(Session& session, const std::vector<std::uint32_t>& shared, const std::vector<RequestMessage>& requests) {
    shared_.release(session, shared, requests);
  }
  void finish_release(Session& session, const std::vector<std::uint32_t>& shared) {
    shared_.finish_release(session, shared);
  }
  void committed(Session& session, std::uint64_t number, Timestamp at);
  void aborted(Session& session, std::uint64_t number);
  void forgotten_below(Session& session, std::uint64_t number);
  // At another shard an older transaction waits for this attempt.
  void wounded_elsewhere(const AttemptId& id, std::uint64_t by_priority);
  void inquire(Session& session, const InquiryMessage& message);

  // Grants what can be granted, until nothing moves.
  void settle();
  // Wounds, idle and expired attempts, forgetting. Call when next_sweep_ms() has come, after pending input was taken in.
  void sweep();
  double next_sweep_ms() const;

  const Conditions& conditions() const { return conditions_; }
  // To and from `locks: none` takes effect once the attempts that span the change are gone: those that have not voted
  // are aborted, new ones are refused until the others have their outcome.
  void set_conditions(const Conditions& conditions);

  // ---- attempts that have voted and whose session is lost: in doubt until their participants have been asked
  struct Doubt {
    AttemptId id;
    ShardList participants;
    Timestamp voted_at;
  };
  std::vector<Doubt> in_doubt() const;
  bool any_in_doubt() const { return !orphans_.empty(); }
  void resolve(const AttemptId& id, bool commit, Timestamp at);

  Records& records() { return records_; }
  HybridClock& clock() { return clock_; }
  const Context& context() const { return context_; }
  const ShardPlace& place() const { return options_.place; }
  std::size_t attempts_in_flight() const { return attempts_.size(); }
  std::size_t waiting() const { return waiting_.size(); }
  std::size_t shared_holders() const { return shared_.standing(); }
  // Attempts that have ended and may still be asked about.
  std::size_t outcomes_known() const { return outcomes_.size(); }
  // Records that commits have made, or changed while they were watched, since the last call; some more than once.
  std::vector<Record*> take_changed() { return std::exchange(changed_, {}); }

 private:
  // ---- participant.cc: requests, votes, outcomes
  Attempt* begin(Session& session, const RequestMessage& message);
  std::optional<Error> check_begin(const Session& session, const RequestMessage& message) const;
  std::optional<Error> take_visits(Attempt& attempt, RequestMessage& message, Request& request);
  // False when that has ended the attempt.
  bool take_joins(Attempt& attempt, const RequestMessage& message);
  void start(Attempt& attempt);
  void run_without_locks(Attempt& attempt);
  void complete(Request& request);
  void vote(Request& request);
  void deny(Attempt& attempt);
  void apply(Attempt& attempt, Timestamp at);
  void commit(Attempt& attempt, Timestamp at);
  void abort(Attempt& attempt, const Error& error);
  void abort_refused(Attempt& attempt, const Refusal& refusal, const Visit& refused);
  // Removes every trace of the attempt; the reference is dead afterwards.
  void end(Attempt& attempt);
  void apply_visit(Visit& visit, Timestamp at);
  using SharedList = absl::InlinedVector<SharedMessage, 1>;
  SharedList share(const Request& request);
  void reply(Request& request, Timestamp voted_at, Timestamp committed_at, const SharedList& shared = {});
  void reply_error(Session& session, std::uint64_t number, const Error& error);
  Attempt* find(const Session& session, std::uint64_t number) const;
  void finish_draining();

  // ---- wounds.cc: who waits too long, and for whom
  void waits(Attempt& attempt);
  // False when that has ended the attempt.
  bool break_cycles(Attempt& attempt);
  void check_waiter(Attempt& waiter);
  void wound(Attempt& blocker, const Attempt& wounder);
  void wound(SharedHolder& blocker, const Attempt& wounder);
  void expire_attempts();

  ParticipantOptions options_;
  Telemetry& telemetry_;
  std::function<void(Session&)> has_output_;
  Context context_;
  Records records_;
  HybridClock clock_;
  Conditions conditions_;
  Locks locks_;
  SharedOperations shared_;
  Outcomes outcomes_;
  std::optional<Conditions> draining_to_;

  std::vector<Session*> sessions_;
  absl::btree_map<std::uint64_t, Attempt*> attempts_;  // by serial: walked in order of arrival
  absl::btree_map<std::uint64_t, Attempt*> waiting_;   // by serial
  absl::flat_hash_map<AttemptId, Attempt*> by_id_;     // only asked, never walked
  absl::btree_map<std::uint64_t, std::unique_ptr<Attempt>> orphans_;  // voted, session lost; by serial
  struct Due {
    double at_ms;
    std::uint64_t serial;
  };
  std::deque<Due> wound_checks_;
  std::vector<Record*> changed_;
  std::uint64_t next_serial_ = 1;
  double now_ms_ = 0;
  double next_expiry_ms_ = 0;
  double next_forgetting_ms_ = 0;
};

}  // namespace claret
