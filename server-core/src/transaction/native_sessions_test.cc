// Sessions whose natives are settled exactly once: what a client learns of a lost session, also after a restart of the shard.
#include "transaction/native_sessions.h"

#include <gtest/gtest.h>

#include "shard/test_disk.h"

namespace claret::testing {
namespace {

using Numbered = TestClient::Numbered;

Op take_one(std::string key) { return {std::move(key), "BoundedCounter.tryDecrement", {Value(std::int64_t{1})}}; }
Op restock(std::string key, std::int64_t n) { return {std::move(key), "BoundedCounter.increment", {Value(n)}}; }
Op take_or_fail(std::string key, std::int64_t n) { return {std::move(key), "BoundedCounter.decrement", {Value(n)}}; }

TEST(NativeSessions, TellTheAnswersOfChangesThatTheLostSessionExecuted) {
  World world;
  TestClient lost(world, 1, Numbered{.session = 7});
  lost.send_natives({restock("stock", 1), take_one("stock"), value("c"), take_one("stock"), add("c", 1)});
  lost.hang_up();
  TestClient next(world, 2, Numbered{.session = 8, .resumes = 7});
  EXPECT_TRUE(next.resumed_known);
  EXPECT_EQ(next.natives.size(), 5u);
  for (const auto& [number, seen] : next.natives) EXPECT_EQ(seen.at, lost.natives[number].at) << number;
  ASSERT_EQ(next.native_results.size(), 3u);
  EXPECT_TRUE(next.native_results[0].boolean());
  EXPECT_EQ(next.native_results[1].integer(), 0);
  EXPECT_FALSE(next.native_results[2].boolean());
}

TEST(NativeSessions, DoNotKeepLongAnswersToObservations) {
  World world;
  TestClient lost(world, 1, Numbered{.session = 7});
  lost.send_natives({{"r", "Register.set", {Value(std::string(2'000, 'x'))}}});
  const std::uint64_t first = lost.send_natives({take_one("stock"), {"r", "Register.get", {}}, take_one("stock")});
  lost.hang_up();
  TestClient next(world, 2, Numbered{.session = 8, .resumes = 7});
  EXPECT_TRUE(next.resumed_known);
  EXPECT_TRUE(next.natives.contains(first));
  EXPECT_FALSE(next.natives.contains(first + 1));
  EXPECT_TRUE(next.natives.contains(first + 2));
}

TEST(NativeSessions, TellTheErrorsOfChangesThatTheLostSessionWasRefused) {
  World world;
  TestClient lost(world, 1, Numbered{.session = 7});
  const std::uint64_t number = lost.send_natives({take_or_fail("stock", 1)});
  lost.hang_up();
  TestClient next(world, 2, Numbered{.session = 8, .resumes = 7});
  EXPECT_EQ(next.natives[number].error, "below_bound");
}

TEST(NativeSessions, TellNothingOfWhatTheClientHasAnAnswerTo) {
  World world;
  TestClient lost(world, 1, Numbered{.session = 7});
  lost.send_natives({add("c", 1), add("c", 1)});
  lost.natives_below = 3;
  lost.send_natives({add("c", 1)});
  lost.hang_up();
  TestClient next(world, 2, Numbered{.session = 8, .resumes = 7});
  EXPECT_TRUE(next.resumed_known);
  EXPECT_EQ(next.natives.size(), 1u);
  EXPECT_TRUE(next.natives.contains(3));
}

TEST(NativeSessions, KnowNothingOfASessionThatTheyNeverSaw) {
  World world;
  TestClient next(world, 2, Numbered{.session = 8, .resumes = 7});
  EXPECT_FALSE(next.resumed_known);
}

TEST(NativeSessions, AreForgottenAfterAWhile) {
  World world;
  TestClient lost(world, 1, Numbered{.session = 7});
  lost.send_natives({add("c", 1)});
  lost.hang_up();
  for (int ms = 0; ms < 59'000; ms += 500) world.tick(500);
  TestClient early(world, 2, Numbered{.session = 8, .resumes = 7});
  EXPECT_TRUE(early.resumed_known);
  for (int ms = 0; ms < 3'000; ms += 500) world.tick(500);
  TestClient late(world, 3, Numbered{.session = 9, .resumes = 7});
  EXPECT_FALSE(late.resumed_known);
  EXPECT_TRUE(late.natives.empty());
}

TEST(NativeSessions, ThatStillStandAreClosedBeforeTheyAreResumed) {
  World world(2);
  TestClient voter(world, 1), old(world, 2, Numbered{.session = 7});
  const std::string key = key_on(0, "s");
  const Reply vote =
      voter.step({.attempt = 1, .begin_with_priority = 50, .operations = {set_add(key, "x"), set_size(key)}, .prepare = kBoth});
  const std::uint64_t waits = old.send_natives({set_add(key, "y")});
  TestClient next(world, 3, Numbered{.session = 8, .resumes = 7});
  EXPECT_TRUE(next.resumed_known);
  EXPECT_FALSE(next.natives.contains(waits)) << "it has waited, and is withdrawn";
  voter.commit_outcome(1, vote.voted_at).send();
  old.send_natives({set_add(key, "z")});  // a late frame
  EXPECT_EQ(next.native(set_size(key)).integer(), 1) << "nothing of the lost session is executed any more";
}

TEST(NativeSessions, MayBeResumedAgainIfTheWelcomeWasLost) {
  World world;
  TestClient lost(world, 1, Numbered{.session = 7});
  lost.send_natives({add("c", 1)});
  lost.hang_up();
  TestClient unheard(world, 2, Numbered{.session = 8, .resumes = 7});
  unheard.hang_up();
  TestClient next(world, 3, Numbered{.session = 9, .resumes = 7});
  EXPECT_TRUE(next.resumed_known);
  EXPECT_EQ(next.natives.size(), 1u);
}

TEST(NativeSessions, AreRefusedAnIdThatIsTaken) {
  World world;
  TestClient one(world, 1, Numbered{.session = 7}), other(world, 2, Numbered{.session = 7});
  EXPECT_EQ(other.closing, "malformed_frame");
}

TEST(NativeSessions, WhoseAnswersGrowTooLargeAreNotKnown) {
  World world;
  TestClient lost(world, 1, Numbered{.session = 7});
  for (std::size_t bytes = 0; bytes < kNativeAnswersBytesMax + 4096; bytes += 500) {
    lost.send_natives(std::vector<Op>(16, take_or_fail("a long key, which the error repeats", 1)));
  }
  lost.hang_up();
  TestClient next(world, 2, Numbered{.session = 8, .resumes = 7});
  EXPECT_FALSE(next.resumed_known);
  EXPECT_TRUE(next.natives.empty());
}

// ---- with a log

struct LoggedShard {
  LoggedShard() : world(1, logged_options()), disks(world, logged_options()) {
    world.tick(0);
    disks.sync_all();
  }
  void checkpoint() {
    while (!disks.checkpoint(0, kEverything)) disks.sync(0);
    disks.sync(0);
  }
  World world;
  Disks disks;
};

TEST(NativeSessionsInTheLog, AreToldOnceTheAnswersAreDurable) {
  LoggedShard one;
  TestClient lost(one.world, 1, Numbered{.session = 7});
  one.disks.sync(0);
  const std::uint64_t number = lost.send_natives({add("c", 1)});
  lost.hang_up();
  TestClient next(one.world, 2, Numbered{.session = 8, .resumes = 7});
  EXPECT_FALSE(next.resumed_known) << "its welcome waits for the log";
  one.disks.sync(0);
  next.read();
  EXPECT_TRUE(next.resumed_known);
  EXPECT_TRUE(next.natives.contains(number));
}

TEST(NativeSessionsInTheLog, AreKnownAfterARestartWithTheirAnswers) {
  LoggedShard one;
  std::map<std::uint64_t, NativeSeen> answered;
  {
    TestClient lost(one.world, 1, Numbered{.session = 7});
    lost.send_natives({restock("stock", 1), value("c"), take_one("stock"), add("c", 1)});
    lost.natives_below = 2;
    lost.send_natives({take_one("stock")});
    one.disks.sync(0);
    lost.read();
    answered = lost.natives;
    lost.send_natives({add("c", 1)});  // never durable
    one.disks.crash(0, 0);
  }
  TestClient next(one.world, 2, Numbered{.session = 8, .resumes = 7});
  one.disks.sync(0);
  next.read();
  EXPECT_TRUE(next.resumed_known);
  std::vector<std::uint64_t> numbers;
  for (const auto& [number, seen] : next.natives) {
    numbers.push_back(number);
    EXPECT_EQ(seen.at, answered[number].at) << number;
  }
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{3, 4, 5}));
  ASSERT_EQ(next.native_results.size(), 2u);
  EXPECT_TRUE(next.native_results[0].boolean());
  EXPECT_FALSE(next.native_results[1].boolean());
  next.native_results.clear();
  next.send_natives({value("c")});
  one.disks.sync(0);
  next.read();
  ASSERT_EQ(next.native_results.size(), 1u);
  EXPECT_EQ(next.native_results[0].integer(), 1);
}

TEST(NativeSessionsInTheLog, AreKnownAfterARestartFromACheckpoint) {
  for (const bool also_after : {false, true}) {
    LoggedShard one;
    {
      TestClient lost(one.world, 1, Numbered{.session = 7}), idle(one.world, 2, Numbered{.session = 70});
      lost.send_natives({restock("stock", 1), take_one("stock")});
      one.disks.sync(0);
      one.checkpoint();
      if (also_after) {
        lost.send_natives({take_one("stock")});
        one.disks.sync(0);
      }
      one.disks.crash(0, 0);
    }
    TestClient next(one.world, 3, Numbered{.session = 8, .resumes = 7});
    one.disks.sync(0);
    next.read();
    EXPECT_TRUE(next.resumed_known);
    EXPECT_EQ(next.natives.size(), also_after ? 3u : 2u);
    EXPECT_EQ(next.native_results.size(), also_after ? 2u : 1u) << "no answer is told twice";
    TestClient another(one.world, 4, Numbered{.session = 9, .resumes = 70});
    one.disks.sync(0);
    another.read();
    EXPECT_TRUE(another.resumed_known) << "a session that has executed nothing";
    EXPECT_TRUE(another.natives.empty());
  }
}

TEST(NativeSessionsInTheLog, ThatBeganJustBeforeTheCrashAreNotKnown) {
  LoggedShard one;
  {
    TestClient lost(one.world, 1, Numbered{.session = 7});
    lost.send_natives({add("c", 1)});
    one.disks.crash(0, 0);
  }
  TestClient next(one.world, 2, Numbered{.session = 8, .resumes = 7});
  one.disks.sync(0);
  next.read();
  EXPECT_FALSE(next.resumed_known) << "neither its beginning nor its native was durable";
}

TEST(NativeSessionsInTheLog, AreNotToldWhileTheDiskIsFull) {
  LoggedShard one;
  TestClient lost(one.world, 1, Numbered{.session = 7});
  lost.send_natives({add("c", 1)});
  one.disks.sync(0);
  lost.send_natives({add("c", 1)});
  one.world.shards[0]->refuse_changes(LogTrouble::kDiskFull, one.world.now());
  TestClient next(one.world, 2, Numbered{.session = 8, .resumes = 7});
  EXPECT_FALSE(next.resumed_known) << "whether the change will be durable is not known";
  EXPECT_EQ(next.closing, "");
  EXPECT_NE(next.natives[next.send_natives({value("nothing")})].at, 0u) << "the session is not blocked";
}

}  // namespace
}  // namespace claret::testing
