// What a log has told so far, and its later entries may still change: restore.cc.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "transaction/attempt.h"
#include "wire/checkpoint.h"

namespace claret {

struct Replay {
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

}  // namespace claret
