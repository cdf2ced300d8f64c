// Why chains break and batches stand back, as it is counted, told to the client, and shown of sampled members.
#include <gtest/gtest.h>

#include "transaction/test_batches.h"

namespace claret::testing {
namespace {

class Reasons : public BatchTest {
 protected:
  // The chain has broken once, for this reason.
  void expect_broken(std::string_view reason) {
    EXPECT_EQ(totals().chains_broken, 1u);
    EXPECT_EQ(totals().breaks, (absl::btree_map<std::string_view, std::uint64_t>{{reason, 1}}));
  }
  void expect_told(const std::string& reason) {
    client.read();
    ASSERT_EQ(client.seen.broken.size(), 1u);
    EXPECT_EQ(client.seen.broken[0].reason, reason);
  }
  void expect_stood_back(std::string_view reason) {
    EXPECT_EQ(totals().stood_back, 1u);
    EXPECT_EQ(totals().stand_backs, (absl::btree_map<std::string_view, std::uint64_t>{{reason, 1}}));
  }
  TelemetryFrame frame() { return shard().take_telemetry(world.now()); }
};

TEST_F(Reasons, AMemberOfAnEarlierTurnDisplacesAChain) {
  client.member(1, {add(k, 5)}, {.turn = 20}).send();
  other.member(1, {value(k)}, {.turn = 10}).send();
  expect_broken("displaced");
  expect_told("displaced");
}

TEST_F(Reasons, AChainKeepsOthersWaiting) {
  client.member(1, {add(k, 5)}).send();
  other.member(1, {value(k)}).send();
  world.tick(16);
  world.tick(16);
  expect_broken("kept_waiting");
  expect_told("kept_waiting");
}

TEST_F(Reasons, ANewerChainBegins) {
  client.member(1, {add(k, 5)}).send();
  client.renew(2).send();
  expect_broken("newer_chain");
  expect_told("newer_chain");
}

TEST_F(Reasons, AWordIsRefused) {
  client.member(1, {add(k, 5)}).send();
  client.word({7}).send();
  expect_broken("word_refused");
  expect_told("word_refused");
}

TEST_F(Reasons, ABatchIsRefused) {
  send_wide(1, {add(k, 5)});
  vote({.attempt = 100, .members = {7}});
  expect_broken("batch_refused");
  expect_told("batch_refused");
}

TEST_F(Reasons, AMemberComesOutOfOrder) {
  client.member(2, {add(k, 5)}).send();
  client.member(1, {add(k, 5)}).send();
  expect_broken("out_of_order");
  expect_told("out_of_order");
}

TEST_F(Reasons, ABatchAborts) {
  voted({add(k, 5)});
  client.member(2, {add(k)}).send();
  abort(100);
  expect_broken("batch_aborted");
  expect_told("batch_aborted");
}

TEST_F(Reasons, TheConditionsChange) {
  client.member(1, {add(k, 5)}).send();
  Conditions conditions = shard().conditions();
  conditions.locks = LockKind::kReaderWriter;
  shard().set_conditions(conditions, world.now());
  expect_broken("condition_changed");
  expect_told("condition_changed");
}

TEST_F(Reasons, TheSessionIsLost) {
  client.member(1, {add(k, 5)}).send();
  client.hang_up();
  expect_broken("session_lost");
}

TEST_F(Reasons, ASessionThatEndsWithNothingUndecidedBreaksNothing) {
  client.member(1, {add(k, 5)}).send();
  client.word({1}).send();
  client.hang_up();
  EXPECT_EQ(totals().chains_broken, 0u);
}

TEST_F(Reasons, ABatchKeepsOthersWaitingAndStandsBack) {
  voted({add(k, 5)});
  client.member(2, {add(k)}).send();
  other.run(1, {value(k)});
  world.tick(16);
  world.tick(5);
  expect_stood_back("kept_waiting");
  expect_broken("stood_back");
  expect_told("stood_back");
}

TEST_F(Reasons, ABatchOfALostSessionStandsBack) {
  voted({add(k, 5)});
  client.hang_up();
  expect_stood_back("session_lost");
}

TEST_F(Reasons, AnAbandonedBatchStandsBack) {
  voted({add(k, 5)});
  client.abandon(100).send();
  expect_stood_back("abandoned");
}

TEST_F(Reasons, AreTheCausesOfTheSampledMembersThatFall) {
  shard().observe(true, world.now());
  client.member(1, {add(k, 5)}).send();
  client.word({7}).send();
  const TelemetryFrame seen = frame();
  ASSERT_EQ(seen.samples.size(), 1u);
  EXPECT_EQ(seen.samples[0].code, "chain_broken");
  EXPECT_EQ(seen.samples[0].cause, "word_refused");
  EXPECT_NE(to_json(seen).find(R"("breaks":{"word_refused":1})"), std::string::npos);
}

TEST_F(Reasons, ASampledMemberTellsOfItsBatchAndWhyThatStoodBack) {
  shard().observe(true, world.now());
  client.member(1, {add(k, 5)}, {.turn = 1}).member(2, {add(j)}, {.turn = 1}).send();
  const Timestamp at = vote({.attempt = 100, .members = {1, 2}}).voted_at;
  client.abandon(100).send();
  commit(100, at);
  const TelemetryFrame seen = frame();
  ASSERT_EQ(seen.samples.size(), 2u);
  for (const Sample& sample : seen.samples) {
    EXPECT_TRUE(sample.committed);
    EXPECT_EQ(sample.batch_members, 2u);
    EXPECT_EQ(sample.stood_back, "abandoned");
    EXPECT_GE(sample.voted_ms, sample.began_ms);
  }
}

}  // namespace
}  // namespace claret::testing
