// Log entries about attempts, and what the next checkpoint has to keep of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "counters/counters.h"
#include "transaction/checkpoint.h"
#include "transaction/deduplication.h"
#include "transaction/journal.h"
#include "transaction/shard_clock.h"

namespace claret {

class AttemptLog {
 public:
  AttemptLog(Journal& journal, Checkpoint& checkpoint, const Deduplication& deduplication, const Counters& counters,
             const ShardClock& clock)
      : journal_(journal), checkpoint_(checkpoint), deduplication_(deduplication), counters_(counters), clock_(clock) {}

  // Each appends an entry and returns its position.
  std::uint64_t commit(const Attempt& attempt, Timestamp at);
  std::uint64_t vote(const Attempt& attempt);
  // `at` 0: aborted. Returns 0 if the vote was not logged, since its outcome is not logged then either.
  std::uint64_t outcome(const Attempt& attempt, Timestamp at);
  // For an attempt that never came here. REQUIRES: the journal is on.
  void aborted(const AttemptId& id, double until_ms);

  // The vote as a pair of the checkpoint in progress.
  std::string vote_pair(const Attempt& attempt) const;
  // True if the attempt's vote belongs to the checkpoint in progress, because it had no outcome when the checkpoint began.
  bool is_to_put(const Attempt& voter) const;

  // Until when, in wall time, the answer is kept if the attempt commits now; 0 for a transaction without an id.
  std::uint64_t kept_until(const Attempt& attempt) const;

 private:
  std::optional<AnswerToLog> answer_of(const Attempt& attempt) const;
  VoterToLog voter_of(const Attempt& attempt) const;

  Journal& journal_;
  Checkpoint& checkpoint_;
  const Deduplication& deduplication_;
  const Counters& counters_;
  const ShardClock& clock_;
};

}  // namespace claret
