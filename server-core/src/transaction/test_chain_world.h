// For tests of chains: a shard, two clients that send members, and one that looks at what is committed.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "shard/test_client.h"

namespace claret::testing {

inline Op fill(std::string key, std::int64_t n) { return {std::move(key), "BoundedCounter.increment", {Value(n)}}; }
inline Op take_one(std::string key) { return {std::move(key), "BoundedCounter.decrement", {Value(std::int64_t{1})}}; }
inline Op try_take(std::string key, std::int64_t n) { return {std::move(key), "BoundedCounter.tryDecrement", {Value(n)}}; }

// Nobody has, holds or waits for anything at the shard any more. `keys`: of the records that were used.
inline void expect_all_over(Shard& shard, const std::vector<std::string>& keys) {
  Engine& engine = shard.engine();
  EXPECT_EQ(engine.attempts_in_flight(), 0u);
  EXPECT_EQ(engine.chains.members(), 0u);
  for (const std::string& key : keys) {
    const Record* record = engine.ground.records.find(key);
    if (record == nullptr) continue;
    EXPECT_EQ(record->gate, nullptr) << key;
    EXPECT_EQ(record->pins, 0u) << key;
    EXPECT_NE(record->last_commit, 0u) << key << " stays although nothing was committed to it";
  }
}

class ChainTest : public ::testing::Test {
 protected:
  explicit ChainTest(const ShardOptions& options = {}) : world(1, options), client(world, 1), other(world, 2), reader_(world, 3) {}

  Shard& shard() { return *world.shards[0]; }
  // The committed value of the counter; a lock is asked for, so that it fails while anybody is in the way.
  std::int64_t committed(const std::string& key) {
    const Reply reply = reader_.run(++reads_, {value(key)});
    EXPECT_NE(reply.committed_at, 0u) << key << " is taken " << reply.error;
    return reply.results.empty() ? -1 : reply.results[0].integer();
  }
  void expect_clean(const std::vector<std::string>& keys) { expect_all_over(shard(), keys); }
  // The client stands by these members: they commit, and nothing else is left.
  void expect_clean_after_word(const std::vector<std::uint64_t>& members, const std::vector<std::string>& keys) {
    client.word(members).send();
    for (const std::uint64_t n : members) EXPECT_NE(client.seen.committed_at(n), 0u) << n;
    EXPECT_EQ(client.seen.broken_by(), "");
    expect_clean(keys);
  }

  World world;
  TestClient client, other;

 private:
  TestClient reader_;
  std::uint64_t reads_ = 0;
};

}  // namespace claret::testing
