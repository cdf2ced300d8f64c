// Votes in doubt, and commits that other shards may not know of: what the participants have to settle among themselves (shard/recovery.h).
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "transaction/attempt.h"

namespace claret {

// `committed_at` 0: an attempt that has voted here and whose outcome no client reports. Otherwise a commit here that another participant
// may not know of, since the client that would report it is gone.
struct Unsettled {
  AttemptId id;
  Timestamp committed_at;
  Timestamp voted_at;
  ShardList participants;
  double ask_at_ms;
  // Set for a member of an epoch. Recovery asks these shards before it asks about the member (shard/recovery.h).
  EpochNumber epoch = 0;
  std::vector<std::uint32_t> epoch_shards{};
};

class Doubts {
 public:
  // The attempt has voted, and its coordinator is gone or late. Counts once for each attempt.
  void add(Attempt& attempt, double now_ms) {
    if (std::exchange(attempt.in_doubt, true)) return;
    ++in_doubt_;
    unsettled_.push_back({attempt.id, 0, attempt.voted_at, attempt.participants, now_ms, attempt.epoch, {}});
    if (!attempt.member_of_epoch) return;
    const ShardList& shards = attempt.member_of_epoch->shards;
    unsettled_.back().epoch_shards.assign(shards.begin(), shards.end());
  }
  // The attempt has its outcome.
  void remove(Attempt& attempt) {
    if (std::exchange(attempt.in_doubt, false)) --in_doubt_;
  }
  // The other participants have to be notified of a commit.
  void tell(const AttemptId& id, Timestamp committed_at, ShardList participants, double ask_at_ms) {
    unsettled_.push_back({id, committed_at, 0, std::move(participants), ask_at_ms});
  }

  std::size_t in_doubt() const { return in_doubt_; }
  // The entries added since the last call.
  std::vector<Unsettled> take() { return std::exchange(unsettled_, {}); }
  bool any() const { return !unsettled_.empty(); }

 private:
  std::size_t in_doubt_ = 0;
  std::vector<Unsettled> unsettled_;
};

}  // namespace claret
