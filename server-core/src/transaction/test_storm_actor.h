// For tests of histories: what every actor of a storm has in common. An actor adds what it has committed to the storm's history.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "shard/dice.h"
#include "shard/test_world.h"

namespace claret::testing {

struct Done {
  Op op;
  std::vector<Value> result;  // empty if the operation has none or its answer was lost
};

struct Committed {
  Timestamp at;
  std::vector<Done> operations;
};

// How often things have happened, by what happened. A storm in which something does not happen proves nothing about it.
using Tally = std::map<std::string, std::uint64_t>;

inline void operator+=(Tally& sum, const Tally& more) {
  for (const auto& [what, times] : more) sum[what] += times;
}

class StormActor {
 public:
  StormActor() = default;
  StormActor(const StormActor&) = delete;
  StormActor& operator=(const StormActor&) = delete;
  virtual ~StormActor() = default;

  // Begins something, or takes the next step of it.
  virtual void act(Dice& dice) = 0;
  // Sends what has to be sent at some time.
  virtual void deliver_outcomes() {}
  // The stream breaks, and messages in flight in either direction are lost.
  virtual void lose_session(std::uint32_t shard) = 0;
  // Ends what is under way and begins nothing else; act() resumes.
  virtual void pause() {}
  // The same for good. It is called again and again.
  virtual void finish(Dice& dice) = 0;
  // Whether all is settled.
  virtual bool idle() = 0;
  // Everything is over: compares what the actor saw with what has committed.
  virtual void judge(const std::vector<Committed>& history) { static_cast<void>(history); }

  Tally counts;
};

}  // namespace claret::testing
