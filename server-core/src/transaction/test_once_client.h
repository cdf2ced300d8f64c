// For tests of histories: a client that sends transactions with an id again and again, at the home that their slot has by then.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "transaction/test_actor.h"

namespace claret::testing {

// Transactions with an id, of one shard each. None may commit twice.
class OnceClient : public StormActor {
 public:
  OnceClient(World& world, std::uint32_t identity, std::vector<Committed>& history)
      : world_(world), identity_(identity), history_(history) {
    for (std::uint32_t shard = 0; shard < world.shards.size(); ++shard) connect(shard);
  }

  void act(Dice& dice) override {
    if (under_way_) return take_in();
    Transaction* one = nullptr;
    if (transactions_.size() < 40 && dice.below(2) == 0) {
      one = &transactions_[make_id(dice)];
      one->op = {"counter" + std::to_string(dice.below(4)), "Counter.add", {Value(static_cast<std::int64_t>(1 + dice.below(5)))}};
    } else if (!transactions_.empty()) {
      auto chosen = transactions_.begin();
      std::advance(chosen, dice.below(transactions_.size()));
      one = &chosen->second;
    }
    if (one == nullptr) return;
    send(*one);
  }

  void lose_session(std::uint32_t shard) override {
    sessions_[shard]->hang_up();
    connect(shard);
    if (under_way_ && shard_ == shard) under_way_ = nullptr;  // the next time tells
  }

  // Learns what has become of those that may have committed.
  void finish(Dice&) override {
    if (under_way_) take_in();
    if (under_way_) return;
    for (auto& [id, one] : transactions_) {
      if (!one.in_doubt) continue;
      return send(one);
    }
  }
  bool idle() override {
    return under_way_ == nullptr &&
           std::none_of(transactions_.begin(), transactions_.end(), [](const auto& one) { return one.second.in_doubt; });
  }

 private:
  struct Transaction {
    std::string id;
    Op op;
    Timestamp at = 0;  // of its commit
    bool in_doubt = false;  // it was sent to its end
  };

  void connect(std::uint32_t shard) {
    sessions_[shard] = std::make_unique<TestClient>(world_, identity_ + 1000 * ++connections_, shard, identity_);
  }

  // The home is anywhere.
  std::string make_id(Dice& dice) {
    std::string id = attempt_id(identity_, ++ids_);
    const auto slot = static_cast<std::uint32_t>(dice.below(kSlots));
    id[0] = static_cast<char>(slot >> 8 | dice.below(4) << 6);
    id[1] = static_cast<char>(slot & 0xFF);
    transactions_[id].id = id;
    return id;
  }

  static std::uint32_t home_slot(const std::string& id) {
    TransactionId bytes;
    std::copy(id.begin(), id.end(), bytes.begin());
    return slot_of(bytes);
  }

  void send(Transaction& one) {
    const std::uint32_t home = world_.owners.empty() ? shard_of_slot(home_slot(one.id), world_.dealt) : world_.owners[home_slot(one.id)];
    // The record has to be at the home; it may have been there when the transaction committed.
    if (one.at == 0 && !one.in_doubt && world_.owner(one.op.key) != home) return;
    shard_ = home;
    under_way_ = &one;
    ended_ = false;
    sessions_[home]->replies.clear();
    sessions_[home]->step({.attempt = ++attempt_, .begin_with_priority = 40, .transaction = one.id});
    take_in();
  }

  void take_in() {
    TestClient& session = *sessions_[shard_];
    session.read();
    if (!session.closing.empty()) return lose_session(shard_);
    for (const Reply& reply : std::exchange(session.replies, {})) {
      if (under_way_ && reply.attempt == attempt_) take_reply(reply);
    }
  }

  void take_reply(const Reply& reply) {
    Transaction& one = *under_way_;
    if (reply.committed_before != 0) {
      EXPECT_EQ(reply.answer, one.id);
      if (one.at != 0) {
        EXPECT_EQ(reply.committed_before, one.at);
        ++counts["ids again"];
      } else {
        EXPECT_TRUE(one.in_doubt) << "it was never sent to its end";
        note(one, reply.committed_before);
      }
      under_way_ = nullptr;
    } else if (reply.committed_at != 0) {
      EXPECT_EQ(one.at, 0u) << "a transaction with an id commits twice";
      note(one, reply.committed_at);
      under_way_ = nullptr;
    } else if (!reply.error.empty() || !reply.denied.empty()) {
      // An attempt that has ended with an error leaves nothing behind.
      if (ended_) one.in_doubt = false;
      sessions_[shard_]->abort_outcome(attempt_).send();
      under_way_ = nullptr;
    } else if (!ended_) {
      // It has the id: nothing of it has committed.
      EXPECT_EQ(one.at, 0u) << "its answer was forgotten";
      one.in_doubt = false;
      if (world_.owner(one.op.key) != shard_) {
        sessions_[shard_]->abort_outcome(attempt_).send();
        under_way_ = nullptr;
        return;
      }
      ended_ = one.in_doubt = true;
      sessions_[shard_]->add({.attempt = attempt_, .operations = {one.op}, .prepare = kAlone, .answer = one.id}).send();
      take_in();
    }
  }

  void note(Transaction& one, Timestamp at) {
    one.at = at;
    one.in_doubt = false;
    history_.push_back({at, {{one.op, {}}}});
  }

  World& world_;
  std::uint32_t identity_;
  std::vector<Committed>& history_;
  std::array<std::unique_ptr<TestClient>, 3> sessions_;
  std::map<std::string, Transaction> transactions_;  // by id
  Transaction* under_way_ = nullptr;
  std::uint32_t shard_ = 0;
  bool ended_ = false;  // its end was sent
  std::uint64_t attempt_ = 0;
  std::uint64_t ids_ = 0;
  std::uint32_t connections_ = 0;
};

}  // namespace claret::testing
