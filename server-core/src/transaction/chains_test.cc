// Chains: how members enter, what is answered, which words commit, and what breaks a chain.
#include <gtest/gtest.h>

#include "transaction/test_chain_world.h"

namespace claret::testing {
namespace {

using Chains = ChainTest;

TEST_F(Chains, ExecuteEachMemberOnTopOfThoseBeforeIt) {
  client.member(1, {add("k", 5)}).member(2, {value("k")}).member(3, {add("k", 2)}).member(4, {value("k")}).send();
  EXPECT_EQ(client.seen.result(2), Value(std::int64_t{5}));
  EXPECT_EQ(client.seen.result(4), Value(std::int64_t{7}));
  EXPECT_FALSE(client.seen.reply(1).above);
  EXPECT_TRUE(client.seen.reply(2).above);
  EXPECT_EQ(client.seen.answers[1], 4u);
  EXPECT_EQ(shard().counters().totals.commits, 0u);
}

TEST_F(Chains, AnswerWithTheStateBeforeAMembersOwnChanges) {
  client.member(1, {add("k", 5), value("k"), add("k", 1), value("k")}).send();
  EXPECT_EQ(client.seen.reply(1).results, (std::vector<Value>{Value(std::int64_t{0}), Value(std::int64_t{0})}));
  client.member(2, {value("k")}).send();
  EXPECT_EQ(client.seen.result(2), Value(std::int64_t{6}));
}

TEST_F(Chains, CommitInOrderAtRisingTimestampsWhenTheWordComes) {
  client.member(1, {add("k", 5)}).member(2, {value("k"), add("j")}).member(3, {add("k")}).send();
  client.word({1, 2}).send();
  EXPECT_LT(0u, client.seen.committed_at(1));
  EXPECT_LT(client.seen.committed_at(1), client.seen.committed_at(2));
  EXPECT_EQ(client.seen.committed_at(3), 0u);
  client.word({3}).send();
  EXPECT_LT(client.seen.committed_at(2), client.seen.committed_at(3));
  EXPECT_EQ(committed("k"), 6);
  EXPECT_EQ(committed("j"), 1);
  EXPECT_EQ(shard().counters().totals.commits, 5u) << "three members, two reads";
  expect_clean({"k", "j"});
}

TEST_F(Chains, LeaveOutNumbers) {
  client.member(3, {add("k")}).member(8, {add("k")}).send();
  client.word({3, 8}).send();
  EXPECT_EQ(committed("k"), 2);
}

TEST_F(Chains, AreBrokenByAMemberWithoutAGreaterNumber) {
  client.member(3, {add("k")}).send();
  client.member(3, {add("k")}).send();
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  expect_clean({"k"});
}

TEST_F(Chains, AreBrokenByAWordInTheWrongOrder) {
  client.member(1, {add("k")}).member(2, {add("k")}).send();
  client.word({2, 1}).send();
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  EXPECT_EQ(committed("k"), 0);
  expect_clean({"k"});
}

TEST_F(Chains, AreBrokenByAWordThatLeavesOneOut) {
  client.member(1, {add("k")}).member(2, {add("j")}).member(3, {add("i")}).send();
  client.word({1, 3}).send();
  ASSERT_EQ(client.seen.broken.size(), 1u);
  EXPECT_EQ(client.seen.broken[0].decided, 0u) << "nothing of the word commits";
  EXPECT_EQ(client.seen.committed_at(1), 0u);
  EXPECT_EQ(committed("k"), 0);
  EXPECT_EQ(committed("i"), 0);
}

TEST_F(Chains, AreBrokenByAWordForAMemberThatNeverCame) {
  client.member(1, {add("k")}).send();
  client.word({1, 2}).send();
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  EXPECT_EQ(committed("k"), 0);
}

TEST_F(Chains, AreBrokenByAWordThatNamesAMemberTwice) {
  client.member(1, {add("k")}).send();
  client.word({1, 1}).send();
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  EXPECT_EQ(committed("k"), 0);
}

TEST_F(Chains, AreBrokenByAWordForWhatHasCommitted) {
  client.member(1, {add("k")}).member(2, {add("k")}).send();
  client.word({1}).send();
  client.word({1}).send();
  ASSERT_EQ(client.seen.broken.size(), 1u);
  EXPECT_EQ(client.seen.broken[0].decided, 1u);
  EXPECT_EQ(committed("k"), 1);
}

TEST_F(Chains, IgnoreAWordForAnotherChain) {
  client.member(1, {add("k")}).send();
  client.word({1}, 7).send();
  EXPECT_TRUE(client.seen.broken.empty());
  EXPECT_EQ(client.seen.committed_at(1), 0u);
  client.word({1}).send();
  EXPECT_EQ(committed("k"), 1);
}

TEST_F(Chains, AreBrokenByAWordForAMemberThatWaits) {
  other.member(1, {add("k")}).send();
  client.member(1, {add("k")}).send();
  client.word({1}).send();
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  other.word({1}).send();
  EXPECT_EQ(committed("k"), 1);
}

TEST_F(Chains, AreBrokenByAWordFromBeforeAnAnswer) {
  client.member(1, {add("k", 5)}).member(2, {value("k")}).send();
  client.withdraw(1).send();
  EXPECT_EQ(client.seen.answers[1], 3u);
  client.word({2}, 1, 2).send();
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  EXPECT_EQ(client.seen.committed_at(2), 0u);
}

TEST_F(Chains, TakeAWordFromBeforeTheAnswersOfOthers) {
  client.member(1, {value("k")}).member(2, {add("k", 5)}).member(3, {value("k")}).send();
  client.withdraw(2).send();
  client.word({1}, 1, 1).send();
  EXPECT_NE(client.seen.committed_at(1), 0u);
  EXPECT_EQ(client.seen.broken_by(), "");
}

// ---- a new chain, a broken chain

TEST_F(Chains, EndWhenANewOneBegins) {
  client.member(1, {add("k", 5)}).send();
  client.member(1, {value("k")}, {.chain = 2}).send();
  EXPECT_EQ(client.seen.result(1, 2), Value(std::int64_t{0}));
  client.word({1}, 1).send();
  EXPECT_EQ(client.seen.committed_at(1, 1), 0u);
  client.word({1}, 2).send();
  EXPECT_NE(client.seen.committed_at(1, 2), 0u);
  EXPECT_EQ(committed("k"), 0);
}

TEST_F(Chains, TakeNothingMoreOnceANewOneHasBegun) {
  client.member(1, {add("k")}, {.chain = 2}).send();
  client.member(9, {add("k")}, {.chain = 1}).send();
  client.withdraw(1, 1).send();
  EXPECT_EQ(client.seen.reply(9, 1).error, "chain_broken");
  client.word({1}, 2).send();
  EXPECT_EQ(committed("k"), 1);
}

TEST_F(Chains, TakeNothingMoreOnceTheyAreBroken) {
  client.member(1, {add("k", 5)}).member(2, {add("k", 7)}).send();
  client.word({2}).send();
  ASSERT_EQ(client.seen.broken_by(), "chain_broken");
  client.member(3, {add("k", 9)}).send();
  client.word({1}).word({3}).withdraw(3).send();
  EXPECT_EQ(client.seen.replies(3), 0u);
  EXPECT_EQ(client.seen.broken.size(), 1u) << "told once";
  EXPECT_EQ(committed("k"), 0);
  client.member(1, {add("k")}, {.chain = 2}).send();
  client.word({1}, 2).send();
  EXPECT_EQ(committed("k"), 1);
}

TEST_F(Chains, AreUndoneFromTheNewestOn) {
  const auto set = [](const char* text) { return Op{"r", "Register.set", {Value(text)}}; };
  other.run(1, {set("old")});
  client.member(1, {set("a"), set("b")}).member(2, {set("c")}).send();
  client.hang_up();
  EXPECT_EQ(other.run(2, {{"r", "Register.get", {}}}).results.at(0), Value("old"));
}

TEST_F(Chains, EndWhenAWithdrawalNamesANewOne) {
  client.member(1, {add("k", 5)}).send();
  client.withdraw(1, 2).send();
  client.member(1, {add("k", 7)}, {.chain = 2}).member(2, {value("k")}, {.chain = 2}).send();
  EXPECT_EQ(client.seen.replies(1, 2), 0u) << "withdrawn before it came";
  EXPECT_EQ(client.seen.result(2, 2), Value(std::int64_t{0}));
  EXPECT_EQ(client.seen.reply(2, 2).withdrawals, 1u);
}

TEST_F(Chains, HaveNumbersFromOne) {
  client.member(1, {add("k")}, {.chain = 0}).send();
  client.word({1}, 0).send();
  EXPECT_EQ(client.seen.committed_at(1, 0), 0u);
  expect_clean({"k"});
}

TEST_F(Chains, LeaveNoEffectWhenTheSessionIsLost) {
  client.member(1, {add("k")}).member(2, {add("j")}).send();
  client.hang_up();
  EXPECT_EQ(committed("k"), 0);
  expect_clean({"k", "j"});
}

TEST_F(Chains, KeepWhatHasCommittedWhenTheSessionIsLost) {
  client.member(1, {add("k")}).member(2, {add("k")}).send();
  client.word({1}).send();
  client.hang_up();
  EXPECT_EQ(committed("k"), 1);
  expect_clean({"k"});
}

TEST_F(Chains, AreUndoneWhenTheSessionIsSilentForItsLease) {
  client.member(1, {add("k")}).send();
  for (int i = 0; i < 200; ++i) {
    world.tick(200);
    other.send();
  }
  client.read();
  EXPECT_EQ(client.closing, "session_lost");
  EXPECT_EQ(other.run(1, {value("k")}).results.at(0), Value(std::int64_t{0}));
}

// ---- members that end by themselves

TEST_F(Chains, CommitMembersThatEndByThemselvesAtOnce) {
  client.member(1, {add("k", 5), value("k")}, {.ends = true}).send();
  EXPECT_NE(client.seen.reply(1).committed_at, 0u);
  EXPECT_EQ(client.seen.result(1), Value(std::int64_t{0}));
  EXPECT_EQ(client.seen.answers[1], 0u) << "an answer with a commit needs no word";
  EXPECT_EQ(committed("k"), 5);
  expect_clean({"k"});
}

TEST_F(Chains, CommitMembersThatEndByThemselvesOnlyAfterThoseBeforeThem) {
  client.member(1, {add("k", 5)})
      .member(2, {value("k")}, {.ends = true})
      .member(3, {add("j")})
      .member(4, {add("j")}, {.ends = true})
      .send();
  EXPECT_EQ(client.seen.replies(2), 0u);
  client.word({1}).send();
  EXPECT_EQ(client.seen.result(2), Value(std::int64_t{5}));
  EXPECT_LT(client.seen.committed_at(1), client.seen.committed_at(2));
  EXPECT_EQ(client.seen.committed_at(4), 0u);
  client.word({3}).send();
  EXPECT_LT(client.seen.committed_at(3), client.seen.committed_at(4));
  expect_clean({"k", "j"});
}

TEST_F(Chains, CommitMembersThatEndByThemselvesAmongThoseOfAWord) {
  client.member(1, {add("k")}).member(2, {add("k")}, {.ends = true}).member(3, {add("k")}).member(4, {value("k")}, {.ends = true}).send();
  client.word({1, 3}).send();
  EXPECT_TRUE(client.seen.broken.empty());
  EXPECT_LT(client.seen.committed_at(1), client.seen.committed_at(2));
  EXPECT_LT(client.seen.committed_at(2), client.seen.committed_at(3));
  EXPECT_LT(client.seen.committed_at(3), client.seen.committed_at(4));
  EXPECT_EQ(client.seen.result(4), Value(std::int64_t{3}));
}

TEST_F(Chains, AreBrokenByAWordForAMemberThatEndsByItself) {
  client.member(1, {add("k")}).member(2, {add("k")}, {.ends = true}).send();
  client.word({1, 2}).send();
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  EXPECT_EQ(committed("k"), 0);
}

// ---- refusals

TEST_F(Chains, RefuseAMemberWithMoreThan256Operations) {
  client.member(1, std::vector<Op>(257, add("k"))).member(2, std::vector<Op>(256, add("j"))).send();
  EXPECT_EQ(client.seen.reply(1).error, "too_many_operations");
  client.word({2}).send();
  EXPECT_EQ(committed("j"), 256);
}

TEST_F(Chains, RefuseAMemberOnARecordOfAnotherType) {
  other.run(1, {add("k")});
  client.member(1, {add("j"), set_add("k", "x")}).member(2, {value("j")}).send();
  EXPECT_EQ(client.seen.reply(1).error, "wrong_type");
  EXPECT_EQ(client.seen.result(2), Value(std::int64_t{0}));
  client.word({2}).send();
  EXPECT_EQ(client.seen.broken_by(), "");
  expect_clean({"k", "j"});
}

TEST_F(Chains, SayThatTheTypeOfARecordIsUndecided) {
  other.member(1, {add("k")}).send();
  client.member(1, {set_add("k", "x")}).send();
  EXPECT_EQ(client.seen.reply(1).error, "wrong_type");
  EXPECT_TRUE(client.seen.reply(1).retryable);
  other.withdraw(1).send();
  client.member(2, {set_add("k", "x")}).send();
  EXPECT_EQ(client.seen.reply(2).error, "");
}

TEST_F(Chains, RefuseWithTheTypesOwnCodeWhereNothingIsUndecided) {
  client.member(1, {take_one("stock")}).send();
  EXPECT_EQ(client.seen.reply(1).error, "below_bound");
  EXPECT_FALSE(client.seen.reply(1).retryable);
  expect_clean({"stock"});
}

TEST_F(Chains, DenyAMemberThatIsRefusedAboveSomethingUndecided) {
  other.run(1, {fill("stock", 1)});
  client.member(1, {take_one("stock")}).member(2, {add("k"), take_one("stock")}).member(3, {value("k")}).send();
  EXPECT_EQ(client.seen.reply(2).error, "denied");
  EXPECT_TRUE(client.seen.reply(2).retryable);
  EXPECT_EQ(client.seen.result(3), Value(std::int64_t{0})) << "a refused member leaves no effect";
  client.withdraw(1).send();
  client.member(4, {take_one("stock")}, {.attempt = member_attempt(2)}).send();
  EXPECT_EQ(client.seen.reply(4).error, "");
  client.word({3, 4}).send();
  EXPECT_EQ(client.seen.broken_by(), "");
  expect_clean({"stock", "k"});
}

TEST_F(Chains, JudgeWhatIsTakenByWhatMembersBeforeHaveTaken) {
  other.run(1, {fill("stock", 5)});
  client.member(1, {try_take("stock", 3)}).member(2, {try_take("stock", 3)}).member(3, {try_take("stock", 2), try_take("stock", 1)}).send();
  EXPECT_EQ(client.seen.result(1), Value(true));
  EXPECT_EQ(client.seen.result(2), Value(false));
  EXPECT_EQ(client.seen.reply(3).results, (std::vector<Value>{Value(true), Value(false)}));
  client.withdraw(1).send();
  EXPECT_EQ(client.seen.result(2), Value(true));
  EXPECT_EQ(client.seen.result(3), Value(true)) << "two are left";
  client.word({2, 3}).send();
  EXPECT_EQ(other.run(2, {{"stock", "BoundedCounter.value", {}}}).results.at(0), Value(std::int64_t{0}));
  expect_clean({"stock"});
}

TEST_F(Chains, DenyWhatLeavesTheRangeOfACounterOnTheTip) {
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  client.member(1, {add("k", most)}).member(2, {add("k", 1)}).member(3, {add("k", -1)}).send();
  EXPECT_EQ(client.seen.reply(2).error, "denied");
  client.withdraw(1).send();
  EXPECT_EQ(client.seen.reply(3).error, "");
  client.member(4, {value("k")}).send();
  EXPECT_EQ(client.seen.result(4), Value(std::int64_t{-1}));
}

TEST_F(Chains, TakeIntentsForNothing) {
  Op intent = add("k", 5);
  intent.intent = true;
  client.member(1, {intent, value("k")}).member(2, {value("k")}).send();
  EXPECT_EQ(client.seen.result(2), Value(std::int64_t{0}));
  client.word({1, 2}).send();
  EXPECT_EQ(client.seen.broken_by(), "");
  EXPECT_EQ(committed("k"), 0);
  expect_clean({"k"});
}

TEST_F(Chains, HaveAtMost1024EntriesInARun) {
  for (std::uint64_t n = 1; n <= 4; ++n) client.member(n, std::vector<Op>(256, add("k")));
  client.member(5, {value("k")}).member(6, {value("j")}).send();
  EXPECT_EQ(client.seen.answers[1], 4u) << "the fifth waits, and the sixth behind it";
  EXPECT_EQ(shard().engine().ground.records.find("k")->run()->entries.size(), 1024u);
  client.word({1}).send();
  EXPECT_EQ(client.seen.result(5), Value(std::int64_t{1024}));
  EXPECT_EQ(client.seen.result(6), Value(std::int64_t{0}));
  client.word({2, 3, 4, 5, 6}).send();
  EXPECT_EQ(committed("k"), 1024);
  expect_clean({"k", "j"});
}

}  // namespace
}  // namespace claret::testing
