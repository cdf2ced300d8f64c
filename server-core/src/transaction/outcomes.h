// Outcomes of attempts that have ended here, kept as long as they may be asked for, and how they are forgotten.
//
// An attempt that was never enlisted is kept by its session alone. It is *published* among the known attempts once somebody may ask for it:
// when its session is lost, with the first inquiry for an unknown attempt, and for a checkpoint.
#pragma once

#include <vector>

#include "transaction/checkpoint.h"
#include "transaction/coordinator.h"
#include "transaction/cut.h"
#include "transaction/doubts.h"
#include "transaction/journal.h"
#include "transaction/known_attempts.h"
#include "transaction/shard_clock.h"

namespace claret {

class Outcomes {
 public:
  Outcomes(ShardClock& clock, Journal& journal, Checkpoint& checkpoint, Doubts& doubts)
      : clock_(clock), journal_(journal), checkpoint_(checkpoint), doubts_(doubts) {}

  KnownAttempts& known() { return known_; }
  const KnownAttempts& known() const { return known_; }
  // The number of attempts that are kept here or by sessions; at most kKnownAttemptsMax.
  std::size_t kept() const { return known_.size() + unpublished_; }
  // While a cut is prepared no commit over several shards is forgotten.
  Cut& cut() { return cut_; }
  const Cut& cut() const { return cut_; }

  // The attempt has committed here.
  void committed(const Attempt& attempt, Timestamp at);
  void aborted(const Attempt& attempt) {
    if (attempt.enlisted) known_.aborted(attempt.id, attempt.expires_at_ms);
  }
  // Publishes the session's commits; costs nothing if they are.
  void publish(Coordinator& coordinator);
  // True for an attempt that has voted here and whose outcome no client reports.
  bool in_doubt(const AttemptId& id) const {
    const Attempt* attempt = known_.under_way(id);
    return attempt != nullptr && attempt->in_doubt;
  }
  // Outcomes from before this start.
  void restore(const KeptOutcome& outcome);
  void restore(const AttemptId& id, const UnforgottenCommit& commit);

  // The client no longer asks about attempts with smaller numbers.
  void forgotten_below(Coordinator& coordinator, std::uint64_t number);
  // Every participant has logged these commits over several shards.
  void forget(const std::vector<AttemptId>& ids);
  void forget(const AttemptId& id) {
    const KnownAttempts::Known* known = known_.find(id);
    if (known != nullptr && known->state == AttemptState::kCommitted) forget(std::vector{id});
  }
  // The client may reconnect and ask; after that the participants settle its commits.
  void session_lost(Coordinator& coordinator);

 private:
  void forget_alone(Coordinator& coordinator);

  ShardClock& clock_;
  Journal& journal_;
  Checkpoint& checkpoint_;
  Doubts& doubts_;
  KnownAttempts known_;
  std::size_t unpublished_ = 0;  // commits, of all sessions
  Cut cut_{clock_, journal_, [this](const std::vector<AttemptId>& ids) { forget(ids); }};
};

}  // namespace claret
