// EpochReports: what this shard tells of its epochs while it is watched: when each was closed, listed and decided, and when its last member had its
// turn. Keeps those that are under way, and nothing without a witness. Not thread-safe.
#pragma once

#include <absl/container/btree_map.h>

#include <cstddef>
#include <cstdint>

#include "transaction/witness.h"

namespace claret {

// A member's turn. The member itself may be gone.
struct Turn {
  EpochNumber epoch;
  std::size_t operations;
  bool observes_only;
};

class EpochReports {
 public:
  void watch(TransactionWitness* witness) {
    witness_ = witness;
    open_.clear();
  }

  // `gathered_ms`: since when the member that has waited longest is gathered.
  void closed(EpochNumber epoch, double gathered_ms, double now_ms);
  void joined(EpochNumber epoch);
  // It was not listed.
  void kept_out(EpochNumber epoch);
  void listed(EpochNumber epoch, double now_ms);
  void decided(EpochNumber epoch, double now_ms);
  // REQUIRES: its members come back afterwards.
  void called_off(EpochNumber epoch, const std::vector<std::uint32_t>& late, double now_ms);
  // It was listed, and is gathered again.
  void came_back(EpochNumber epoch, double now_ms);
  void had_turn(const Turn& turn, bool committed, double now_ms);

 private:
  // More are not told.
  static constexpr std::size_t kOpenMax = 64;

  struct Open {
    EndedEpoch told;
    std::size_t members = 0;  // listed, and neither back nor committed
  };

  Open* find(EpochNumber epoch);
  void left(EpochNumber epoch, double now_ms);

  TransactionWitness* witness_ = nullptr;
  absl::btree_map<EpochNumber, Open> open_;
};

}  // namespace claret
