// For tests of histories: asks for all records as of random times, and compares what it saw with what had committed by then.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "transaction/test_replay.h"

namespace claret::testing {

// All records as of one time.
struct Look {
  Timestamp at = 0;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> asked;  // by shard and number
};

class Looker : public StormActor {
 public:
  Looker(World& world, std::uint32_t identity, const std::vector<Committed>& history) : world_(world), history_(history) {
    for (std::uint32_t shard = 0; shard < world.shards.size(); ++shard) {
      clients_.push_back(std::make_unique<TestClient>(world, identity + 1000 * (shard + 1), shard, identity));
    }
  }

  void act(Dice& dice) override {
    const Timestamp now = world_.shards[dice.below(world_.shards.size())]->engine().ground.clock.reached();
    look(dice.below(3) == 0 || history_.empty() ? now : history_[dice.below(history_.size())].at - 256 * dice.below(2));
  }
  // Its sessions stand: an answer that is lost says nothing.
  void lose_session(std::uint32_t) override {}
  void finish(Dice&) override {
    for (const auto& client : clients_) client->read();
  }
  bool idle() override { return true; }

  // What had committed by the time of a look, replayed, gives what it saw.
  void judge(const std::vector<Committed>& history) override {
    std::size_t answered = 0;
    for (const Look& look : looks_) {
      std::vector<Value> seen;
      if (!values(look, seen)) continue;
      ++answered;
      std::vector<Committed> until;
      std::copy_if(history.begin(), history.end(), std::back_inserter(until), [&](const Committed& one) { return one.at <= look.at; });
      const std::vector<Value> expected = replay(std::move(until));
      EXPECT_EQ(expected.size(), seen.size());
      for (std::size_t i = 0; i < std::min(seen.size(), expected.size()); ++i) {
        EXPECT_TRUE(seen[i] == expected[i]) << probes()[i / kKeysOfAType].stem << i % kKeysOfAType << " as of " << look.at;
      }
      if (::testing::Test::HasFailure()) return;
    }
    counts["looks"] += answered;
    EXPECT_GE(2 * answered, looks_.size()) << "most reads are answered";
  }

 private:
  void look(Timestamp at) {
    Look look{.at = at};
    std::vector<std::vector<Op>> by_shard(world_.shards.size());
    std::vector<std::uint32_t> order;
    for (const Probe& probe : probes()) {
      for (int i = 0; i < kKeysOfAType; ++i) {
        Op op{probe.stem + std::to_string(i), probe.read.name, probe.read.arguments};
        op.at = at;
        const std::uint32_t shard = world_.owner(op.key);
        order.push_back(shard);
        by_shard[shard].push_back(std::move(op));
      }
    }
    std::vector<std::uint64_t> next;
    for (std::uint32_t shard = 0; shard < by_shard.size(); ++shard) next.push_back(clients_[shard]->send_natives(by_shard[shard]));
    for (const std::uint32_t shard : order) look.asked.emplace_back(shard, next[shard]++);
    looks_.push_back(std::move(look));
  }

  // False if not all of it was answered.
  bool values(const Look& look, std::vector<Value>& values) {
    for (const auto& [shard, number] : look.asked) {
      const auto found = clients_[shard]->natives.find(number);
      if (found == clients_[shard]->natives.end() || found->second.at == 0) return false;
      EXPECT_EQ(found->second.at, look.at);
      values.push_back(found->second.result);
    }
    return true;
  }

  World& world_;
  const std::vector<Committed>& history_;
  std::vector<std::unique_ptr<TestClient>> clients_;  // by shard
  std::vector<Look> looks_;
};

}  // namespace claret::testing
