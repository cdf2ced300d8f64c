// What is in a claim's way, told to people: in errors, in the counts of pairs that meet, in telemetry. All of it follows from the claim's verdict.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "gate/locks.h"
#include "ground/errors.h"

namespace claret {

// Told of Why::kQuarantine.
inline constexpr std::string_view kQuarantined = "the shard has started, and warranties from before may stand";

// A holder, another who waits, a native or a warranty.
struct Obstacle {
  std::uint32_t label;  // of the transaction, or kNativeLabel, or kWarrantyLabel
  const DataType* type;
  const Call* call;
};

// The first that is in the way of a blocked claim. None if it waits for the end of a drain or of the quarantine, or if nothing is in the way any more.
std::optional<Obstacle> first_obstacle(const Claim& claim, const LockRule& rule);

// One of `waits` (counters.h).
std::string_view cause_of_wait(const Claim& claim, const LockRule& rule);

// Why a waiting or denied request is not granted: names the first obstacle, and the time after which a warranty may have ended.
Error blocked_error(const Locks& locks, const GateRequest& request, std::string_view code, double now_ms);

// Why a party is ended for a waiter: names the record and the operations of the two.
Error in_the_way_error(const Locks& locks, const Party& blocker, const Party& waiter, std::string_view code);

}  // namespace claret
