// For tests of histories: a client with warranties. As long as it may rely on a grant, the shard has the granted result, and a replay has it at
// every time of use.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "transaction/test_actor.h"
#include "transaction/test_warranted.h"

namespace claret::testing {

// A client of shard 0 that keeps the rules of warranties. Between its turns it is deaf, and relies on what it has.
class Holder : public StormActor {
 public:
  Holder(World& world, Disks& disks, std::uint32_t identity, std::vector<Committed>& history)
      : world_(world), disks_(disks), identity_(identity), history_(history) {
    connect();
  }

  void act(Dice& dice) override {
    if (!client_) {
      if (dice.below(10) == 0) connect();
    } else if (dice.below(60) == 0) {
      lose_session(0);
    } else if (dice.below(3) == 0) {
      talk(dice);
    }
    use(dice.below(5) == 0);
  }

  // What it has stands until its lease is over, or the shard welcomes it again.
  void lose_session(std::uint32_t shard) override {
    if (!client_ || shard != 0) return;
    client_->hang_up();
    client_.reset();
  }

  void finish(Dice&) override {
    if (!client_) connect();
    take_in();
    while (!held_.empty()) give_back(held_.begin()->first);
    send();
  }
  bool idle() override { return held_.empty(); }

 private:
  struct Held {
    Op op;
    Value result;
    Timestamp from = 0;
    std::uint32_t uses = 0;
  };

  void connect() {
    held_.clear();
    asked_.clear();
    recalled_.clear();
    client_ =
        std::make_unique<TestClient>(world_, identity_ + 1000 * ++connections_, TestClient::Numbered{.warranties = true}, 0, identity_);
    left_ms_ = {world_.ms};
    lease_ms_ = 0;
    take_in();
  }

  // It may be deaf for longer than a term.
  void talk(Dice& dice) {
    if (world_.ms < deaf_until_ms_) return;
    if (dice.below(40) == 0) deaf_until_ms_ = world_.ms + static_cast<double>(dice.below(1500));
    take_in();
    if (dice.below(2) == 0) ask(dice);
    if (!held_.empty() && dice.below(10) == 0) give_back(held_.begin()->first);
    send();
  }

  // Uses all on which it may rely now. `asks`: the shard has to say the same.
  void use(bool asks) {
    if (world_.ms >= lease_ms_) return;
    if (asks) disks_.sync_all();
    for (auto& [grant, held] : held_) {
      const Timestamp at = std::max(standing_.now, held.from);
      if (at >= standing_.until) continue;
      used_up_to_ = std::max(used_up_to_, at);
      ++held.uses;
      ++counts["uses"];
      history_.push_back({at, {{held.op, {held.result}}}});
      if (asks) compare(held);
    }
  }

  void compare(const Held& held) {
    TestClient probe(world_, 800'000'000 + 10'000 * identity_ + ++probes_);
    probe.send_natives({held.op});
    disks_.sync_all();
    probe.read();
    probe.hang_up();
    if (probe.native_results.empty()) return;  // it waits for a vote
    ++counts["uses compared"];
    EXPECT_TRUE(probe.native_results.back() == held.result) << held.op.name << " on " << held.op.key;
  }

  void ask(Dice& dice) {
    Op op = random_operation(dice);
    while (!observes(op) || world_.owner(op.key) != 0) op = random_operation(dice);
    asked_[++attempt_] = op;
    client_->add({.attempt = attempt_,
                  .begin_with_priority = 1 + dice.below(100),
                  .operations = {warranted(op)},
                  .prepare = std::vector<std::uint32_t>{}});
  }

  void give_back(std::uint64_t grant) {
    const auto found = held_.find(grant);
    client_->used(used_up_to_).give_back(grant, found == held_.end() ? 0 : found->second.uses);
    if (found != held_.end()) held_.erase(found);
  }

  void send() {
    left_ms_.push_back(world_.ms);
    client_->send();
    take_in();
  }

  void take_in() {
    client_->read();
    if (!client_->closing.empty()) {
      client_.reset();
      return connect();
    }
    if (client_->acknowledged > 0) lease_ms_ = left_ms_.at(client_->acknowledged - 1) + 0.99 * kTermMs - 1;
    standing_ = client_->warranties.standing;
    for (const GrantSeen& seen : std::exchange(client_->warranties.granted, {})) {
      const auto reply =
          std::find_if(client_->replies.begin(), client_->replies.end(), [&](const Reply& one) { return one.attempt == seen.attempt; });
      ASSERT_NE(reply, client_->replies.end());
      if (recalled_.erase(seen.grant) > 0) continue;
      held_[seen.grant] = {asked_.at(seen.attempt), reply->results.at(0), seen.from};
    }
    client_->replies.clear();
    for (const RecallSeen& recall : std::exchange(client_->warranties.recalls, {})) {
      // It may overtake its grant, and is answered in any case.
      if (!held_.contains(recall.grant)) recalled_.insert(recall.grant);
      give_back(recall.grant);
    }
  }

  World& world_;
  Disks& disks_;
  std::uint32_t identity_;
  std::vector<Committed>& history_;
  std::uint32_t connections_ = 0;
  std::uint32_t probes_ = 0;
  std::unique_ptr<TestClient> client_;
  std::vector<double> left_ms_;  // when each frame left
  double lease_ms_ = 0;
  double deaf_until_ms_ = 0;
  std::uint64_t attempt_ = 0;
  std::map<std::uint64_t, Op> asked_;  // by attempt
  std::map<std::uint64_t, Held> held_;  // by grant
  std::set<std::uint64_t> recalled_;  // before they came
  StandingSeen standing_;
  Timestamp used_up_to_ = 0;
};

}  // namespace claret::testing
