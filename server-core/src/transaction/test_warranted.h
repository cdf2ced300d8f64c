// For tests: a shard that grants warranties, wherever it may unless it is told otherwise, and its clients.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "shard/test_disk.h"

namespace claret::testing {

inline constexpr double kTermMs = 1000;
inline constexpr double kFirmMsMax = 3000;

inline Op warranted(Op op, std::uint32_t warrant = 1) {
  op.warrant = warrant;
  return op;
}

inline ShardOptions with_firm_promises(std::uint64_t uses_min) {
  ShardOptions options;
  options.engine.warranties.uses_min = uses_min;
  options.engine.warranties.firm_ms_max = kFirmMsMax;
  return options;
}

struct WarrantingShard {
  explicit WarrantingShard(std::uint64_t uses_min = 0, std::uint32_t shards = 1) : world(shards, with_firm_promises(uses_min)) {
    for (auto& shard : world.shards) shard->set_conditions({.warranties = WarrantyPolicy::kAuto}, world.now());
  }

  TestClient client(std::uint32_t shard = 0) { return {world, ++peers, TestClient::Numbered{.warranties = true}, shard}; }
  Engine& engine() { return world.shards[0]->engine(); }
  const Totals& totals() const { return world.shards[0]->counters().totals; }

  World world;
  std::uint32_t peers = 0;
};

// Reads with the wish for a warranty, in a transaction of its own. Returns the number of the grant, 0 if there is none.
inline std::uint64_t granted(TestClient& client, std::uint64_t attempt, const Op& op) {
  const std::size_t before = client.warranties.granted.size();
  client.run(attempt, {warranted(op)});
  return client.warranties.granted.size() == before ? 0 : client.warranties.granted.back().grant;
}

}  // namespace claret::testing
