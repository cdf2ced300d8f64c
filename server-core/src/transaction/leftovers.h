// What a run of slots leaves behind at a shard that has given it, or has dropped its import: records and kept answers that nobody can reach.
// They are removed in steps. A record vanishes from memory here; the next checkpoint removes its pair (checkpointing.cc). Not thread-safe.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "gate/records.h"
#include "transaction/checkpoint.h"
#include "transaction/deduplication.h"
#include "transaction/moves.h"

namespace claret {

class Leftovers {
 public:
  Leftovers(Records& records, Deduplication& deduplication, Checkpoint& checkpoint, const Moves& moves)
      : records_(records), deduplication_(deduplication), checkpoint_(checkpoint), moves_(moves) {}

  // The run was emptied by the entry at that position. REQUIRES: no visit refers to a record of it.
  void add(const SlotRun& slots, std::uint64_t position);
  bool empty() const { return runs_.empty() && rest_ == nullptr && !sweeps_answers_; }
  // Something of the run is still there.
  bool overlap(const SlotRun& slots) const;
  // Once a turn: the next step.
  void step() { step(kRecordsPerStep); }

  // After a restart: removes all at once. An error if the shard has records of other slots.
  std::optional<std::string> restored(std::uint64_t position);

 private:
  struct Emptied {
    SlotRun slots;
    std::uint64_t position;
  };
  static constexpr std::size_t kRecordsPerStep = 1024;

  void step(std::size_t records_max);
  bool is_left(const Record& record) const { return record.last_position <= moves_.slots().emptied_at(record.slot); }
  void remove(Record& record, std::uint64_t position);

  Records& records_;
  Deduplication& deduplication_;
  Checkpoint& checkpoint_;
  const Moves& moves_;
  std::deque<Emptied> runs_;  // slots that have had their turn are taken off the front
  Record* rest_ = nullptr;  // of the slot before that, those that have not had their turn
  std::uint64_t rest_position_ = 0;
  SlotRun rest_slots_;
  bool sweeps_answers_ = false;
};

}  // namespace claret
