// Checkpoints: what a restart needs in place of the log up to some position, kept apart a piece at a time while the shard
// goes on. Here is what they have to remember; Participant takes them (checkpoint.cc).
//
// A checkpoint begins at a position and holds everything up to there, in pairs that are put in place over those of the one
// before. Only what has changed since that one began is put:
//   - records are *dirty* from their first change until they are put. They are put as they are when their turn comes, with the
//     position of the last entry applied to them: replay skips what is not newer. A record that an ended attempt has yet to
//     leave lacks effects of an entry that its position may cover: there the attempt leaves it first;
//   - the state of a record that is large goes in parts, over several calls. A *walk* puts them as of its beginning, whatever
//     changes the record meanwhile (adt/ordered_parts.h), and then the record's pair, which names them: until then the older
//     pair counts, with the parts that it names. One walk at a time;
//   - votes without an outcome are put as of the checkpoint's position, all of them: one that is decided before its turn is
//     put first;
//   - outcomes that have been logged are put once, and commits over several shards as long as they are not forgotten, all
//     of them each time. Replay may meet them again: they say the same;
//   - so are the answers that are kept for transactions with an id (deduplication.h).
// Thread safety: none needed.
#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gate/gate.h"
#include "wire/checkpoint.h"

namespace claret {

// What one call hands out.
struct CheckpointPiece {
  std::string pairs;
  std::uint64_t position = 0;  // of the checkpoint, in its last piece
};

struct Checkpoint {
  struct Walk {
    Record* record = nullptr;  // null: none is under way
    RecordHead head;  // as it will be put; counts the parts that are
    std::unique_ptr<StateParts> state;
  };

  // Parts that no record names, or no longer: what a crash in the middle of a walk, or right behind it, has left.
  struct StaleParts {
    std::string record_key;
    std::uint64_t walk;
  };

  // An outcome in the log since the last checkpoint began: worth keeping while somebody may ask about it.
  struct Ended {
    AttemptId id;
    std::uint64_t until_wall_ms;
  };

  bool under_way() const { return position != 0; }

  // Before any operation is applied to any record.
  void changing(const Record& record, const Call& call) {
    if (&record == walk.record) walk.state->before(call);
  }

  // The record's state has changed, by the entry at this position.
  void changed(Record& record, std::uint64_t by) {
    // By an attempt that was leaving when the checkpoint began: it is part of it, whatever list holds the record already.
    const bool of_this_one = by <= position;
    if (record.dirty && !of_this_one) return;
    record.dirty = true;
    (of_this_one ? to_put : dirty).push_back(&record);
  }

  // ---- for the next one
  std::deque<Record*> dirty;  // each once
  std::deque<Ended> ended;  // in order of the log
  absl::btree_map<AttemptId, UnforgottenCommit> unforgotten;
  std::vector<StaleParts> stale;
  std::uint64_t walks = 0;  // the greatest that any part names

  // ---- the one under way
  std::uint64_t position = 0;  // 0: none is
  std::uint64_t next_voter = 0;  // serial: those before have had their turn
  std::uint64_t voters_below = 0;  // those from here on came later
  std::deque<std::string> decided;  // pairs of votes that were decided before their turn
  std::optional<AttemptId> last_commit_put;
  bool commits_put = false;
  std::size_t ended_to_put = 0;  // of `ended`, from the front
  std::uint64_t chunks = 0;  // of outcomes and of answers, put so far
  std::deque<Record*> to_put;  // some more than once
  Walk walk;
};

}  // namespace claret
