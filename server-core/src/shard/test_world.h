// For tests: a cluster in one process under a clock that moves on request, and the things that its clients send and see.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ground/slots.h"
#include "shard/shard.h"
#include "transaction/test_overlooked.h"

namespace claret::testing {

struct Op {
  std::string key;
  std::string name;
  std::vector<Value> arguments;
  bool intent = false;
  std::uint32_t warrant = 0;
  std::string expect = {};  // a digest
  std::optional<Value> guess = {};
  Timestamp at = 0;  // of a native: as of when it observes; 0: now
  std::uint32_t snapshot = 0;  // as in OperationMessage
};

// The operations that most tests use.
inline Op add(std::string key, std::int64_t n = 1) { return {std::move(key), "Counter.add", {Value(n)}}; }
inline Op value(std::string key) { return {std::move(key), "Counter.value", {}}; }
inline Op set_add(std::string key, std::string member) { return {std::move(key), "Set.add", {Value(std::move(member))}}; }
inline Op set_remove(std::string key, std::string member) { return {std::move(key), "Set.remove", {Value(std::move(member))}}; }
inline Op set_size(std::string key) { return {std::move(key), "Set.size", {}}; }
inline Op reg_get(std::string key) { return {std::move(key), "Register.get", {}}; }
inline Op reg_set(std::string key, std::int64_t n) { return {std::move(key), "Register.set", {Value(n)}}; }

// The participants of a transaction, for messages that name them.
inline const std::vector<std::uint32_t> kAlone;
inline const std::vector<std::uint32_t> kBoth{0, 1};

// A key that belongs to the given shard of two.
inline std::string key_on(std::uint32_t shard, const std::string& stem = "k", std::uint32_t shards = 2) {
  for (int i = 0;; ++i) {
    std::string key = stem + std::to_string(i);
    if (shard_of_slot(slot_of(key), shards) == shard) return key;
  }
}

struct Reply {
  std::uint64_t attempt = 0;
  std::vector<Value> results;
  Timestamp voted_at = 0;
  Timestamp committed_at = 0;
  Timestamp holds_until = 0;
  std::string error;  // code
  std::string denied;  // code
  bool retryable = false;
  std::string cause;
  std::uint32_t retry_after_ms = 0;
  Timestamp error_at = 0;
  std::string blocking_operation;
  std::string message;  // of the error
  std::string blocking_label;
  std::uint32_t locks_waited_for = 0;
  std::uint32_t runs_waited_for = 0;
  std::uint32_t waited_us = 0;
  Timestamp committed_before = 0;
  std::string answer;  // of the attempt that committed earlier
};

struct NativeSeen {
  Timestamp at = 0;  // 0: it failed
  Value result;  // of one that was answered alone
  std::string error;  // code
  Timestamp error_at = 0;
};

struct ChangeSeen {
  std::uint64_t watch = 0;
  Timestamp timestamp = 0;
  Value value;
  std::string error;
};

struct AnswerSeen {
  std::uint64_t ticket = 0;
  AttemptState state = AttemptState::kPending;
  Timestamp timestamp = 0;
};

// A cluster in one process: shards, and a clock that moves only on tick().
struct World {
  // `dealt_among`: the shards that have slots at first; 0: all.
  explicit World(std::uint32_t shards = 1, ShardOptions options = {}, std::uint32_t dealt_among = 0)
      : dealt(dealt_among == 0 ? shards : dealt_among) {
    for (std::uint32_t shard = 0; shard < shards; ++shard) {
      options.engine.place = {shard, dealt};
      this->shards.push_back(std::make_unique<Shard>(options));
      this->shards.back()->set_shards(shards);
    }
  }
  // The shard to which a client turns.
  std::uint32_t owner(std::string_view key) const {
    const std::uint32_t slot = slot_of(key);
    return owners.empty() ? shard_of_slot(slot, dealt) : owners[slot];
  }
  Now now() const { return {1'700'000'000'000.0 + ms + wall_ahead_ms, ms}; }
  void tick(double by_ms) {
    ms += by_ms;
    // Two rounds: after a long gap a shard hears its peers before it takes any for silent.
    for (int round = 0; round < 2; ++round) {
      for (auto& shard : shards) {
        shard->begin(now());
        for (const std::uint32_t peer : shard->finish()) ready[{shard.get(), peer}] = true;
        expect_nobody_overlooked(*shard);
      }
      after_input();
    }
  }
  // After each call of a shard: whoever waits there has something to wait for.
  static void expect_nobody_overlooked(Shard& shard) { EXPECT_EQ(overlooked(shard.engine()), ""); }

  std::uint32_t dealt;
  std::vector<std::uint32_t> owners;  // by slot; empty as long as none has moved
  std::vector<std::unique_ptr<Shard>> shards;
  std::function<void()> after_input = [] {};  // called after a shard has run
  std::map<std::pair<Shard*, std::uint32_t>, bool> ready;
  double ms = 1000;
  double wall_ahead_ms = 0;  // change of the wall clock since the start
};

}  // namespace claret::testing
