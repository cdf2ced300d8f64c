// Warranties: who gets one, what waits for it, and how it ends.
#include <gtest/gtest.h>

#include "composed/test_polls.h"
#include "transaction/test_warranted.h"
#include "wire/limits.h"

namespace claret::testing {
namespace {

Op contains(std::string key, std::string member) { return {std::move(key), "Set.contains", {Value(std::move(member))}}; }

// An interactive attempt that has these operations, or waits for them.
void hold(TestClient& client, std::uint64_t attempt, std::vector<Op> operations) { client.ask(attempt, std::move(operations), 50); }

// The outcome of the client's last attempt, which waited.
Reply last_reply(TestClient& client) {
  client.read();
  return client.replies.empty() ? Reply{} : client.replies.back();
}

class Granting : public ::testing::Test {
 protected:
  // Its session stands, and keeps silent otherwise.
  void hear(TestClient& client) { client.send(); }

  WarrantingShard shard_;
  TestClient holder_ = shard_.client();
  TestClient other_ = shard_.client();
};

TEST_F(Granting, TellsTheTermTheResultsDigestAndTheShardsTimes) {
  EXPECT_EQ(holder_.warranties.term_ms, kTermMs);
  ASSERT_EQ(granted(holder_, 1, value("c")), 1u);
  const GrantSeen seen = holder_.warranties.granted.back();
  EXPECT_EQ(seen.attempt, 1u);
  EXPECT_EQ(seen.digest.size(), 16u);
  EXPECT_GT(seen.from, 0u);
  EXPECT_GT(holder_.warranties.standing.now, seen.from);
  EXPECT_GT(holder_.warranties.standing.until, HybridClock::later(seen.from, kTermMs));
  EXPECT_EQ(holder_.warranties.standing.clock_us, static_cast<std::uint64_t>(shard_.world.ms * 1000));
  ASSERT_EQ(granted(other_, 1, value("c")), 1u) << "grants are numbered in their sessions";
  EXPECT_EQ(other_.warranties.granted.back().digest, seen.digest);
  EXPECT_EQ(shard_.totals().warranties, 1u) << "equal operations share one";
  EXPECT_EQ(shard_.totals().grants, 2u);
}

TEST_F(Granting, KeepsAnotherVersionOfATypeWaitingUntilTheWarrantiesOfItsRecordsHaveEnded) {
  Shard& shard = *shard_.world.shards[0];
  const auto change = [&](std::string definition) { return shard.change_type({128, false, std::move(definition)}, shard_.world.now()); };
  ASSERT_EQ(change(composed::poll_1()), std::nullopt);
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  ASSERT_NE(granted(holder_, 2, {"poll", "Poll.votes", {Value("ann")}}), 0u);
  const std::uint64_t of_poll = holder_.warranties.granted.back().grant;
  ASSERT_EQ(change(composed::poll_2()), std::nullopt);
  EXPECT_EQ(shard.types().installed().front().definition, composed::poll_1());
  holder_.read();
  ASSERT_EQ(holder_.warranties.recalls.size(), 1u) << "those of other types stand";
  EXPECT_TRUE(holder_.warranties.is_recalled(of_poll));
  holder_.give_back(of_poll).send();
  shard_.world.tick(1);
  EXPECT_EQ(shard.types().installed().front().definition, composed::poll_2());
}

TEST_F(Granting, LetsPassWhatLeavesTheResultAsItIs) {
  ASSERT_NE(granted(holder_, 1, contains("s", "a")), 0u);
  EXPECT_NE(other_.run(1, {set_add("s", "b")}).committed_at, 0u);
  EXPECT_NE(other_.run(2, {set_size("s")}).committed_at, 0u);
  holder_.read();
  EXPECT_TRUE(holder_.warranties.recalls.empty());
}

TEST_F(Granting, KeepsAViolatingChangeWaitingUntilItIsReturned) {
  ASSERT_EQ(granted(holder_, 1, value("c")), 1u);
  other_.run(1, {add("c")}, 77);
  EXPECT_EQ(last_reply(other_).committed_at, 0u);
  holder_.read();
  ASSERT_EQ(holder_.warranties.recalls.size(), 1u);
  EXPECT_EQ(holder_.warranties.recalls[0].grant, 1u);
  EXPECT_EQ(holder_.warranties.recalls[0].priority, 77u);
  holder_.give_back(1, 5).send();
  EXPECT_NE(last_reply(other_).committed_at, 0u);
  EXPECT_EQ(shard_.totals().grants_returned, 1u);
  EXPECT_FALSE(shard_.engine().warranties.any());
}

TEST_F(Granting, LetsAViolatingChangeCommitAboveAllUses) {
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  other_.run(1, {add("c")});
  const Timestamp up_to = HybridClock::later(holder_.warranties.standing.now, 700);
  ASSERT_LT(up_to, holder_.warranties.standing.until);
  holder_.used(up_to, 3, 2).give_back(1, 3).send();
  EXPECT_GT(last_reply(other_).committed_at, up_to);
  EXPECT_EQ(shard_.totals().warranted_answers, 3u);
  EXPECT_EQ(shard_.totals().warranted_commits, 2u);
}

TEST_F(Granting, EndsATermAfterTheLastFrameOfASilentSession) {
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  shard_.world.tick(300);
  hear(holder_);
  shard_.world.tick(100);
  other_.run(1, {add("c")});
  shard_.world.tick(100);
  hear(holder_);  // too late: the recall was before
  shard_.world.tick(798);
  EXPECT_EQ(last_reply(other_).committed_at, 0u);
  shard_.world.tick(3);
  EXPECT_GT(last_reply(other_).committed_at, holder_.warranties.standing.until) << "it may have been used up to there";
  EXPECT_EQ(shard_.totals().grants_lapsed, 1u);
  holder_.give_back(1).send();
  EXPECT_EQ(holder_.closing, "") << "a return may come too late";
}

TEST_F(Granting, NeverCarriesTheClockAwayByLapses) {
  for (std::uint64_t attempt = 1; attempt <= 30; ++attempt) {
    TestClient silent = shard_.client();
    ASSERT_NE(granted(silent, 1, value("c")), 0u);
    other_.run(attempt, {add("c")});
    shard_.world.tick(kTermMs + 5);
    const Reply reply = last_reply(other_);
    ASSERT_GT(reply.committed_at, silent.warranties.standing.until);
    EXPECT_LT(HybridClock::wall_ms(reply.committed_at) - shard_.world.now().wall_ms, 4 * kTermMs) << attempt;
  }
}

TEST_F(Granting, NeverCarriesTheClockAwayByManyLapsesInATerm) {
  std::vector<TestClient> silent;
  silent.reserve(100);
  for (std::uint64_t attempt = 1; attempt <= 100; ++attempt) {
    const std::string key = "c" + std::to_string(attempt);
    silent.push_back(shard_.client());
    ASSERT_NE(granted(silent.back(), 1, value(key)), 0u);
    other_.run(attempt, {add(key)});
    shard_.world.tick(40);
  }
  shard_.world.tick(kTermMs + 5);
  const Reply reply = last_reply(other_);
  ASSERT_NE(reply.committed_at, 0u);
  EXPECT_LT(HybridClock::wall_ms(reply.committed_at) - shard_.world.now().wall_ms, 4 * kTermMs);
}

// An increment alone leaves the range as it is. After a remove of its own transaction it might not.
TEST_F(Granting, IsRecalledForWhatOnlySeveralChangesTogetherViolate) {
  const auto scored = [](std::string_view operation, std::vector<Value> arguments) {
    return Op{"z", "ScoredSet." + std::string(operation), std::move(arguments)};
  };
  other_.run(1, {scored("add", {"a", std::int64_t{1}}), scored("add", {"b", std::int64_t{5}}), scored("add", {"c", std::int64_t{9}})});
  const std::uint64_t grant = granted(holder_, 1, scored("range", {std::int64_t{0}, std::int64_t{0}}));
  ASSERT_NE(grant, 0u);
  other_.run(2, {scored("remove", {"b"}), scored("increment", {"c", std::int64_t{1}})});
  holder_.read();
  ASSERT_EQ(holder_.warranties.recalls.size(), 1u);
  holder_.give_back(grant).send();
  EXPECT_NE(last_reply(other_).committed_at, 0u);
}

TEST_F(Granting, LastsAsLongAsNothingViolatesIt) {
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  shard_.world.tick(10 * kTermMs);
  EXPECT_TRUE(shard_.engine().warranties.any());
}

TEST_F(Granting, EndsATermAfterTheLastFrameOfALostSession) {
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  shard_.world.tick(400);
  holder_.hang_up();
  other_.run(1, {add("c")});
  shard_.world.tick(599);
  EXPECT_EQ(last_reply(other_).committed_at, 0u);
  shard_.world.tick(2);
  EXPECT_NE(last_reply(other_).committed_at, 0u);
}

TEST_F(Granting, WaitsForEverySession) {
  TestClient third = shard_.client();
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  ASSERT_NE(granted(third, 1, value("c")), 0u);
  other_.run(1, {add("c")});
  holder_.give_back(1).send();
  EXPECT_EQ(last_reply(other_).committed_at, 0u);
  third.read();
  EXPECT_TRUE(third.warranties.is_recalled(1));
  third.give_back(1).send();
  EXPECT_NE(last_reply(other_).committed_at, 0u);
}

TEST_F(Granting, DoesNotLetSleepersStopOthers) {
  TestClient third = shard_.client();
  ASSERT_NE(granted(holder_, 1, set_size("s")), 0u);
  other_.run(1, {set_add("s", "a")});
  EXPECT_FALSE(third.run(1, {set_size("s")}).results.empty());
  EXPECT_FALSE(third.run(2, {contains("s", "b")}).results.empty());
  EXPECT_EQ(last_reply(other_).committed_at, 0u);
}

TEST_F(Granting, TellsARecalledOneOfAnOlderTransactionAgain) {
  TestClient third = shard_.client();
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  other_.run(1, {add("c")}, 80);
  third.run(1, {add("c")}, 90);
  third.run(2, {add("c")}, 20);
  holder_.read();
  ASSERT_EQ(holder_.warranties.recalls.size(), 2u);
  EXPECT_EQ(holder_.warranties.recalls[1].priority, 20u);
}

// ---- who gets none

TEST_F(Granting, IsLeftOutForClientsThatDoNotKnowTheRules) {
  TestClient unknowing(shard_.world, 50);
  EXPECT_EQ(granted(unknowing, 1, value("c")), 0u);
}

TEST_F(Granting, IsLeftOutForTheRecordsThatTheAttemptChanges) {
  holder_.run(1, {add("c"), warranted(value("c"))});
  EXPECT_TRUE(holder_.warranties.granted.empty());
  hold(holder_, 2, {add("d")});
  holder_.step({.attempt = 2, .sent_before = 1, .operations = {warranted(value("d")), warranted(value("e"))}});
  ASSERT_EQ(holder_.warranties.granted.size(), 1u) << "for the other one";
  EXPECT_EQ(holder_.warranties.granted[0].operation, 1u);
}

TEST_F(Granting, IsLeftOutWhereAHolderMayStillViolateIt) {
  hold(other_, 1, {set_add("s", "a")});
  EXPECT_EQ(granted(holder_, 1, contains("s", "a")), 0u);
  EXPECT_NE(granted(holder_, 2, contains("s", "b")), 0u);
}

TEST_F(Granting, IsLeftOutWhereAChangeWaitsThatWouldViolateIt) {
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  other_.run(1, {add("c")});
  TestClient third = shard_.client();
  EXPECT_EQ(granted(third, 1, value("c")), 0u) << "it is recalled";
  TestClient reader = shard_.client();
  hold(reader, 1, {value("d")});
  other_.run(2, {add("d")});
  EXPECT_EQ(granted(third, 2, value("d")), 0u);
}

TEST_F(Granting, IsLeftOutWhereAnotherIsRecalled) {
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  other_.member(1, {add("c")}).send();
  TestClient third = shard_.client();
  EXPECT_EQ(granted(third, 1, value("c")), 0u) << "who was denied comes back when it has ended";
}

TEST_F(Granting, IsLeftOutForWhatIsNewEachTime) {
  EXPECT_EQ(holder_.run(1, {warranted({"ids", "UIdGenerator.next", {}})}).error, "invalid_attempt");
  EXPECT_EQ(holder_.run(2, {warranted(add("c"))}).error, "invalid_attempt");
}

TEST_F(Granting, IsLeftOutBeyondTheLimitOfARecord) {
  std::uint64_t attempt = 0;
  for (std::size_t i = 0; i < limits::kWarrantiesPerRecordMax; ++i) {
    EXPECT_NE(granted(holder_, ++attempt, contains("s", std::to_string(i))), 0u);
  }
  EXPECT_EQ(granted(holder_, ++attempt, contains("s", "more")), 0u);
  EXPECT_NE(granted(other_, 1, contains("s", "0")), 0u) << "one that stands is shared";
}

TEST_F(Granting, TellsADigestWhereItIsWantedInAnyCase) {
  shard_.world.shards[0]->set_conditions({.warranties = WarrantyPolicy::kOff}, shard_.world.now());
  holder_.run(1, {warranted(value("c"), 2), warranted(value("d"))});
  ASSERT_EQ(holder_.warranties.granted.size(), 1u);
  EXPECT_EQ(holder_.warranties.granted[0].grant, 0u);
  EXPECT_EQ(holder_.warranties.granted[0].digest.size(), 16u);
}

// ---- patience

TEST_F(Granting, LetsThoseWhoHoldLocksSleepForAShortTimeOnly) {
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  hold(other_, 1, {add("d")});
  other_.step({.attempt = 1, .sent_before = 1, .operations = {add("c")}});
  shard_.world.tick(19);
  EXPECT_TRUE(other_.replies.empty());
  shard_.world.tick(6);  // the next check
  const Reply reply = last_reply(other_);
  EXPECT_EQ(reply.error, "denied");
  EXPECT_TRUE(reply.retryable);
  EXPECT_EQ(reply.cause, "warranty_wait");
  EXPECT_EQ(reply.blocking_label, "(warranty)");
  EXPECT_EQ(reply.retry_after_ms, 25u) << "its holder may only be slow";
  EXPECT_NE(holder_.run(2, {add("d")}).committed_at, 0u) << "it holds nothing any more";
}

TEST_F(Granting, LetsAOneShotSleepToTheEnd) {
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  other_.run(1, {add("c")});
  shard_.world.tick(kTermMs - 1);
  EXPECT_EQ(last_reply(other_).error, "");
  shard_.world.tick(2);
  EXPECT_NE(last_reply(other_).committed_at, 0u);
}

TEST_F(Granting, DeniesAtOnceWithoutPhasing) {
  shard_.world.shards[0]->set_conditions({.phasing = false, .warranties = WarrantyPolicy::kAuto}, shard_.world.now());
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  const Reply reply = other_.run(1, {add("c")});
  EXPECT_EQ(reply.denied, "denied");
  EXPECT_EQ(reply.retry_after_ms, 0u) << "it is returned soon";
  holder_.read();
  EXPECT_TRUE(holder_.warranties.is_recalled(1));
  shard_.world.tick(25);
  EXPECT_EQ(other_.run(2, {add("c")}).retry_after_ms, 25u);
}

TEST_F(Granting, LetsAChangeComeAgainAfterAsLongAsItHasWaitedUntilTheGrantLapses) {
  shard_.world.shards[0]->set_conditions({.phasing = false, .warranties = WarrantyPolicy::kAuto}, shard_.world.now());
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  other_.run(1, {add("c")});
  double waited_ms = 25;
  shard_.world.tick(waited_ms);
  for (std::uint64_t attempt = 2; waited_ms < kTermMs; ++attempt) {
    const Reply reply = other_.run(attempt, {add("c")});
    EXPECT_EQ(reply.retry_after_ms, std::min(waited_ms, kTermMs - waited_ms));
    shard_.world.tick(reply.retry_after_ms);
    waited_ms += reply.retry_after_ms;
  }
  EXPECT_EQ(waited_ms, kTermMs);
  shard_.world.tick(1);
  EXPECT_NE(other_.run(99, {add("c")}).committed_at, 0u);
}

TEST_F(Granting, LetsADeniedChangeComeAgainWithoutPhasing) {
  shard_.world.shards[0]->set_conditions({.phasing = false, .warranties = WarrantyPolicy::kAuto}, shard_.world.now());
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  ASSERT_EQ(other_.run(1, {add("c")}).denied, "denied");
  holder_.give_back(1, 1000).send();
  EXPECT_EQ(granted(holder_, 2, value("c")), 0u);
  shard_.world.tick(49);
  EXPECT_EQ(granted(holder_, 3, value("c")), 0u);
  shard_.world.tick(2);
  EXPECT_NE(granted(holder_, 4, value("c")), 0u);
}

// ---- natives, chains, types, conditions

TEST_F(Granting, KeepsNativesWaiting) {
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  const std::uint64_t number = other_.send_natives({add("c")});
  EXPECT_FALSE(other_.natives.contains(number));
  EXPECT_EQ(other_.native(value("d")).integer(), 0);
  holder_.read();
  ASSERT_TRUE(holder_.warranties.is_recalled(1));
  holder_.give_back(1).send();
  other_.read();
  EXPECT_NE(other_.natives[number].at, 0u);
}

TEST_F(Granting, DeniesMembersThatWouldViolateIt) {
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  other_.member(1, {add("c")}).send();
  holder_.read();
  EXPECT_TRUE(holder_.warranties.is_recalled(1));
  EXPECT_EQ(other_.seen.reply(1).error, "denied");
  holder_.give_back(1).send();
  other_.member(2, {add("c")}).send();
  EXPECT_EQ(other_.seen.reply(2).error, "");
}

TEST_F(Granting, IsRecalledForMembersAlsoWhereTheCommittedStateWouldLetItStand) {
  const Op at_least{"b", "BoundedCounter.atLeast", {Value(std::int64_t{5})}};
  const Op fill{"b", "BoundedCounter.increment", {Value(std::int64_t{1})}};
  ASSERT_NE(granted(holder_, 1, at_least), 0u);
  EXPECT_NE(other_.run(1, {fill}).committed_at, 0u) << "with locks it passes";
  other_.member(1, {fill}).send();
  EXPECT_EQ(other_.seen.reply(1).error, "denied");
  holder_.read();
  ASSERT_TRUE(holder_.warranties.is_recalled(1));
  holder_.give_back(1).send();
  other_.member(2, {fill}).send();
  EXPECT_EQ(other_.seen.reply(2).error, "");
}

TEST_F(Granting, DoesNotKeepAnAbsentRecordFromGettingAnotherType) {
  ASSERT_NE(granted(holder_, 1, value("new")), 0u);
  const Reply reply = other_.run(1, {set_add("new", "a")});
  EXPECT_EQ(reply.error, "wrong_type");
  EXPECT_TRUE(reply.retryable);
  holder_.read();
  ASSERT_TRUE(holder_.warranties.is_recalled(1));
  holder_.give_back(1).send();
  EXPECT_NE(other_.run(2, {set_add("new", "a")}).committed_at, 0u);
}

TEST_F(Granting, IsRecalledWhenTheConditionIsSwitchedOff) {
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  shard_.world.shards[0]->set_conditions({.warranties = WarrantyPolicy::kOff}, shard_.world.now());
  holder_.read();
  EXPECT_TRUE(holder_.warranties.is_recalled(1));
  EXPECT_EQ(granted(holder_, 2, value("d")), 0u);
}

TEST_F(Granting, IsViolatedByEveryChangeUnderReaderWriterLocks) {
  shard_.world.shards[0]->set_conditions({.locks = LockKind::kReaderWriter, .warranties = WarrantyPolicy::kAuto}, shard_.world.now());
  ASSERT_NE(granted(holder_, 1, contains("s", "a")), 0u);
  other_.run(1, {set_add("s", "b")});
  EXPECT_EQ(last_reply(other_).committed_at, 0u);
  holder_.read();
  EXPECT_TRUE(holder_.warranties.is_recalled(1));
}

TEST_F(Granting, TellsTheShardsTimesNowAndThenWithOtherOutput) {
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  const StandingSeen before = holder_.warranties.standing;
  const std::size_t told = holder_.warranties.standings;
  holder_.run(2, {value("d")});
  EXPECT_EQ(holder_.warranties.standings, told);
  shard_.world.tick(60);
  holder_.run(3, {value("d")});
  EXPECT_EQ(holder_.warranties.standings, told + 1);
  EXPECT_GT(holder_.warranties.standing.now, before.now);
  EXPECT_GE(holder_.warranties.standing.until, before.until);
}

TEST_F(Granting, TellsTheShardsTimesToASessionWithoutGrantsAsWell) {
  EXPECT_EQ(holder_.warranties.standings, 1u) << "with the welcome";
  shard_.world.shards[0]->set_conditions({.warranties = WarrantyPolicy::kOff}, shard_.world.now());
  shard_.world.tick(60);
  holder_.run(1, {value("d")});
  EXPECT_EQ(holder_.warranties.standings, 1u);
}

// ---- what a transaction that relies on warranties asks of the shards where it changes something

TEST_F(Granting, IsConfirmedByAnExpectedResultWhichIsLeftOut) {
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  Op expected = value("c");
  expected.expect = holder_.warranties.granted[0].digest;
  const Reply reply = holder_.run(2, {expected, value("d"), add("e")});
  EXPECT_NE(reply.committed_at, 0u);
  EXPECT_EQ(reply.results.size(), 1u);
}

TEST_F(Granting, IsRefusedWithAnotherResultThanExpected) {
  ASSERT_NE(granted(holder_, 1, value("c")), 0u);
  Op expected = value("c");
  expected.expect = holder_.warranties.granted[0].digest;
  holder_.give_back(1).send();
  other_.run(1, {add("c")});
  const Reply reply = holder_.run(2, {expected, add("e")});
  EXPECT_EQ(reply.error, "warranty_changed");
  EXPECT_TRUE(reply.retryable);
  EXPECT_EQ(holder_.native(value("e")).integer(), 0);
  EXPECT_EQ(shard_.totals().expects_changed, 1u);
}

TEST_F(Granting, MakesAVoteGreaterThanWhatTheAttemptHasUsed) {
  const Timestamp not_before = HybridClock::later(holder_.run(1, {value("c")}).committed_at, 30'000);
  const Reply reply =
      holder_.step({.attempt = 2, .begin_with_priority = 100, .operations = {add("c")}, .prepare = kAlone, .not_before = not_before});
  EXPECT_GT(reply.committed_at, not_before);
}

TEST_F(Granting, RefusesAVoteFarAheadOfTheClock) {
  const Timestamp not_before = HybridClock::later(holder_.run(1, {value("c")}).committed_at, 61'000);
  const Reply reply =
      holder_.step({.attempt = 2, .begin_with_priority = 100, .operations = {add("c")}, .prepare = kAlone, .not_before = not_before});
  EXPECT_EQ(reply.error, "clock_skew");
  EXPECT_TRUE(reply.retryable);
}

TEST_F(Granting, RefusesAVoteAfterTheEndOfWhatTheAttemptHasUsed) {
  const auto prepare = [&](std::uint64_t attempt, double not_after_ms) {
    return holder_.step({.attempt = attempt,
                         .begin_with_priority = 100,
                         .operations = {add("c")},
                         .prepare = kAlone,
                         .not_after_us = static_cast<std::uint64_t>(not_after_ms * 1000)});
  };
  EXPECT_NE(prepare(1, shard_.world.ms).committed_at, 0u);
  EXPECT_EQ(prepare(2, shard_.world.ms - 1).error, "warranty_over");
}

TEST(GrantingOverShards, EndsARequestThatWaitsLongerThanWhatItsAttemptHasUsed) {
  WarrantingShard shard(0, 2);
  TestClient holder = shard.client(), client = shard.client();
  const std::string key = key_on(0, "c");
  hold(holder, 1, {value(key)});
  client.step({.attempt = 1,
               .begin_with_priority = 60,
               .operations = {add(key)},
               .prepare = kBoth,
               .not_after_us = static_cast<std::uint64_t>((shard.world.ms + 10) * 1000)});
  shard.world.tick(9);
  EXPECT_TRUE(client.replies.empty());
  shard.world.tick(6);  // the next check
  EXPECT_EQ(last_reply(client).error, "warranty_over");
}

}  // namespace
}  // namespace claret::testing
