// Chains that span shards, at one of these: their numbers, and which of two gives way.
#include <gtest/gtest.h>

#include "transaction/test_batches.h"

namespace claret::testing {
namespace {

class WideChains : public BatchTest {};

// ---- chain numbers

TEST_F(WideChains, ANewChainTellsWhatWasDecidedOfTheOldOne) {
  client.member(1, {add(k, 5)}).member(2, {add(k)}).send();
  client.word({1}).send();
  client.renew(2).send();
  ASSERT_EQ(client.seen.broken.size(), 1u);
  EXPECT_EQ(client.seen.broken[0].chain, 1u);
  EXPECT_EQ(client.seen.broken[0].decided, 1u);
  EXPECT_EQ(client.seen.broken[0].error, "chain_broken");
  EXPECT_EQ(committed(k), 5);
  client.renew(2).renew(1).send();
  client.member(2, {add(k)}).send();
  EXPECT_EQ(client.seen.broken.size(), 1u) << "nothing new";
  EXPECT_EQ(committed(k), 5);
}

TEST_F(WideChains, ABrokenChainIsToldOnce) {
  client.member(1, {add(k, 5)}).send();
  client.word({7}).send();
  client.member(1, {add(k)}, {.chain = 2}).send();
  EXPECT_EQ(client.seen.broken.size(), 1u);
}

TEST_F(WideChains, AMemberOrAWithdrawalOfANewerChainTellsTheOldOnesEndToo) {
  client.member(1, {add(k, 5)}).send();
  client.withdraw(1, 2).send();
  EXPECT_EQ(client.seen.broken_by(1), "chain_broken");
  client.member(1, {add(k)}, {.chain = 3}).send();
  EXPECT_EQ(client.seen.broken_by(2), "chain_broken");
}

TEST_F(WideChains, AMemberThatComesAfterTheEndOfItsChainIsRefused) {
  client.member(1, {add(k, 5)}, {.ends = true}).renew(2).send();
  EXPECT_EQ(client.seen.reply(1).error, "chain_broken");
  EXPECT_EQ(committed(k), 0);
}

TEST_F(WideChains, NumbersThatWillNotComeAreForgotten) {
  client.withdraw(2).withdraw(4).withdraw(6).send();
  client.member(1, {add(k)}).member(5, {add(k)}).member(6, {add(k, 100)}).member(7, {value(k)}).send();
  EXPECT_EQ(client.seen.result(7), number(2));
  EXPECT_EQ(client.seen.replies(6), 0u);
  std::size_t gone = 0;
  for (const Chain* chain : shard().engine().chains.all()) gone += chain->gone.size();
  EXPECT_EQ(gone, 0u);
}

// ---- the lower turn wins

TEST_F(WideChains, AChainOfALaterTurnGivesWay) {
  client.member(1, {add(k, 5)}, {.turn = 20}).send();
  other.member(1, {value(k)}, {.turn = 10}).send();
  client.read();
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  EXPECT_EQ(other.seen.result(1), number(0));
  EXPECT_EQ(totals().breaks.at(reasons::kDisplaced), 1u);
}

TEST_F(WideChains, AChainOfAnEarlierTurnStays) {
  client.member(1, {add(k, 5)}, {.turn = 10}).send();
  other.member(1, {value(k)}, {.turn = 20}).send();
  client.read();
  EXPECT_EQ(client.seen.broken_by(), "");
  EXPECT_EQ(other.seen.replies(1), 0u);
  EXPECT_FALSE(totals().breaks.contains(reasons::kDisplaced));
}

TEST_F(WideChains, AMemberOfALaterTurnThatComesWhileAnEarlierOneWaitsGivesWay) {
  client.member(1, {add(k, 5)}).send();
  other.member(1, {value(k)}, {.turn = 10}).send();
  EXPECT_EQ(other.seen.replies(1), 0u) << "the other's member is not wide";
  client.member(2, {add(j)}, {.turn = 20}).send();
  other.read();
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  EXPECT_EQ(other.seen.result(1), number(0));
}

TEST_F(WideChains, ThatHaveVotedDoNotGiveWay) {
  client.member(1, {add(k, 5)}, {.turn = 20}).send();
  vote({.attempt = 100, .members = {1}});
  other.member(1, {value(k)}, {.turn = 10}).send();
  client.read();
  EXPECT_EQ(client.seen.broken_by(), "");
}

}  // namespace
}  // namespace claret::testing
