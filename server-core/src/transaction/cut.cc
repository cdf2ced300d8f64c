// Participant, continued: its part in a consistent cut over all shards (docs/decisions/0018-backup.md).
//
// The cut at a timestamp T holds of each shard's log what was logged before its clock went beyond T. Every shard is told T while T is still to come, so
// each sees by itself when it is passed: by a timestamp of its own, by a commit's that it is told of, or because it is asked to pass it.
//
// A vote's timestamp is not above its commit's, so whose commit is inside has all its votes inside; what is undecided
// inside is settled as after a crash. That asks shards which have forgotten nothing that others still lack: from before
// any shard is told T until it has passed it, a shard forgets no commit.
#include <utility>

#include "transaction/participant.h"

namespace claret {

Timestamp Participant::prepare_cut() {
  call_off_cut();
  cut_prepared_ = true;
  return clock_.reached();
}

bool Participant::set_cut(Timestamp at) {
  at |= 0xFF;  // of whichever shard
  if (clock_.reached() > at) return false;
  cut_at_ = at;
  // Who restores the entries begins above all that any shard can have given in its part of the cut.
  if (at > ceiling_) raise_ceiling(at);
  return true;
}

std::uint64_t Participant::cut() {
  if (!cut_position_) {
    clock_.raise(cut_at_);
    pass_cut();
  }
  return *std::exchange(cut_position_, std::nullopt);
}

void Participant::pass_cut() {
  const std::uint64_t position = journal_.position();
  call_off_cut();
  cut_position_ = position;
}

void Participant::call_off_cut() {
  cut_prepared_ = false;
  cut_at_ = kNoCut;
  cut_position_.reset();
  forget_commits(std::exchange(forgotten_later_, {}));
}

}  // namespace claret
