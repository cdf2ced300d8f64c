// A shard rebuilt from what it has kept: a checkpoint's pairs, then the entries of the log behind it.
//
// Entries are replayed in order. A commit is applied to its records, each of which skips what its position says that it has; a vote
// makes its attempt again, which takes its place at the gates only at the end, when it is known that no outcome follows. The records end
// as they were: same bytes.
//
// Pieces of a checkpoint that was never finished are either older than the log that is still there, which then says it again, or of a
// generation that does not count.
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
#include <string_view>
#include <vector>

#include "counters/counters.h"
#include "gate/records.h"
#include "transaction/attempt.h"
#include "transaction/deduplication.h"
#include "transaction/effects.h"
#include "transaction/journal.h"
#include "wire/checkpoint.h"
#include "wire/log_entry.h"

namespace claret {

// What checkpoint and log have told so far, and later entries may still change.
struct Told {
  // A record of a checkpoint whose state comes in parts, behind all records.
  struct InParts {
    Record* record;
    std::uint64_t walk;
    std::uint64_t parts;
    std::uint64_t come = 0;
    std::string bytes{};  // of those
  };
  struct Voted {
    std::unique_ptr<Attempt> attempt;
    std::uint64_t expires_wall_ms;
  };
  struct Alone {
    AttemptId id;
    Timestamp committed_at;
    std::uint64_t expires_wall_ms;
  };
  std::uint64_t checkpoint = 0;  // its position; 0: none
  std::uint64_t time_ms = 0;  // how far the shard's own time had come; 0: not known
  std::uint64_t newest_record = 0;  // the last entry that a record of it has taken in
  absl::btree_map<std::string, InParts, std::less<>> in_parts;  // by key
  std::size_t incomplete = 0;  // of these
  std::vector<KeptOutcome> outcomes;  // from checkpoints; entries may tell of some again
  std::uint64_t last_expires_wall_ms = 0;  // of all that committed here alone
  absl::btree_map<std::uint64_t, Voted> voted;  // by position: without an outcome so far
  absl::flat_hash_map<AttemptId, std::uint64_t> position_of;  // of their votes; only asked, never walked
  std::deque<Alone> alone;  // in order of commit
  absl::btree_map<AttemptId, UnforgottenCommit> together;  // not forgotten so far
  absl::btree_map<AttemptId, std::uint64_t> aborted;  // until, in wall time
};

class Replay {
 public:
  // What is rebuilt.
  struct Target {
    Journal& journal;
    Records& records;
    Deduplication& deduplication;
    Effects& effects;
    Checkpoint& checkpoint;
    Counters& counters;
    AttemptKeeper& keeper;  // of the attempts that have voted
  };

  Replay(const ShardPlace& place, std::uint64_t incarnation, const Target& target)
      : place_(place),
        incarnation_(incarnation),
        journal_(target.journal),
        records_(target.records),
        deduplication_(target.deduplication),
        effects_(target.effects),
        checkpoint_(target.checkpoint),
        counters_(target.counters),
        keeper_(target.keeper) {}

  // Each takes a piece, and says what is wrong with it; the shard is then of no use. Pairs come before entries.
  std::optional<std::string> take_checkpoint(std::string_view pairs);
  std::optional<std::string> take_entries(std::string_view entries);
  // After all of them: what is wrong with the whole.
  std::optional<std::string> missing_part() const;

  Told& told() { return told_; }

 private:
  std::optional<std::string> take(LogEntry& entry);
  std::optional<std::string> take_commit(LogEntry& entry);
  std::optional<std::string> take_vote(LogEntry& entry);
  std::optional<std::string> take_outcome(LogEntry& entry);
  std::optional<std::string> take_visits(LogEntry& entry, Attempt& attempt);
  void take_effects(Attempt& attempt, Timestamp at, std::uint64_t position);

  // ---- replay_checkpoint.cc
  std::optional<std::string> restore_pair(const Pair& pair);
  std::optional<std::string> restore_header(std::string_view value);
  std::optional<std::string> restore_record(const Pair& pair);
  std::optional<std::string> restore_part(const Pair& pair);
  // All parts of a record have come, or it had none.
  std::optional<std::string> restore_state(Record& record, std::string_view bytes);
  std::optional<std::string> restore_vote(const Pair& pair);
  std::optional<std::string> restore_commit(const Pair& pair);
  std::optional<std::string> restore_outcomes(std::string_view value);

  ShardPlace place_;
  std::uint64_t incarnation_;
  Journal& journal_;
  Records& records_;
  Deduplication& deduplication_;
  Effects& effects_;
  Checkpoint& checkpoint_;
  Counters& counters_;
  AttemptKeeper& keeper_;
  Told told_;
};

}  // namespace claret
