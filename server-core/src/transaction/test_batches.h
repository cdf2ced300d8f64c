// For tests of batches: two shards, a client whose chain spans them, and others.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "shard/test_disk.h"
#include "transaction/test_actor.h"
#include "transaction/test_chain_world.h"

namespace claret::testing {

class BatchTest : public ::testing::Test {
 protected:
  explicit BatchTest(const ShardOptions& options = {})
      : world(2, options),
        disks(world, options),
        links(world),
        client(world, 1, 0, 1),
        there(world, 2, 1, 1),
        other(world, 3),
        reader_(world, 4) {
    if (!options.engine.logged) return;
    world.after_input = [this] { disks.sync_all(); };
    world.tick(0);
    for (TestClient* one : {&client, &there, &other, &reader_}) one->read();
  }

  Shard& shard(std::uint32_t number = 0) { return *world.shards[number]; }
  const Totals& totals() { return shard().counters().totals; }

  // Sends members of chain 1, and the batch that they are.
  void send_wide(std::uint64_t n, std::vector<Op> operations, Timestamp turn = 1) {
    client.member(n, std::move(operations), {.turn = turn}).send();
  }
  Reply vote(const BatchSent& sent) {
    client.replies.clear();
    client.batch(sent).send();
    return client.replies.empty() ? Reply{} : client.replies.back();
  }
  // Member 1, as a batch with the attempt 100 that has voted.
  Timestamp voted(std::vector<Op> operations) {
    send_wide(1, std::move(operations));
    const Timestamp at = vote({.attempt = 100, .members = {1}}).voted_at;
    EXPECT_NE(at, 0u);
    return at;
  }
  void commit(std::uint64_t attempt, Timestamp at) { client.commit_outcome(attempt, at).send(); }
  void abort(std::uint64_t attempt) { client.abort_outcome(attempt).send(); }
  // The committed value; a lock is asked for, so that it fails while anybody is in the way.
  std::int64_t committed(const std::string& key) {
    const Reply reply = reader_.run(++reads_, {value(key)});
    EXPECT_NE(reply.committed_at, 0u) << key << " is taken " << reply.error;
    return reply.results.empty() ? -1 : reply.results[0].integer();
  }
  bool is_taken(const std::string& key) { return reader_.run(++reads_, {value(key)}).committed_at == 0; }
  // What the shards know of the client's attempt.
  AnswerSeen asked(std::uint64_t attempt) {
    reader_.answers.clear();
    reader_.inquire(1, attempt, 1).send();
    return reader_.answers.empty() ? AnswerSeen{} : reader_.answers.back();
  }
  void expect_refused(const Reply& reply, std::uint64_t attempt, const std::string& code = "chain_broken") {
    EXPECT_EQ(reply.error, code);
    EXPECT_EQ(reply.voted_at, 0u);
    EXPECT_EQ(client.seen.broken_by(), "chain_broken") << "the rest of the chain is told only that it is over";
    EXPECT_EQ(asked(attempt).state, AttemptState::kAborted);
  }
  void expect_clean(const std::vector<std::string>& keys) { expect_all_over(shard(), keys); }
  // Lets the shards talk to each other for a time.
  void settle(double ms = 200) {
    for (double passed = 0; passed < ms; passed += 5) {
      world.tick(5);
      links.carry();
    }
    for (TestClient* one : {&client, &there, &other, &reader_}) one->read();
  }
  static Value number(std::int64_t n) { return Value(n); }

  World world;
  Disks disks;
  Links links;
  TestClient client;  // at shard 0
  TestClient there;  // the same one, at shard 1
  TestClient other;
  const std::string k = key_on(0), j = key_on(0, "j"), far = key_on(1);

 private:
  TestClient reader_;
  std::uint64_t reads_ = 0;
};

}  // namespace claret::testing
