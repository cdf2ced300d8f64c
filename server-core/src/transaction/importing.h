// The taker's import of a run of slots: takes the pieces of another shard's copy (giving.h). Their records stand in the table beside all others,
// and the answers likewise; nobody can reach them, since the shard does not own their slots yet. So to take the run over costs the same
// however large it is.
//
// A piece is logged as it is staged, with its times in this shard's own. A large record grows with each of its parts. Not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gate/records.h"
#include "ground/errors.h"
#include "transaction/checkpoint.h"
#include "transaction/deduplication.h"
#include "transaction/moves.h"
#include "wire/slots.h"

namespace claret {

class Importing {
 public:
  Importing(Records& records, Deduplication& deduplication, Checkpoint& checkpoint, const Moves& moves)
      : records_(records), deduplication_(deduplication), checkpoint_(checkpoint), moves_(moves) {}

  // Takes a piece apart: what it is, and its pairs as they are logged. `wall_ms`: the shard's own time. False if the bytes are no piece.
  static bool open(std::string_view piece, double wall_ms, PieceHead& head, std::string& pairs);
  // An error if there is no room for the answers in the pairs.
  std::optional<Error> check_room(std::string_view pairs) const;
  // Stages the pairs of the entry at that position; records that contain it already are left as they are. False if the pairs are invalid: some
  // of them may be staged then.
  bool stage(std::string_view pairs, const SlotRun& slots, std::uint64_t position);

 private:
  class Stage;

  Records& records_;
  Deduplication& deduplication_;
  Checkpoint& checkpoint_;
  const Moves& moves_;
};

}  // namespace claret
