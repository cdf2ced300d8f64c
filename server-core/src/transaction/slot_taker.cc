#include "transaction/slot_taker.h"

#include <algorithm>

#include "transaction/move_errors.h"

namespace claret {

namespace {

LoggedMove logged(const KeptMove& move) { return {.id = move.id, .slots = move.slots, .peer = move.peer, .version = move.version}; }

}  // namespace

std::optional<Error> SlotTaker::import_piece(std::string_view move, std::uint32_t from, std::string_view piece) {
  if (!ground_.journal.on()) return refuse(move_errors::kInvalidMove, "a shard without a log takes no slots");
  PieceHead head;
  std::string pairs;
  if (!move_errors::is_valid_id(move) || from == ground_.place.shard || from >= kShardsMax ||
      !Importing::open(piece, ground_.clock.wall_ms(), head, pairs)) {
    return refuse(move_errors::kInvalidMove, "the bytes are no piece of a run that another shard gives");
  }
  if (ground_.clock.refuses_changes()) return changes_refused(ground_.clock.trouble());
  if (auto error = check_piece(move, from, head)) return error;
  if (auto error = parts_.importing.check_room(pairs)) return error;
  ground_.set_shards(from + 1);
  const LoggedMove imported{.id = move,
                            .slots = head.slots,
                            .peer = from,
                            .version = head.version,
                            .piece = head.number,
                            .complete = head.complete,
                            .pairs = pairs};
  if (parts_.importing.stage(pairs, head.slots, ground_.journal.position() + 1)) {
    ground_.moves.apply(LogEntryKind::kImported, imported, 0, ground_.journal.move(LogEntryKind::kImported, imported));
    return std::nullopt;
  }
  drop(imported);
  return refuse(move_errors::kInvalidMove, "the piece holds what is no record of the run: the import is dropped");
}

std::optional<Error> SlotTaker::check_piece(std::string_view move, std::uint32_t from, const PieceHead& head) const {
  if (const std::optional<KeptMove>& imported = ground_.moves.imported()) {
    if (imported->id != move) return refuse(move_errors::kMoveInProgress, "the shard takes another run of slots", true);
    const bool goes_on = imported->slots == head.slots && imported->version == head.version && imported->peer == from;
    if (goes_on && head.number == imported->pieces + 1) return std::nullopt;
    return refuse(move_errors::kInvalidMove, "a piece that does not follow those before it");
  }
  if (head.number != 1) return move_errors::unknown();
  for (std::uint32_t slot = head.slots.first; slot <= head.slots.last; ++slot) {
    if (ground_.moves.keeps(slot)) return refuse(move_errors::kInvalidMove, "the shard owns a slot of the run already");
  }
  if (head.version <= ground_.slots().version(head.slots)) return refuse(move_errors::kInvalidMove, "the run's version is an older one");
  if (!parts_.leftovers.overlap(head.slots)) return std::nullopt;
  return refuse(move_errors::kMoveInProgress, "what was there before is not removed yet", true);
}

std::optional<Error> SlotTaker::take_over(std::string_view move, Timestamp at) {
  if (ground_.moves.takes(move)) return std::nullopt;
  const std::optional<KeptMove>& imported = ground_.moves.imported();
  if (!imported || imported->id != move) return move_errors::unknown();
  if (!imported->complete) return refuse(move_errors::kMoveNotReady, "pieces of the run are missing");
  if (at == 0 || !HybridClock::possible(at)) return refuse(move_errors::kInvalidMove, "a time that no shard can have reached");
  if (ground_.clock.refuses_changes()) return changes_refused(ground_.clock.trouble());
  const KeptMove taken = *imported;
  ground_.clock.pass(at);
  ground_.clock.raise(at);
  ground_.moves.apply(LogEntryKind::kTook, logged(taken), at, ground_.journal.move(LogEntryKind::kTook, logged(taken), at));
  ground_.records.note_deletions(taken.slots, at);  // there may have been some where the slots were before
  ground_.set_foreign();
  return std::nullopt;
}

std::optional<Error> SlotTaker::drop_import(std::string_view move) {
  const std::optional<KeptMove>& imported = ground_.moves.imported();
  if (!imported || imported->id != move) return move_errors::unknown();
  if (ground_.clock.refuses_changes()) return changes_refused(ground_.clock.trouble());
  const KeptMove dropped = *imported;
  drop(logged(dropped));
  return std::nullopt;
}

void SlotTaker::drop(const LoggedMove& move) {
  const std::uint64_t position = ground_.journal.move(LogEntryKind::kDropped, move);
  ground_.moves.apply(LogEntryKind::kDropped, move, 0, position);
  parts_.leftovers.add(move.slots, position);
}

}  // namespace claret
