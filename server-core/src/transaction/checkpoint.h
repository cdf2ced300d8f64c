// Checkpoints: what a restart needs in place of the log up to a position, written piece by piece while the shard keeps running. This file
// has the bookkeeping; Checkpointing takes them (checkpointing.cc).
//
// A checkpoint begins at a position and holds everything up to there, as pairs that replace those of the checkpoint before. Only what has
// changed since that one began is put:
//   - records are *dirty* from their first change until they are put. They are put in their current state when their turn comes, with the
//     position of the last entry applied to them: replay skips entries that are not newer. A record that an ended attempt has yet to leave
//     lacks effects of an entry that its position may cover: there the attempt leaves the record first;
//   - a record that was never put, and is vacant by its turn, with all of its entries up to the checkpoint's position, is not put, and goes when the
//     checkpoint ends: a start from this checkpoint reads none of its entries, and one from the checkpoint before reads all of them;
//   - the state of a large record is put in parts, over several calls. A *walk* puts the parts as of its beginning, whatever changes the
//     record meanwhile (adt/ordered_parts.h), and then the record's pair, which names them: until then the older pair is valid, with its
//     own parts. There is one walk at a time;
//   - votes without an outcome are put as of the checkpoint's position, all of them: a vote that is decided before its turn is put first;
//   - logged outcomes are put once; commits over several shards are put in every checkpoint until they are forgotten. Replay may meet them
//     again, with the same content;
//   - the answers that are kept for transactions with an id are put once too (deduplication.h);
//   - the sessions whose natives are settled (native_sessions.h) are put in every checkpoint, with their answers;
//   - what the shard knows of its slots (moves.h) is put whenever it has changed, before anything else. The pairs of records that have vanished
//     with their slots are removed after that: replay passes over entries that emptied slots have behind them.
// Not thread-safe.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/btree_set.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gate/records.h"
#include "transaction/record_walk.h"

namespace claret {

// The result of one call.
struct CheckpointPiece {
  std::string pairs;
  std::uint64_t position = 0;  // of the checkpoint, in its last piece
};

struct Checkpoint {
  // A shard that is taken over numbers its walks from its incarnation on, above those of all starts before.
  static constexpr int kWalkBits = 32;

  // Parts that no record names, or names any more: the remains of a crash during a walk or just after it.
  struct StaleParts {
    std::string record_key;
    std::uint64_t walk;
  };

  // A record that has vanished or is vacant, and whose pair was removed. The lists below may name it until `until` checkpoints are finished.
  struct Removed {
    std::string key;
    Timestamp vanished;  // Record::last_commit since then: if it is another one now, the record has been there again
    std::uint64_t until;
  };

  // An outcome logged since the last checkpoint began, kept as long as it may be asked for.
  struct Ended {
    AttemptId id;
    std::uint64_t until_wall_ms;
  };

  bool under_way() const { return position != 0; }

  // The entry at this position has changed the record's state.
  void changed(Record& record, std::uint64_t by) {
    // By an attempt that was leaving when the checkpoint began: the change belongs to this checkpoint, whichever list holds the record.
    const bool of_this_one = by <= position;
    if (record.dirty && !of_this_one) return;
    record.dirty = true;
    (of_this_one ? to_put : dirty).push_back(&record);
  }

  // The record's state is about to be replaced, extended or dropped, without an operation. What a walk has put of it is void.
  void replacing(Record& record) {
    if (&record != walk.record) return;
    walk = {};
    record.in_parts = true;  // as if: its parts have to be removed
    record.dirty = true;
    to_put.push_front(&record);
  }

  // Other processes have gone on with checkpoints since the pairs were read here. A record that they can have put is dirty here, too, or some
  // of its parts were there already, and looked as if left behind by a crash. It is put again, and its parts, of whatever walk, go then, and
  // not before.
  void take_over(std::uint64_t incarnation, const Records& records) {
    for (const StaleParts& parts : stale) {
      Record* record = records.find(parts.record_key);
      if (record == nullptr || record->last_commit == 0 || record->dirty) continue;
      record->dirty = true;
      dirty.push_back(record);
    }
    absl::btree_set<std::string_view> keys;
    for (Record* record : dirty) {
      record->in_parts = record->put = true;
      keys.insert(record->key);
    }
    std::erase_if(stale, [&](const StaleParts& parts) { return keys.contains(parts.record_key); });
    walks = std::max(walks, incarnation << kWalkBits);
  }

  // ---- for the next checkpoint
  std::deque<Record*> dirty;  // each once
  std::deque<Ended> ended;  // in the order of the log
  absl::btree_map<AttemptId, UnforgottenCommit> unforgotten;
  std::vector<StaleParts> stale;
  std::uint64_t walks = 0;  // the greatest number that a part names
  std::deque<Removed> removed;  // in order of `until`
  std::uint64_t finished = 0;  // number of checkpoints
  std::uint64_t covered = 0;  // the position of the last one that was finished; a start may go back to it

  // ---- for the checkpoint in progress
  std::uint64_t position = 0;  // 0: none
  std::uint64_t next_voter = 0;  // serial; earlier voters have had their turn
  std::uint64_t voters_below = 0;  // serial; voters from here on came later
  std::deque<std::string> decided;  // pairs of votes that were decided before their turn
  std::optional<AttemptId> last_commit_put;
  bool commits_put = false;
  std::uint64_t next_session = 0;  // its id: sessions below have had their turn
  bool sessions_put = false;
  std::size_t ended_to_put = 0;  // of `ended`, from the front
  std::uint64_t chunks = 0;  // number of outcome and answer pairs put so far
  std::deque<Record*> to_put;  // may contain a record more than once
  std::deque<Removed> never_put;  // vacant; they go once `to_put` is empty
  RecordWalk walk;
};

}  // namespace claret
