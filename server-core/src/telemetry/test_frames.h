// A watched world, for tests of the frames that its shard reports.
#pragma once

#include <string>

#include "shard/test_client.h"

namespace claret::testing {

inline std::string name(const ShownOperation& one) {
  return one.operation == nullptr ? "" : std::string(one.type->name()) + '.' + std::string(one.operation->name);
}

struct Watched : World {
  explicit Watched(ShardOptions options = {}, std::uint32_t count = 1) : World(count, options) { shards[0]->observe(true, now()); }
  TelemetryFrame frame() { return shards[0]->take_telemetry(now()); }
};

}  // namespace claret::testing
