// The giver's copy of a run of slots: hands out its records and kept answers in pieces (wire/slots.h), while the shard serves it.
//
// First every record of the run is copied, and every kept answer of transactions with their home there; what changes meanwhile is copied again,
// as long as it takes. Once nobody can change the run any more (a drain), a piece without anything left after it is *complete*. The pieces
// may hold effects that are not durable: they count only together with the entry `gave`, which comes behind all of these. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "gate/records.h"
#include "transaction/deduplication.h"
#include "transaction/effects.h"
#include "transaction/shard_clock.h"
#include "transaction/slot_copy.h"
#include "wire/slots.h"

namespace claret {

// A run that is to be given.
struct Give {
  std::string move;
  SlotRun slots;
  std::uint32_t to = 0;
};

// The result of one call.
struct GivePiece {
  std::string bytes;  // may be empty
  bool complete = false;
  std::size_t bytes_left = 0;  // an estimate, of the records; 0: nothing is left for now
};

struct Slice;

class Giving {
 public:
  Giving(Records& records, Deduplication& deduplication, Effects& effects, const ShardClock& clock, SlotCopy& copy)
      : records_(records), deduplication_(deduplication), effects_(effects), clock_(clock), copy_(copy) {}

  bool under_way() const { return copy_.under_way; }
  const Give& give() const { return give_; }
  std::uint32_t version() const { return version_; }
  // The last piece was complete.
  bool complete() const { return complete_; }

  // `version`: of the run at the taker. REQUIRES: nothing is under way.
  void begin(Give give, std::uint32_t version);
  // Takes a piece of about `bytes_max` bytes, with bounded work. `drained`: nobody can change the run any more.
  void take(std::size_t bytes_max, bool drained, GivePiece& piece);
  // The run can be changed again.
  void not_complete() { complete_ = false; }
  void end();

 private:
  void walk(Slice& slice);
  void copy(Slice& slice, Record& record);
  // False if the walk is over.
  bool next_slot(Slice& slice);
  bool take_answers(Slice& slice);

  Records& records_;
  Deduplication& deduplication_;
  Effects& effects_;
  const ShardClock& clock_;
  SlotCopy& copy_;
  Give give_;
  std::uint32_t version_ = 0;
  std::uint64_t pieces_ = 0;
  std::uint64_t walks_ = 0;
  std::uint64_t answer_pairs_ = 0;
  std::size_t records_copied_ = 0;
  std::size_t bytes_copied_ = 0;
  bool answers_left_ = true;
  bool complete_ = false;
};

}  // namespace claret
