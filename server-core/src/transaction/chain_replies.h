// What the clients of chains are told, and what is counted of their members (chains.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "counters/counters.h"
#include "transaction/chain.h"
#include "transaction/coordinator.h"
#include "transaction/journal.h"
#include "transaction/shard_clock.h"
#include "transaction/witness.h"
#include "wire/client_frame.h"

namespace claret {

inline Error chain_broken(std::string message) {
  return {.code = errors::kChainBroken, .message = std::move(message), .retryable = true, .cause = causes::kChainBroken};
}

// The member is to be sent again: a lock, or something undecided, was in the visit's way.
Error member_denied(const Visit& visit, std::string message);

class ChainReplies {
 public:
  // `has_output` is called for every session that gets output.
  ChainReplies(Journal& journal, ShardClock& clock, std::function<void(Coordinator&)> has_output)
      : journal_(journal), clock_(clock), has_output_(std::move(has_output)) {}

  // The member's results. They are new: what its client says about older ones counts no more.
  void answer(Member& member);
  // The same without a number: it commits whatever its client says.
  void tell(Member& member);
  // `needs`: the position of the log that must be durable before the client of a member that ends by itself may know.
  void refuse(const Member& member, const Error& error, std::uint64_t needs);
  // The member has come after its chain was over.
  void refuse_late(Coordinator& coordinator, const MemberMessage& message);
  // The member has committed. Unless it ends by itself, its client is told together with others', by `tell_committed`. `needs`: the position of the
  // log that must be durable before.
  void committed(const Member& member, Timestamp at, std::uint64_t needs);
  void tell_committed(Chain& chain);
  // `reason`: one of reasons::.
  void broken(Chain& chain, std::string_view reason, const Error& error);

 private:
  Journal& journal_;
  ShardClock& clock_;
  std::function<void(Coordinator&)> has_output_;
  // What has committed since the last `tell_committed`.
  std::vector<std::uint64_t> committed_;
  std::vector<Timestamp> committed_at_;
};

}  // namespace claret
