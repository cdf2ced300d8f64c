// For tests of histories: a client whose transactions are members of epochs (epochs.h), one at a time, over one shard or several.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "transaction/test_actor.h"

namespace claret::testing {

class EpochActor : public StormActor {
 public:
  EpochActor(World& world, std::uint32_t identity, std::vector<Committed>& history) : world_(world), history_(history) {
    for (std::uint32_t shard = 0; shard < world.shards.size(); ++shard) {
      sessions_.push_back(std::make_unique<TestClient>(world, identity + 1000 * (shard + 1), shard, identity));
    }
  }

  void act(Dice& dice) override {
    take_in();
    if (idle()) begin(dice);
  }
  // Its sessions stand: nobody would know what the answers that are lost have said.
  void lose_session(std::uint32_t) override {}
  void finish(Dice&) override { take_in(); }
  bool idle() override { return awaited_ == 0; }

 private:
  void begin(Dice& dice) {
    parts_.clear();
    operations_.clear();
    for (std::uint64_t left = 1 + dice.below(4); left > 0; --left) {
      Op op = random_operation(dice, false, false);  // none of records: those are refused
      parts_[world_.owner(op.key)].push_back(operations_.size());
      operations_.push_back({std::move(op), {}});
    }
    at_ = 0;
    awaited_ = parts_.size();
    Step step{.attempt = ++attempt_, .begin_with_priority = 1 + dice.below(100), .prepare = kAlone};
    step.observes_only = std::all_of(operations_.begin(), operations_.end(), [](const Done& done) { return observes(done.op); });
    step.epoch_manager_plus_one = 1;
    for (const auto& [shard, part] : parts_) {
      if (parts_.size() > 1) step.prepare->push_back(shard);
    }
    for (const auto& [shard, part] : parts_) {
      step.operations.clear();
      for (const std::size_t index : part) step.operations.push_back(operations_[index].op);
      sessions_[shard]->add(step).send();
    }
    take_in();
  }

  void take_in() {
    for (std::uint32_t shard = 0; shard < sessions_.size(); ++shard) {
      sessions_[shard]->read();
      for (const Reply& reply : std::exchange(sessions_[shard]->replies, {})) {
        if (!idle() && reply.attempt == attempt_) take_reply(shard, reply);
      }
    }
  }

  void take_reply(std::uint32_t shard, const Reply& reply) {
    if (!reply.error.empty()) {
      EXPECT_EQ(at_, 0u) << "a part of it has committed";
      awaited_ = 0;
      for (const auto& [other, part] : parts_) {
        if (other != shard) sessions_[other]->abort_outcome(attempt_).send();
      }
      return;
    }
    EXPECT_NE(reply.committed_at, 0u);
    EXPECT_TRUE(at_ == 0 || at_ == reply.committed_at) << "its parts commit at one time";
    at_ = reply.committed_at;
    std::size_t next = 0;
    for (const std::size_t index : parts_[shard]) {
      Done& done = operations_[index];
      if (has_result(done.op)) done.result = {reply.results.at(next++)};
    }
    if (--awaited_ > 0) return;
    ++counts["members of epochs"];
    if (parts_.size() > 1) ++counts["members of epochs over both shards"];
    history_.push_back({at_, operations_});
  }

  World& world_;
  std::vector<Committed>& history_;
  std::vector<std::unique_ptr<TestClient>> sessions_;  // by shard
  std::uint64_t attempt_ = 0;
  std::size_t awaited_ = 0;  // parts without an answer
  Timestamp at_ = 0;  // of its commit, as the first answer said
  std::vector<Done> operations_;
  std::map<std::uint32_t, std::vector<std::size_t>> parts_;  // by shard: the operations there
};

}  // namespace claret::testing
