// Settles what a dead client left: attempts that have voted here and whose session is lost.
//
// This shard asks the other participants (client/proto: Inquiry). One that knows the outcome decides it; if all have
// voted yes the attempt is committed at the greatest vote timestamp; one that has aborted, or never heard of it and so
// aborts it now, aborts it. A participant that cannot be reached keeps the votes locked: shown, never guessed.
#pragma once

#include <absl/container/btree_map.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "transaction/participant.h"

namespace claret {

inline constexpr double kAskAgainMs = 50;

class Recovery {
 public:
  Recovery(Participant& participant, std::uint32_t shard) : participant_(participant), shard_(shard) {}

  // The stream `peer` leads to that shard.
  void bind(std::uint32_t peer, std::uint32_t shard);
  void unbind(std::uint32_t peer);
  bool bound(std::uint32_t peer) const { return links_.contains(peer); }
  // Participants of attempts in doubt that no stream leads to yet.
  std::vector<std::uint32_t> wanted_shards() const;

  // False when the bytes are not a frame.
  bool take(std::uint32_t peer, std::string_view bytes);
  // Asks what is to be asked; the peers that have output.
  void tick(double now_ms, std::vector<std::uint32_t>& outputs);
  bool drain(std::uint32_t peer, std::string& frame);
  // Infinity when there is nothing to ask.
  double next_ms() const;

 private:
  struct Link {
    std::uint32_t shard = 0;
    std::uint64_t incarnation = 0;
    std::uint64_t frames_in = 0;
    std::uint64_t frames_out = 0;
    std::string out;
  };
  struct Answers {
    absl::btree_map<std::uint32_t, Timestamp> voted;  // by shard
  };

  Participant& participant_;
  std::uint32_t shard_;
  absl::btree_map<std::uint32_t, Link> links_;     // by peer
  absl::btree_map<AttemptId, Answers> answers_;
  double ask_at_ms_ = 0;
};

}  // namespace claret
