// A one-shot of two records that sleeps at one of them, since a silent client has a warranty there.
#include <gtest/gtest.h>

#include "transaction/test_warranted.h"

namespace claret::testing {
namespace {

class SleeperOfTwoRecords : public ::testing::Test {
 protected:
  static void hold(TestClient& client, Op operation) { client.ask(1, {std::move(operation)}, 50); }

  WarrantingShard shard_;
  TestClient promised_ = shard_.client();
  TestClient sleeper_ = shard_.client();
  TestClient writer_ = shard_.client();
  TestClient newcomer_ = shard_.client();
  TestClient remover_ = shard_.client();
};

TEST_F(SleeperOfTwoRecords, StopsNobodyAtTheOneWhereItDoesNotSleep) {
  ASSERT_NE(granted(promised_, 1, set_size("s")), 0u);
  hold(writer_, reg_set("r", 1));
  sleeper_.run(1, {reg_set("r", 2), set_add("s", "a")});
  shard_.world.tick(50);  // the phase lets no newcomers in any more
  EXPECT_NE(newcomer_.run(1, {reg_set("r", 1)}, 200).committed_at, 0u);
  EXPECT_TRUE(sleeper_.replies.empty());
}

// It waited for locks at both before.
TEST_F(SleeperOfTwoRecords, LetsThoseBehindItGoOnWhenItBeginsToSleep) {
  ASSERT_NE(granted(promised_, 1, {"s", "Set.contains", {Value("b")}}), 0u);
  hold(writer_, reg_set("r", 1));
  hold(remover_, set_remove("s", "b"));
  sleeper_.run(1, {reg_set("r", 2), set_add("s", "b")});
  shard_.world.tick(50);
  newcomer_.run(1, {reg_set("r", 1)}, 200);
  EXPECT_TRUE(newcomer_.replies.empty());
  remover_.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  newcomer_.read();
  ASSERT_FALSE(newcomer_.replies.empty());
  EXPECT_NE(newcomer_.replies.back().committed_at, 0u);
}

// An older one waits for its place at the record where it sleeps, so there the queue holds it back. Where it is first it is tried without a queue.
TEST_F(SleeperOfTwoRecords, IsTriedNoMoreOftenForBeingHeldBackWhereItSleeps) {
  TestClient reader = shard_.client();
  TestClient adder = shard_.client();
  TestClient elder = shard_.client();
  ASSERT_NE(granted(promised_, 1, {"s", "Set.contains", {Value("b")}}), 0u);
  hold(writer_, reg_get("r"));
  hold(reader, reg_get("r"));
  hold(adder, set_add("s", "c"));
  hold(remover_, reg_set("z", 1));
  elder.run(1, {set_remove("s", "c"), reg_set("z", 2)}, 60);
  adder.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  shard_.world.tick(50);
  sleeper_.run(1, {reg_set("r", 2), set_add("s", "b")}, 70);
  reader.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});  // an endless one would not return
  for (TestClient* client : {&elder, &sleeper_}) EXPECT_TRUE(client->replies.empty());
  for (TestClient* client : {&remover_, &writer_}) client->step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  promised_.give_back(1).send();
  for (TestClient* client : {&elder, &sleeper_}) {
    client->read();
    ASSERT_FALSE(client->replies.empty());
    EXPECT_NE(client->replies.back().committed_at, 0u);
  }
}

}  // namespace
}  // namespace claret::testing
