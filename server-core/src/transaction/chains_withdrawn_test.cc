// Members that are taken out of their chain: their effects are undone, and what was executed on top of them is executed again.
#include <gtest/gtest.h>

#include "transaction/test_chain_world.h"

namespace claret::testing {
namespace {

using WithdrawnMembers = ChainTest;

Value number(std::int64_t n) { return Value(n); }

TEST_F(WithdrawnMembers, LeaveNoEffect) {
  client.member(1, {add("k", 5), set_add("s", "x"), {"r", "Register.set", {Value("text")}}}).send();
  client.withdraw(1).send();
  EXPECT_EQ(committed("k"), 0);
  expect_clean({"k", "s", "r"});
  EXPECT_EQ(shard().engine().ground.records.find("s"), nullptr);
  client.word({}).send();
  EXPECT_EQ(client.seen.broken_by(), "");
}

TEST_F(WithdrawnMembers, LetThoseAboveBeAnsweredAgain) {
  client.member(1, {add("k", 5)}).member(2, {value("k"), add("k", 1)}).member(3, {value("k")}).send();
  EXPECT_EQ(client.seen.result(3), number(6));
  client.withdraw(1).send();
  EXPECT_EQ(client.seen.result(2), number(0));
  EXPECT_EQ(client.seen.result(3), number(1));
  EXPECT_EQ(client.seen.reply(2).withdrawals, 1u);
  EXPECT_EQ(client.seen.reply(3).withdrawals, 1u);
  EXPECT_EQ(client.seen.replies(1), 1u);
  client.word({2, 3}).send();
  EXPECT_EQ(committed("k"), 1);
  expect_clean({"k"});
}

TEST_F(WithdrawnMembers, LetOnlyThoseBeAnsweredAgainThatObserveARecordWhichTheyChanged) {
  client.member(1, {value("k"), add("j")})
      .member(2, {add("k", 5), value("i")})
      .member(3, {value("k")})  // sees it
      .member(4, {add("k", 1)})  // observes nothing
      .member(5, {value("i"), value("j")})  // other records
      .member(6, {add("k", 1), value("j")})  // observes another record
      .member(7, {{"k", "Counter.value", {}}})
      .send();
  client.withdraw(2).send();
  for (const std::uint64_t n : {1, 4, 5, 6}) EXPECT_EQ(client.seen.replies(n), 1u) << n;
  for (const std::uint64_t n : {3, 7}) EXPECT_EQ(client.seen.replies(n), 2u) << n;
  EXPECT_EQ(client.seen.result(7), number(2)) << "they are executed again nevertheless";
  EXPECT_EQ(shard().counters().totals.answered_again, 2u);
  client.word({1, 3, 4, 5, 6, 7}).send();
  EXPECT_EQ(client.seen.broken_by(), "");
  EXPECT_EQ(committed("k"), 2);
}

TEST_F(WithdrawnMembers, LetAMemberBeAnsweredOnceThoughItSeesThemOnManyRecords) {
  client.member(1, {add("a"), add("b"), set_add("s", "x")}).member(2, {value("b"), value("a"), set_size("s"), value("a")}).send();
  client.withdraw(1).send();
  EXPECT_EQ(client.seen.replies(2), 2u);
  EXPECT_EQ(client.seen.reply(2).results, (std::vector<Value>{number(0), number(0), number(0), number(0)}));
}

TEST_F(WithdrawnMembers, AskForNoAnswerIfTheyChangedNothing) {
  client.member(1, {value("k")}).member(2, {value("k"), add("k")}).member(3, {value("k")}).send();
  client.withdraw(1).send();
  EXPECT_EQ(client.seen.replies(2) + client.seen.replies(3), 2u);
  client.word({2, 3}).send();
  EXPECT_EQ(committed("k"), 1);
  expect_clean({"k"});
}

TEST_F(WithdrawnMembers, ChangeTheEffectsOfOthersThatDependOnTheState) {
  const auto swap = [](const char* from, const char* to) { return Op{"r", "Register.compareAndSet", {Value(from), Value(to)}}; };
  other.run(1, {{"r", "Register.set", {Value("a")}}});
  client.member(1, {swap("a", "b")}).member(2, {swap("b", "c")}).member(3, {swap("c", "d")}).member(4, {{"r", "Register.get", {}}}).send();
  EXPECT_EQ(client.seen.result(4), Value("d"));
  client.withdraw(2).send();
  EXPECT_EQ(client.seen.result(3), Value(false));
  EXPECT_EQ(client.seen.result(4), Value("b"));
  EXPECT_EQ(client.seen.replies(1), 1u);
  client.word({1, 3, 4}).send();
  EXPECT_EQ(other.run(2, {{"r", "Register.get", {}}}).results.at(0), Value("b"));
}

TEST_F(WithdrawnMembers, MayBeInTheMiddleAndAtTheTop) {
  client.member(1, {add("k", 1)}).member(2, {add("k", 2)}).member(3, {add("k", 4)}).member(4, {value("k")}).send();
  client.withdraw(3).withdraw(2).withdraw(4).send();
  client.member(5, {value("k")}).send();
  EXPECT_EQ(client.seen.result(5), number(1));
  EXPECT_EQ(client.seen.reply(5).withdrawals, 3u);
  EXPECT_EQ(client.seen.replies(4), 3u) << "answered again for each of the two below it";
  client.word({1, 5}).send();
  EXPECT_EQ(committed("k"), 1);
  expect_clean({"k"});
}

TEST_F(WithdrawnMembers, RestoreEachOfManyOperationsOnOneRecord) {
  std::vector<Op> operations;
  for (int i = 0; i < 50; ++i) operations.push_back(set_add("s", "m" + std::to_string(i % 20)));
  for (int i = 0; i < 50; ++i) operations.push_back(set_remove("s", "m" + std::to_string(i % 30)));
  other.run(1, {set_add("s", "m3"), set_add("s", "m25"), set_add("s", "z")});
  client.member(1, operations).member(2, {set_size("s")}).send();
  EXPECT_EQ(client.seen.result(2), number(1));
  client.withdraw(1).send();
  EXPECT_EQ(client.seen.result(2), number(3));
  client.word({2}).send();
  EXPECT_EQ(other.run(2, {set_size("s")}).results.at(0), number(3));
}

// ---- refused when executed again

TEST_F(WithdrawnMembers, TakeThoseAlongThatAreRefusedWithoutThem) {
  client.member(1, {fill("stock", 1)}).member(2, {add("k", 7), take_one("stock"), add("j", 7)}).member(3, {value("k"), add("j", 1)}).send();
  EXPECT_EQ(client.seen.result(3), number(7));
  client.withdraw(1).send();
  EXPECT_EQ(client.seen.reply(2).error, "denied");
  EXPECT_TRUE(client.seen.reply(2).retryable);
  EXPECT_EQ(client.seen.reply(2).withdrawals, 1u);
  EXPECT_EQ(client.seen.result(3), number(0)) << "what the refused one had changed is undone too";
  EXPECT_EQ(client.seen.replies(3), 2u);
  client.word({3}).send();
  EXPECT_EQ(client.seen.broken_by(), "");
  EXPECT_EQ(committed("k"), 0);
  EXPECT_EQ(committed("j"), 1);
  expect_clean({"k", "j", "stock"});
}

TEST_F(WithdrawnMembers, TakeAWholeRowAlong) {
  client.member(1, {fill("a", 1)})
      .member(2, {take_one("a"), fill("b", 1)})
      .member(3, {take_one("b"), fill("c", 1)})
      .member(4, {take_one("c"), fill("a", 1), add("k", 1)})
      .member(5, {value("k"), take_one("a")})
      .member(6, {value("k")})
      .send();
  EXPECT_EQ(client.seen.answers[1], 6u);
  client.withdraw(1).send();
  for (const std::uint64_t n : {2, 3, 4, 5}) EXPECT_EQ(client.seen.reply(n).error, "denied") << n;
  EXPECT_EQ(client.seen.result(6), number(0));
  client.word({6}).send();
  EXPECT_EQ(client.seen.broken_by(), "");
  expect_clean({"a", "b", "c", "k"});
}

TEST_F(WithdrawnMembers, TakeAMemberAlongOnceThoughTwoRecordsRefuseIt) {
  client.member(1, {fill("a", 1), fill("b", 1)}).member(2, {take_one("a"), take_one("b"), add("k", 3)}).member(3, {value("k")}).send();
  client.withdraw(1).send();
  EXPECT_EQ(client.seen.replies(2), 2u) << "an answer and a refusal";
  EXPECT_EQ(client.seen.result(3), number(0));
  expect_clean_after_word({3}, {"a", "b", "k"});
}

// The record that refuses it comes first or last among those of the withdrawn member and of the refused one.
TEST_F(WithdrawnMembers, TakeOthersAlongWhateverTheOrderOfTheirRecords) {
  client.member(1, {add("k", 1), fill("a", 1)}).member(2, {add("k", 10), take_one("a")}).member(3, {value("k"), add("k", 100)}).send();
  client.withdraw(1).send();
  EXPECT_EQ(client.seen.reply(2).error, "denied");
  EXPECT_EQ(client.seen.result(3), number(0));
  client.member(4, {value("k")}).send();
  EXPECT_EQ(client.seen.result(4), number(100));
  expect_clean_after_word({3, 4}, {"k", "a"});
}

TEST_F(WithdrawnMembers, MayBeSentAgainAfterADenialUnderAnotherNumber) {
  client.member(1, {fill("a", 1)}).member(2, {take_one("a")}).send();
  client.withdraw(1).send();
  ASSERT_EQ(client.seen.reply(2).error, "denied");
  client.member(3, {fill("a", 1)}).member(4, {take_one("a")}, {.attempt = member_attempt(2)}).send();
  EXPECT_EQ(client.seen.reply(4).error, "");
  expect_clean_after_word({3, 4}, {"a"});
}

// ---- members that end by themselves

TEST_F(WithdrawnMembers, LetThoseThatEndByThemselvesCommitWithWhatIsTrueWithoutThem) {
  client.member(1, {add("k", 5)}).member(2, {value("k"), add("k", 1)}, {.ends = true}).member(3, {value("k")}).send();
  client.withdraw(1).send();
  EXPECT_NE(client.seen.committed_at(2), 0u);
  EXPECT_EQ(client.seen.result(2), number(0));
  EXPECT_EQ(client.seen.replies(2), 1u);
  EXPECT_EQ(client.seen.result(3), number(1));
  expect_clean_after_word({3}, {"k"});
}

TEST_F(WithdrawnMembers, LetThoseThatEndByThemselvesBeDenied) {
  client.member(1, {fill("a", 1)}).member(2, {take_one("a")}, {.ends = true}).member(3, {add("k")}, {.ends = true}).send();
  client.withdraw(1).send();
  EXPECT_EQ(client.seen.reply(2).error, "denied");
  EXPECT_NE(client.seen.committed_at(3), 0u);
  expect_clean({"a", "k"});
}

// ---- withdrawals that cross

TEST_F(WithdrawnMembers, MayBeWithdrawnBeforeTheyCome) {
  client.withdraw(2).send();
  client.member(1, {add("k", 5)}).member(2, {add("k", 7)}).member(3, {value("k")}).send();
  EXPECT_EQ(client.seen.replies(2), 0u);
  EXPECT_EQ(client.seen.result(3), number(5));
  EXPECT_EQ(client.seen.reply(1).withdrawals, 1u);
  expect_clean_after_word({1, 3}, {"k"});
}

TEST_F(WithdrawnMembers, MayBeWithdrawnInTheFrameInWhichTheyCome) {
  client.member(1, {add("k", 5)}).withdraw(1).send();
  EXPECT_EQ(client.seen.replies(1), 0u) << "withdrawals are taken first";
  expect_clean({"k"});
}

TEST_F(WithdrawnMembers, MayBeWithdrawnWhileTheyWait) {
  other.member(1, {add("k", 5)}).send();
  client.member(1, {add("k", 7)}).member(2, {value("j")}).send();
  EXPECT_EQ(client.seen.answers[1], 0u);
  client.withdraw(1).send();
  EXPECT_EQ(client.seen.replies(1), 0u);
  EXPECT_EQ(client.seen.reply(2).withdrawals, 1u) << "those behind it go on at once";
  client.word({2}).send();
  other.word({1}).send();
  EXPECT_EQ(committed("k"), 5);
  expect_clean({"k", "j"});
}

// The client may wait for answers that count this withdrawal.
TEST_F(WithdrawnMembers, CountThoughTheyWereRefusedMeanwhile) {
  other.run(1, {add("k")});
  client.member(1, {set_add("k", "x")}).member(2, {value("k")}).send();
  ASSERT_EQ(client.seen.reply(1).error, "wrong_type");
  client.withdraw(1).send();
  EXPECT_EQ(client.seen.reply(2).withdrawals, 1u);
  client.member(3, {value("k")}).send();
  EXPECT_EQ(client.seen.reply(3).withdrawals, 1u);
  expect_clean_after_word({2, 3}, {"k"});
}

TEST_F(WithdrawnMembers, LeaveTheirRecordsToWhoWaitsForThem) {
  client.member(1, {add("k", 5)}).send();
  other.run(1, {add("k", 1)});
  EXPECT_TRUE(other.replies.empty());
  client.withdraw(1).send();
  other.read();
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_NE(other.replies[0].committed_at, 0u);
  EXPECT_EQ(committed("k"), 1);
}

}  // namespace
}  // namespace claret::testing
