#include "transaction/moves.h"

#include <utility>

#include "ground/mutation.h"

namespace claret {

namespace {

KeptMove kept(const LoggedMove& move) {
  return {.id = std::string(move.id), .slots = move.slots, .peer = move.peer, .version = move.version};
}

}  // namespace

bool Moves::keeps(std::uint32_t slot) const {
  return slots_.owns(slot) || (imported_ && imported_->slots.contains(slot)) || (taking_ && taking_->slots.contains(slot));
}

void Moves::apply(LogEntryKind kind, const LoggedMove& move, Timestamp at, std::uint64_t position) {
  position_ = position;
  to_put_ = true;
  switch (kind) {
    case LogEntryKind::kImported:
      if (!imported_) imported_ = kept(move);
      imported_->pieces = move.piece;
      imported_->complete = move.complete;
      return;
    case LogEntryKind::kGave:
      slots_.disown(move.slots, move.version);
      slots_.empty(move.slots, position);
      given_ = kept(move);
      given_->at = at;
      return;
    case LogEntryKind::kTook:
      imported_.reset();
      taken_ = move.id;
      taking_ = Taking{move.slots, move.version, position};
      if (mutated(Mutation::kTookNotAwaited)) durable(position);
      return;
    case LogEntryKind::kDropped:
      imported_.reset();
      slots_.empty(move.slots, position);
      return;
    default:
      given_.reset();
  }
}

void Moves::durable(std::uint64_t position) {
  if (!taking_ || taking_->position > position) return;
  slots_.own(taking_->slots, taking_->version);
  taking_.reset();
}

KeptSlots Moves::put() {
  to_put_ = false;
  SlotTable slots = slots_;
  if (taking_) slots.own(taking_->slots, taking_->version);  // the pair is stored behind the entry
  return {.position = position_, .spans = slots.spans(), .given = given_, .imported = imported_, .taken = taken_};
}

void Moves::restore(KeptSlots kept) {
  slots_.restore(kept.spans);
  given_ = std::move(kept.given);
  imported_ = std::move(kept.imported);
  taken_ = std::move(kept.taken);
  position_ = kept.position;
}

}  // namespace claret
