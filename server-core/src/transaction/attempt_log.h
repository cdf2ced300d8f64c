// Entries of the log about attempts, and what the next checkpoint has to keep of them.
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

  // Each appends an entry and gives its position.
  std::uint64_t commit(const Attempt& attempt, Timestamp at);
  std::uint64_t vote(const Attempt& attempt);
  // At 0: aborted. 0 where the vote was not logged: then its outcome is not.
  std::uint64_t outcome(const Attempt& attempt, Timestamp at);
  // Of an attempt that never came here. REQUIRES: the journal is on.
  void aborted(const AttemptId& id, double until_ms);

  // The vote again, as a pair of the checkpoint under way.
  std::string vote_pair(const Attempt& attempt) const;
  // Its vote is part of the checkpoint under way, since it had no outcome when that began.
  bool is_to_put(const Attempt& voter) const;

  // In wall time, until when its answer is kept where it commits now; 0 for an attempt of a transaction without an id.
  std::uint64_t kept_until(const Attempt& attempt) const;

 private:
  std::optional<AnswerToLog> answer_of(const Attempt& attempt) const;

  Journal& journal_;
  Checkpoint& checkpoint_;
  const Deduplication& deduplication_;
  const Counters& counters_;
  const ShardClock& clock_;
};

}  // namespace claret
