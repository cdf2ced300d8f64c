// Slots that move (docs/decisions/0033-slots-that-move.md), as bytes and back: what a checkpoint says of a shard's slots, and what a piece
// of a run says of itself. Protobuf:
//
//   slots := position(1: uint64) span(2)* given(3: move) imported(4: move) taken(5: bytes)
//                                                    as of the entry at that position. given: the other shard may not have taken it yet.
//                                                    imported: its pieces are there, and nobody sees them. taken: the move that was taken last
//   span  := first(1: uint32) last(2: uint32) owned(3: bool) version(4: uint32) emptied(5: uint64)
//                                                    emptied: no record of these slots has effects of the entry at that position, or of one
//                                                    before it
//   move  := id(1: bytes) first(2: uint32) last(3: uint32) peer(4: uint32) version(5: uint32) at(6: fixed64) pieces(7: uint64)
//            complete(8: bool)                       `at`: of given. pieces, complete: of imported, those that have come
//   piece := first(1: uint32) last(2: uint32) version(3: uint32) number(4: uint64) complete(5: bool) time(6: uint64)
//                                                    numbered from 1. complete: with it nothing of the run is missing. `time` is the giver's
//                                                    own (log_entry.h), as are the times in the piece
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ground/slots.h"

namespace claret {

inline constexpr std::size_t kMoveIdBytesMax = 64;

// A run of slots about which a shard knows the same.
struct SlotSpan {
  SlotRun slots;
  bool owned = false;
  std::uint32_t version = 0;
  std::uint64_t emptied_at = 0;

  bool operator==(const SlotSpan&) const = default;
};

struct KeptMove {
  std::string id;
  SlotRun slots;
  std::uint32_t peer = 0;
  std::uint32_t version = 0;
  Timestamp at = 0;
  std::uint64_t pieces = 0;
  bool complete = false;

  bool operator==(const KeptMove&) const = default;
};

struct KeptSlots {
  std::uint64_t position = 0;
  std::vector<SlotSpan> spans;
  std::optional<KeptMove> given;
  std::optional<KeptMove> imported;
  std::string taken;

  bool operator==(const KeptSlots&) const = default;
};
void add_value(std::string& out, const KeptSlots& kept);
// False if the bytes are not what add_value writes.
bool read_value(std::string_view bytes, KeptSlots& kept);

struct PieceHead {
  SlotRun slots;
  std::uint32_t version = 0;
  std::uint64_t number = 0;
  bool complete = false;
  std::uint64_t time_ms = 0;
};
void add_value(std::string& out, const PieceHead& head);
bool read_value(std::string_view bytes, PieceHead& head);

}  // namespace claret
