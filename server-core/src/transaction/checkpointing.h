// Takes checkpoints (checkpoint.h), piece by piece while the shard keeps running.
#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gate/records.h"
#include "transaction/attempt_log.h"
#include "transaction/checkpoint.h"
#include "transaction/deduplication.h"
#include "transaction/departures.h"
#include "transaction/journal.h"
#include "transaction/known_attempts.h"
#include "transaction/moves.h"
#include "transaction/native_sessions.h"
#include "transaction/shard_clock.h"

namespace claret {

struct Slice;

class Checkpointing {
 public:
  // The parts of the shard that a checkpoint reads. `attempts`: by serial.
  struct Source {
    const absl::btree_map<std::uint64_t, Attempt*>& attempts;
    const KnownAttempts& known;
    const Journal& journal;
    const ShardClock& clock;
    const AttemptLog& log;
    Moves& moves;
    Records& records;
  };

  Checkpointing(const ShardPlace& place, const Context& context, Checkpoint& checkpoint, const Source& source, Deduplication& deduplication,
                Departures& departures, Effects& effects, const NativeSessions& native_sessions)
      : place_(place),
        context_(context),
        checkpoint_(checkpoint),
        attempts_(source.attempts),
        known_(source.known),
        journal_(source.journal),
        clock_(source.clock),
        log_(source.log),
        moves_(source.moves),
        records_(source.records),
        deduplication_(deduplication),
        departures_(departures),
        effects_(effects),
        native_sessions_(native_sessions) {}

  // Both return an error message. `next_serial`: attempts from there on are not part of the checkpoint.
  std::optional<std::string> begin(std::uint64_t next_serial);
  // Takes a piece of about `bytes_max` bytes, with bounded work. The piece is empty while the journal holds entries that were not taken.
  std::optional<std::string> take(std::size_t bytes_max, CheckpointPiece& piece);

 private:
  bool put_slots(Slice& slice);
  bool erase_removed(Slice& slice);
  bool erase_never_put(Slice& slice);
  void erase(const Checkpoint::Removed& removed);
  bool remove_stale_parts(Slice& slice);
  bool put_votes(Slice& slice);
  bool put_commits(Slice& slice);
  bool put_outcomes(Slice& slice);
  bool put_answers(Slice& slice);
  bool put_sessions(Slice& slice);
  bool put_records(Slice& slice);
  void put_record(Slice& slice, Record& record);
  void put_part(Slice& slice);
  void remove_parts(Slice& slice, Record& record, std::uint64_t walks_below);
  void remove_record(Slice& slice, Record& record);
  void finish(std::string& pairs);

  ShardPlace place_;
  const Context& context_;
  Checkpoint& checkpoint_;
  const absl::btree_map<std::uint64_t, Attempt*>& attempts_;
  const KnownAttempts& known_;
  const Journal& journal_;
  const ShardClock& clock_;
  const AttemptLog& log_;
  Moves& moves_;
  Records& records_;
  Deduplication& deduplication_;
  Departures& departures_;
  Effects& effects_;
  const NativeSessions& native_sessions_;
};

}  // namespace claret
