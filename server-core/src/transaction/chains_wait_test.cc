// Members beside locks, natives and other chains: who waits for whom, for how long, and in which order they go on.
#include <gtest/gtest.h>

#include "transaction/test_chain_world.h"

namespace claret::testing {
namespace {

class MembersThatMeet : public ChainTest {
 protected:
  MembersThatMeet() : third(world, 4), fourth(world, 5) {}

  bool is_answered(const TestClient& whose, std::uint64_t n) { return whose.seen.replies(n) != 0; }

  TestClient third, fourth;
};

// ---- locks

TEST_F(MembersThatMeet, AreDeniedAtOnceByTheHolderOfALock) {
  other.ask(1, {add("k")}, 100, "holder");
  client.member(1, {add("j"), add("k")}).member(2, {value("j")}).send();
  EXPECT_EQ(client.seen.reply(1).error, "denied") << "whether it commutes or not";
  EXPECT_EQ(client.seen.reply(1).blocking_label, "holder");
  EXPECT_TRUE(client.seen.reply(1).retryable);
  EXPECT_EQ(client.seen.result(2), Value(std::int64_t{0}));
  other.abort_outcome(1).send();
  client.member(3, {value("k")}, {.attempt = member_attempt(1)}).send();
  EXPECT_EQ(client.seen.result(3), Value(std::int64_t{0})) << "the same attempt may come again";
  client.word({2, 3}).send();
  expect_clean({"k", "j"});
}

TEST_F(MembersThatMeet, PassAClaimThatHasJustBegunToWait) {
  client.member(1, {add("k")}).send();
  other.ask(1, {add("k")});
  world.tick(0.9);
  client.member(2, {add("k")}).send();
  EXPECT_EQ(client.seen.reply(2).error, "");
  world.tick(0.2);
  client.member(3, {add("k")}).member(4, {add("j")}).send();
  EXPECT_EQ(client.seen.reply(3).error, "denied");
  EXPECT_EQ(client.seen.reply(4).error, "");
  client.word({1}).send();
  other.read();
  EXPECT_TRUE(other.replies.empty());
  client.word({2}).send();
  other.read();
  ASSERT_EQ(other.replies.size(), 1u) << "the lock is granted once the run is over";
  EXPECT_EQ(other.replies[0].locks_waited_for, 1u);
  EXPECT_EQ(other.replies[0].runs_waited_for, 1u) << "its client learns that there are chains";
  client.member(5, {add("k")}).send();
  EXPECT_EQ(client.seen.reply(5).error, "denied");
}

TEST_F(MembersThatMeet, KeepLocksWaitingThatCommuteWithThem) {
  client.member(1, {add("k")}).send();
  other.ask(1, {add("k")});
  third.run(1, {value("k")});
  fourth.run(1, {add("i"), add("k")});
  for (TestClient* one : {&other, &third, &fourth}) EXPECT_TRUE(one->replies.empty());
  client.word({1}).send();
  for (TestClient* one : {&other, &third, &fourth}) one->read();
  ASSERT_EQ(other.replies.size(), 1u);
  other.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  third.read();
  ASSERT_EQ(third.replies.size(), 1u);
  EXPECT_LT(client.seen.committed_at(1), third.replies[0].committed_at);
  ASSERT_EQ(fourth.replies.size(), 1u);
  EXPECT_EQ(committed("k"), 3);
  expect_clean({"k", "i"});
}

TEST_F(MembersThatMeet, AreNeitherWoundedNorPartOfACycle) {
  client.member(1, {add("k")}).send();
  other.ask(1, {add("j")}, 10);
  other.step({.attempt = 1, .sent_before = 1, .operations = {value("k")}});
  client.member(2, {value("j")}).send();
  EXPECT_EQ(client.seen.reply(2).error, "denied") << "it does not wait, so there is no cycle";
  world.tick(10);
  client.read();
  EXPECT_TRUE(client.wounds.empty());
  EXPECT_EQ(client.seen.broken_by(), "");
  client.word({1}).send();
  other.read();
  EXPECT_EQ(other.replies.size(), 1u);
}

// ---- natives

TEST_F(MembersThatMeet, LetNativesWait) {
  client.member(1, {add("k", 5)}).send();
  const std::uint64_t reads = other.send_natives({value("k")}), adds = third.send_natives({add("k")});
  EXPECT_EQ(other.natives[reads].at + third.natives[adds].at, 0u);
  world.tick(1.5);
  client.member(2, {add("k")}).send();
  EXPECT_EQ(client.seen.reply(2).error, "denied") << "natives have waited for long enough";
  client.word({1}).send();
  other.read();
  third.read();
  EXPECT_LT(client.seen.committed_at(1), other.natives[reads].at);
  EXPECT_LT(client.seen.committed_at(1), third.natives[adds].at);
  EXPECT_EQ(other.native_results.at(0), Value(std::int64_t{5}));
  expect_clean({"k"});
}

TEST_F(MembersThatMeet, AreNotBrokenByNativesAtOnce) {
  client.member(1, {add("k", 5)}).send();
  const std::uint64_t native = other.send_natives({{"k", "Counter.value", {}}});
  client.withdraw(1).send();
  other.read();
  EXPECT_NE(other.natives[native].at, 0u);
  EXPECT_EQ(other.native_results.at(0), Value(std::int64_t{0})) << "it never sees what is taken out";
}

TEST_F(MembersThatMeet, LetNativesOfAnotherTypeFail) {
  client.member(1, {add("k", 5)}).send();
  const std::uint64_t native = other.send_natives({set_add("k", "x")});
  EXPECT_EQ(other.natives[native].error, "wrong_type");
  client.word({1}).send();
  EXPECT_EQ(committed("k"), 5);
}

// ---- other chains

TEST_F(MembersThatMeet, WaitForAnotherSessionsRunAndEnterInTheOrderInWhichTheyCame) {
  client.member(1, {add("k", 1)}).send();
  other.member(1, {add("k", 2), value("k")}).send();
  third.member(1, {add("k", 4), value("k")}).send();
  other.member(2, {value("k")}).send();
  EXPECT_FALSE(is_answered(other, 1) || is_answered(third, 1));
  world.tick(3);
  client.word({1}).send();
  for (TestClient* one : {&other, &third}) one->read();
  EXPECT_EQ(other.seen.result(1), Value(std::int64_t{1}));
  EXPECT_EQ(other.seen.result(2), Value(std::int64_t{3}));
  EXPECT_EQ(other.seen.reply(1).waited_us, 3000u);
  EXPECT_FALSE(is_answered(third, 1));
  other.word({1, 2}).send();
  third.read();
  EXPECT_EQ(third.seen.result(1), Value(std::int64_t{3}));
  EXPECT_FALSE(third.seen.reply(1).above);
  third.word({1}).send();
  EXPECT_EQ(committed("k"), 7);
  expect_clean({"k"});
}

TEST_F(MembersThatMeet, WaitBehindThoseOfTheirChain) {
  client.member(1, {add("k")}).send();
  other.member(1, {add("k")}).member(2, {add("j")}).send();
  EXPECT_FALSE(is_answered(other, 2));
  client.withdraw(1).send();
  other.read();
  EXPECT_TRUE(is_answered(other, 1) && is_answered(other, 2));
}

TEST_F(MembersThatMeet, WaitForEachOtherWithoutHarm) {
  client.member(1, {add("k")}).send();
  other.member(1, {add("j")}).send();
  client.member(2, {add("j")}).send();
  other.member(2, {add("k")}).send();
  client.word({1}).send();
  other.word({1}).send();
  client.read();
  other.read();
  EXPECT_TRUE(is_answered(client, 2) && is_answered(other, 2));
  client.word({2}).send();
  other.word({2}).send();
  EXPECT_EQ(committed("k") + committed("j"), 4);
  expect_clean({"k", "j"});
}

TEST_F(MembersThatMeet, GoOnTopOfTheirOwnRunUntilAnotherHasWaitedForATurn) {
  client.member(1, {add("k")}).send();
  other.member(1, {add("k")}).send();
  world.tick(0.15);
  client.member(2, {add("k")}).send();
  EXPECT_TRUE(is_answered(client, 2));
  world.tick(0.1);
  client.member(3, {add("k")}).send();
  client.member(4, {add("j")}).send();
  EXPECT_FALSE(is_answered(client, 3) || is_answered(client, 4)) << "its turn is over";
  client.word({1, 2}).send();
  other.read();
  EXPECT_TRUE(is_answered(other, 1));
  EXPECT_FALSE(is_answered(client, 3));
  other.word({1}).send();
  client.read();
  EXPECT_TRUE(is_answered(client, 3) && is_answered(client, 4));
}

TEST_F(MembersThatMeet, GoWhereNobodyIsInTheirWayThoughOthersWait) {
  client.member(1, {add("k")}).send();
  other.member(1, {add("k")}).send();
  world.tick(1);
  third.member(1, {add("j")}).send();
  EXPECT_TRUE(is_answered(third, 1));
}

// It waits for words of its own client only, which no turn of others brings nearer.
TEST_F(MembersThatMeet, GoThoughAChainWaitsForItsOwnRunToBecomeShorter) {
  for (std::uint64_t n = 1; n <= 4; ++n) client.member(n, std::vector<Op>(256, add("k")));
  client.member(5, {add("k")}).send();
  EXPECT_FALSE(is_answered(client, 5));
  other.member(1, {add("j")}).send();
  world.tick(1);
  other.member(2, {add("j")}).send();
  EXPECT_TRUE(is_answered(other, 2));
  third.member(1, {add("k")}).send();
  world.tick(1);
  other.member(3, {add("j")}).send();
  EXPECT_FALSE(is_answered(other, 3)) << "another chain waits for that run too";
  client.word({1, 2, 3, 4}).send();
  EXPECT_TRUE(is_answered(client, 5));
}

// A session whose members keep coming must not keep its place in front of those that have waited for longer: one of its members always waits
// for somebody, and one always holds the record.
TEST_F(MembersThatMeet, LetOthersGoThoughMoreOfTheirOwnWait) {
  const auto blocked = [](std::uint64_t round) { return add("j" + std::to_string(round)); };
  TestClient* blockers[] = {&other, &fourth};
  other.member(1, {blocked(1)}).send();
  client.member(1, {add("k")}).member(2, {blocked(1)}).send();
  third.member(1, {add("k")}).send();
  std::uint64_t round = 1;
  for (; round <= 10 && !is_answered(third, 1); ++round) {
    world.tick(0.3);
    blockers[round % 2]->member(round + 1, {blocked(round + 1)}).send();
    client.member(2 * round + 1, {add("k")}).member(2 * round + 2, {blocked(round + 1)}).send();
    blockers[(round + 1) % 2]->word({round}).send();
    client.read();
    std::vector<std::uint64_t> in;
    for (std::uint64_t n = 1; n <= 2 * round; ++n) {
      if (is_answered(client, n) && client.seen.committed_at(n) == 0) in.push_back(n);
    }
    client.word(in).send();
    EXPECT_EQ(client.seen.broken_by(), "");
    third.read();
  }
  EXPECT_TRUE(is_answered(third, 1));
  EXPECT_LE(round, 4u);
}

TEST_F(MembersThatMeet, LeaveTheirPlaceToThoseWhoCameBeforeTheNextOfTheirChain) {
  third.member(1, {add("k")}).send();
  client.member(1, {add("k")}).send();
  world.tick(0.05);
  other.member(1, {add("k")}).send();
  world.tick(0.05);
  client.member(2, {add("k")}).send();
  client.withdraw(1).send();
  third.word({1}).send();
  other.read();
  client.read();
  EXPECT_TRUE(is_answered(other, 1));
  EXPECT_FALSE(is_answered(client, 2));
  other.word({1}).send();
  client.read();
  EXPECT_TRUE(is_answered(client, 2));
  client.word({2}).send();
  expect_clean({"k"});
}

// It needs two records at once; two others have one of them each, now and again.
TEST_F(MembersThatMeet, AreNotOvertakenForEver) {
  client.member(1, {add("k")}).send();
  third.member(1, {add("j")}).send();
  other.member(1, {add("k"), add("j")}).send();
  for (std::uint64_t n = 1; n <= 20 && !is_answered(other, 1); ++n) {
    world.tick(0.3);
    for (TestClient* one : {&client, &third}) {
      one->read();
      if (!is_answered(*one, n)) continue;
      one->word({n}).send();
      one->member(n + 1, {add(one == &client ? "k" : "j")}).send();
      other.read();
    }
  }
  EXPECT_TRUE(is_answered(other, 1));
  EXPECT_LE(client.seen.answers[1], 4u);
}

TEST_F(MembersThatMeet, GoInTheOrderOfTheirChainsWhateverIsFree) {
  other.member(1, {add("j")}).send();
  client.member(1, {add("j")}).member(2, {add("k")}).send();
  third.member(1, {add("k")}).send();
  EXPECT_TRUE(is_answered(third, 1)) << "nobody has waited for the record for a turn";
  EXPECT_FALSE(is_answered(client, 2));
  other.word({1}).send();
  client.read();
  EXPECT_TRUE(is_answered(client, 1));
  EXPECT_FALSE(is_answered(client, 2));
}

// ---- chains that keep others waiting

TEST_F(MembersThatMeet, AreBrokenOnceSomebodyHasWaitedFor15Ms) {
  client.member(1, {add("k", 5)}).member(2, {add("j")}).send();
  world.tick(30);
  client.read();
  EXPECT_EQ(client.seen.broken_by(), "") << "nobody waits";
  other.run(1, {value("k")});
  third.run(1, {value("j")});
  world.tick(14);
  client.read();
  EXPECT_EQ(client.seen.broken_by(), "");
  world.tick(2);
  world.tick(5);
  client.read();
  other.read();
  third.read();
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_EQ(other.replies[0].results.at(0), Value(std::int64_t{0}));
  EXPECT_EQ(third.replies.size(), 1u);
  EXPECT_EQ(shard().counters().totals.chains_broken, 1u);
  expect_clean({"k", "j"});
}

TEST_F(MembersThatMeet, AreWaitedForLongerWhereChainsUsuallyTakeLong) {
  for (std::uint64_t n = 1; n <= 40; ++n) {
    client.member(n, {add("k")}).send();
    world.tick(12);
    client.word({n}).send();
  }
  client.member(41, {add("k")}).send();
  other.run(1, {value("k")});
  for (int i = 0; i < 6; ++i) world.tick(5);
  client.read();
  EXPECT_EQ(client.seen.broken_by(), "") << "three times as long as usual is 36 ms";
  for (int i = 0; i < 3; ++i) world.tick(5);
  client.read();
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  other.read();
  expect_clean({"k"});
}

TEST_F(MembersThatMeet, AreBrokenForMembersAndNativesThatWait) {
  client.member(1, {add("k")}).send();
  third.member(1, {add("j")}).send();
  other.member(1, {add("k")}).send();
  fourth.send_natives({add("j")});
  for (int i = 0; i < 5; ++i) world.tick(5);
  for (TestClient* one : {&client, &other, &third, &fourth}) one->read();
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  EXPECT_EQ(third.seen.broken_by(), "chain_broken");
  EXPECT_TRUE(is_answered(other, 1));
  EXPECT_NE(fourth.natives[1].at, 0u);
  EXPECT_EQ(other.seen.broken_by(), "");
}

TEST_F(MembersThatMeet, AreNotBrokenWhileTheirChainGoesOn) {
  std::uint64_t n = 1;
  client.member(n, {add("i")}).member(2, {add("k")}).send();
  other.ask(1, {add("k")});
  for (int i = 0; i < 4; ++i) world.tick(4);
  client.word({1}).send();  // the chain's first member is younger than that now, but its run still keeps somebody waiting
  world.tick(5);
  client.read();
  EXPECT_EQ(client.seen.broken_by(), "chain_broken") << "it entered as long ago";
  other.read();
  EXPECT_EQ(other.replies.size(), 1u);
}

TEST_F(MembersThatMeet, AreNotBrokenForWhoHasWaitedForOthers) {
  client.member(1, {add("k")}).send();
  other.member(1, {add("k")}).send();
  for (int i = 0; i < 3; ++i) world.tick(4);
  client.word({1}).send();
  third.member(1, {add("k")}).send();  // has to wait for the one that has just entered
  world.tick(5);
  other.read();
  EXPECT_TRUE(is_answered(other, 1));
  EXPECT_EQ(other.seen.broken_by(), "");
}

TEST_F(MembersThatMeet, AreAllBrokenWhenAllKeepEachOtherWaiting) {
  client.member(1, {add("k")}).send();
  other.member(1, {add("j")}).send();
  client.member(2, {add("j")}).send();
  other.member(2, {add("k")}).send();
  for (int i = 0; i < 20; ++i) world.tick(5);
  client.read();
  other.read();
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  EXPECT_TRUE(other.seen.broken_by() == "chain_broken" || is_answered(other, 2));
}

// ---- what ends them

TEST_F(MembersThatMeet, ExpireWhileTheyWait) {
  client.member(1, {add("k")}).send();
  other.member(1, {add("k")}, {.expires_in_ms = 8}).member(2, {add("k")}, {.ends = true, .expires_in_ms = 9}).member(3, {add("k")}).send();
  for (int i = 0; i < 2; ++i) world.tick(5);
  client.word({1}).send();
  other.read();
  EXPECT_EQ(other.seen.reply(1).error, "expired");
  EXPECT_EQ(other.seen.reply(2).error, "expired");
  EXPECT_EQ(other.seen.reply(3).error, "");
  other.word({3}).send();
  EXPECT_EQ(committed("k"), 2);
}

TEST_F(MembersThatMeet, ExpireThoughNothingElseHappens) {
  client.member(1, {add("k", 5)}).member(2, {value("k")}, {.ends = true, .expires_in_ms = 40}).send();
  for (int i = 0; i < 20; ++i) world.tick(5);
  client.read();
  EXPECT_EQ(client.seen.reply(2).error, "expired") << "its client does not withdraw it";
  client.word({1}).send();
  EXPECT_EQ(committed("k"), 5);
  expect_clean({"k"});
}

TEST_F(MembersThatMeet, DoNotCommitOnceTheirTimeIsOver) {
  client.member(1, {add("k", 5)}, {.expires_in_ms = 40}).send();
  world.tick(50);
  client.word({1}).send();
  EXPECT_EQ(client.seen.committed_at(1), 0u);
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  EXPECT_EQ(committed("k"), 0);
}

TEST_F(MembersThatMeet, HaveNoEffectOnceSomebodyWasToldSo) {
  client.member(1, {add("k", 5)}).member(2, {add("k", 7)}, {.ends = true}).send();
  other.inquire(1, member_attempt(1), 11).inquire(1, member_attempt(2), 12).send();
  ASSERT_EQ(other.answers.size(), 2u);
  EXPECT_EQ(other.answers[0].state, AttemptState::kAborted);
  EXPECT_EQ(other.answers[1].state, AttemptState::kAborted);
  client.word({1}).send();
  EXPECT_EQ(client.seen.broken_by(), "chain_broken");
  EXPECT_EQ(committed("k"), 0);
}

TEST_F(MembersThatMeet, HaveNoEffectOnceSomebodyWasToldSoThoughTheyEndByThemselves) {
  client.member(1, {add("j", 5)}).member(2, {add("k", 7)}, {.ends = true}).member(3, {value("k")}).send();
  other.inquire(1, member_attempt(2), 12).send();
  client.word({1}).send();
  EXPECT_EQ(client.seen.committed_at(2), 0u);
  EXPECT_FALSE(client.seen.reply(2).error.empty());
  EXPECT_NE(client.seen.committed_at(1), 0u);
  EXPECT_EQ(client.seen.result(3), Value(std::int64_t{0}));
  client.word({3}).send();
  EXPECT_EQ(committed("k"), 0);
  expect_clean({"k", "j"});
}

TEST_F(MembersThatMeet, DoNotEnterOnceSomebodyWasToldThatTheyHaveNoEffect) {
  client.member(1, {add("k", 5)}).send();
  other.member(1, {add("k", 7)}, {.ends = true}).send();
  third.inquire(2, member_attempt(1), 12).send();
  client.word({1}).send();
  other.read();
  EXPECT_EQ(other.seen.committed_at(1), 0u);
  EXPECT_EQ(committed("k"), 5);
}

TEST_F(MembersThatMeet, AreKnownToHaveCommitted) {
  client.member(1, {add("k", 5)}).send();
  client.word({1}).send();
  other.inquire(1, member_attempt(1), 11).send();
  ASSERT_EQ(other.answers.size(), 1u);
  EXPECT_EQ(other.answers[0].state, AttemptState::kCommitted);
  EXPECT_EQ(other.answers[0].timestamp, client.seen.committed_at(1));
}

TEST_F(MembersThatMeet, AreBrokenAndRefusedWhereTheConditionsForbidThem) {
  client.member(1, {add("k", 5)}).send();
  std::uint64_t chain = 1, n = 1;
  const auto tell = [&](const Conditions& conditions) {
    shard().set_conditions(conditions, world.now());
    client.read();
    EXPECT_EQ(client.seen.broken_by(chain), "condition_changed");
    client.member(n, {add("k", 5)}, {.chain = ++chain}).send();
    return client.seen.reply(n, chain).error;
  };
  EXPECT_EQ(tell({.locks = LockKind::kReaderWriter}), "");
  EXPECT_EQ(tell({.combining = Combining::kOff}), "condition_changed");
  EXPECT_EQ(tell({.phasing = false}), "condition_changed");
  EXPECT_EQ(tell({}), "");
  client.word({n}, chain).send();
  EXPECT_EQ(committed("k"), 5);
  expect_clean({"k"});
}

}  // namespace
}  // namespace claret::testing
