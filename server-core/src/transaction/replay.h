// Rebuilds a shard from what is stored: the pairs of a checkpoint, then the log entries behind it.
//
// Entries are replayed in order. A commit is applied to its records, each of which skips the entries that its position covers. A vote
// recreates its attempt, whose locks are restored only at the end, when it is known that no outcome follows. The records end as they were,
// with the same bytes. What is known of slots may be newer than the entries: those that an emptied slot has behind it are passed over.
//
// Pieces of a checkpoint that was never finished are either older than the log that is still there, which then repeats their contents, or
// of a generation that is not valid. Not thread-safe.
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
#include "transaction/importing.h"
#include "transaction/journal.h"
#include "transaction/moves.h"
#include "transaction/native_sessions.h"
#include "wire/checkpoint.h"
#include "wire/log_entry.h"

namespace claret {

// The state known from the checkpoint and the log so far; later entries may still change it.
struct Told {
  // A record of a checkpoint whose state comes in parts, after all records.
  struct InParts {
    Record* record;
    std::uint64_t walk;
    std::uint64_t parts;
    std::uint64_t come = 0;
    std::string bytes{};  // of the parts so far
  };
  // A record that a checkpoint has put after its header, and that the types of the header cannot read: a log entry behind it installs what it takes.
  struct Unread {
    std::string key;
    std::uint8_t type;
    std::uint64_t last_position;
    std::string bytes;
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
  std::uint64_t time_ms = 0;  // the shard's own time at the last entry that states it; 0: unknown
  std::uint64_t newest_incarnation = 0;  // of those that wrote the checkpoint and the log
  std::uint64_t newest_record = 0;  // the greatest position among the checkpoint's records
  absl::btree_map<std::string, InParts, std::less<>> in_parts;  // by key
  std::size_t incomplete = 0;  // how many of in_parts are incomplete
  std::vector<Unread> unread;
  std::vector<KeptOutcome> outcomes;  // from checkpoints; entries may repeat some
  std::uint64_t last_expires_wall_ms = 0;  // the latest among all commits at this shard alone
  absl::btree_map<std::uint64_t, Voted> voted;  // by position; votes without an outcome so far
  absl::flat_hash_map<AttemptId, std::uint64_t> position_of;  // of the votes; looked up, never iterated
  std::deque<Alone> alone;  // in order of commit
  absl::btree_map<AttemptId, UnforgottenCommit> together;  // not forgotten so far
  absl::btree_map<AttemptId, std::uint64_t> aborted;  // until when, in wall time
  std::size_t remembered = 0;  // how many outcomes and aborted attempts were left when they were last looked through
};

class Replay {
 public:
  // The objects to be rebuilt.
  struct Target {
    Journal& journal;
    Records& records;
    Deduplication& deduplication;
    Effects& effects;
    Checkpoint& checkpoint;
    Counters& counters;
    NativeSessions& native_sessions;
    Moves& moves;
    Importing& importing;
    AttemptKeeper& keeper;  // of the voted attempts
  };

  // `context`: of the shard, which may learn its incarnation after the last piece.
  Replay(const ShardPlace& place, const Context& context, const Target& target)
      : place_(place),
        context_(context),
        journal_(target.journal),
        records_(target.records),
        deduplication_(target.deduplication),
        effects_(target.effects),
        checkpoint_(target.checkpoint),
        counters_(target.counters),
        native_sessions_(target.native_sessions),
        moves_(target.moves),
        importing_(target.importing),
        keeper_(target.keeper) {}

  // Each takes a piece and returns an error message, after which the shard is unusable. Pairs come before entries.
  std::optional<std::string> take_checkpoint(std::string_view pairs);
  std::optional<std::string> take_entries(std::string_view entries);
  // Absent, or what the checkpoint has that no type can read.
  std::optional<std::string> unread_record() const;
  // An error if a record's part is missing. To be called after all pieces.
  std::optional<std::string> missing_part() const;
  // An error if this start's incarnation is not greater than all before. To be called after all pieces.
  std::optional<std::string> earlier_incarnation() const;

  Told& told() { return told_; }

 private:
  std::optional<std::string> take(LogEntry& entry);
  // False if there is anything wrong with it.
  bool restore_type(const LoggedType& type);
  std::optional<std::string> take_started(const LogEntry& entry);
  bool is_later(std::uint64_t incarnation);
  // Drops what is no longer remembered at the shard's own time: a standby follows a log for as long as it lives.
  void forget_due();
  std::optional<std::string> take_commit(LogEntry& entry);
  std::optional<std::string> take_natives(LogEntry& entry);
  NativeAnswers* answers_to_keep(const LogEntry& entry);
  std::optional<std::string> take_vote(LogEntry& entry);
  bool take_members(const LogEntry& entry, Attempt& attempt);
  std::optional<std::string> take_outcome(LogEntry& entry);
  // Of a member of an epoch, those that its vote has left out. False if they are not all there.
  static bool take_late_results(LogEntry& entry, Attempt& attempt);
  std::optional<std::string> take_move(LogEntry& entry);
  std::optional<std::string> take_visits(LogEntry& entry, Attempt& attempt);
  // The record's state has what the entry did, or the slot was emptied later.
  bool contains(const Record& record, std::uint64_t position) const {
    return record.last_position >= position || moves_.slots().emptied_at(record.slot) >= position;
  }
  // What an emptied slot has left behind is void for entries behind that.
  bool is_void(const Record& record, std::uint64_t position) const;
  // Makes it one of that type, unless it is one of another.
  bool become(Record& record, const DataType& type);
  void take_effects(Attempt& attempt, Timestamp at, std::uint64_t position);

  // ---- replay_checkpoint.cc
  std::optional<std::string> restore_pair(const Pair& pair);
  std::optional<std::string> restore_header(std::string_view value);
  std::optional<std::string> restore_record(const Pair& pair);
  std::optional<std::string> restore_part(const Pair& pair);
  // Decodes the state, once all parts of the record are there or if it has none.
  std::optional<std::string> restore_state(Record& record, std::string_view bytes);
  // Reads the records that the types of now can read.
  void read_unread();
  bool read(const Told::Unread& one);
  std::optional<std::string> restore_vote(const Pair& pair);
  std::optional<std::string> restore_commit(const Pair& pair);
  std::optional<std::string> restore_outcomes(std::string_view value);
  std::optional<std::string> restore_session(const Pair& pair);
  std::optional<std::string> restore_slots(const Pair& pair);

  ShardPlace place_;
  const Context& context_;
  Journal& journal_;
  Records& records_;
  Deduplication& deduplication_;
  Effects& effects_;
  Checkpoint& checkpoint_;
  Counters& counters_;
  NativeSessions& native_sessions_;
  Moves& moves_;
  Importing& importing_;
  AttemptKeeper& keeper_;
  Told told_;
};

}  // namespace claret
