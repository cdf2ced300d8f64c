// Peeks: committed results on single records, and the times at which they were right.
#include <gtest/gtest.h>

#include "transaction/test_boards.h"

namespace claret::testing {
namespace {

class Peeks : public ShownOnBoards {
 protected:
  PeekSeen peek(const Op& op, Timestamp at = 0) {
    viewer.peek(++tickets_, op, at).send();
    EXPECT_TRUE(viewer.seen.peeks.contains(tickets_));
    return viewer.seen.peeks[tickets_];
  }

 private:
  std::uint64_t tickets_ = 0;
};

TEST_F(Peeks, GiveCommittedResults) {
  const Reply reply = other.run(1, {add("k", 5)});
  const PeekSeen seen = peek(value("k"));
  EXPECT_FALSE(seen.busy);
  EXPECT_EQ(seen.value, number(5));
  EXPECT_EQ(seen.changed_at, reply.committed_at);
  EXPECT_GE(seen.at, reply.committed_at);
  EXPECT_EQ(peek(value("k"), reply.committed_at).value, number(5));
}

TEST_F(Peeks, AreBusyWhereSomethingIsUndecided) {
  client.member(1, {add("k", 5)}).member(2, {value("j")}).send();
  EXPECT_TRUE(peek(value("k")).busy);
  EXPECT_TRUE(peek(value("j")).busy) << "later members may change it";
  client.withdraw(1).withdraw(2).send();
  EXPECT_EQ(peek(value("k")).value, number(0));
}

TEST_F(Peeks, PassLocksThatHaveNotVoted) {
  other.run(1, {add("k", 5)});
  other.ask(2, {add("k", 1)});
  EXPECT_EQ(peek(value("k")).value, number(5));
}

TEST_F(Peeks, AreBusyForATimeBeforeTheLastChange) {
  const Timestamp before = other.run(1, {add("k", 5)}).committed_at;
  EXPECT_EQ(peek(value("k"), before).value, number(5));
  other.run(2, {add("k", 1)});
  EXPECT_TRUE(peek(value("k"), before).busy);
  other.run(3, {add("j", 1)});
  EXPECT_FALSE(peek(value("k")).busy);
}

TEST_F(Peeks, TellFromWhenToWhenTheResultWasRight) {
  const Timestamp first = other.run(1, {add("k", 5)}).committed_at;
  const Timestamp second = other.run(2, {add("j", 1)}).committed_at;
  const PeekSeen seen = peek(value("k"), first);
  EXPECT_EQ(seen.changed_at, first);
  EXPECT_GE(seen.at, second);
  EXPECT_EQ(peek(value("absent")).changed_at, 0u);
}

TEST_F(Peeks, MakeARecordHotThatHasChangedAfterTheirTime) {
  const Timestamp before = other.run(1, {add("k", 5)}).committed_at;
  EXPECT_EQ(shown(), Shown{});
  other.run(2, {add("k", 1)});
  EXPECT_TRUE(peek(value("k"), before).busy);
  EXPECT_EQ(shown(), (Shown{{"k value", number(6)}}));
}

TEST_F(Peeks, ArePastForBoardsThatShowMembersThatCameAfterThem) {
  other.run(1, {add("hot", 5), add("cold", 1)});
  heat(value("hot"));
  EXPECT_EQ(shown(), (Shown{{"hot value", number(5)}}));
  other.run(2, {add("other", 1)});
  other.run(3, {add("other", 1)});  // too soon after the last mark for another one
  viewer.read();
  viewer.seen.boards.clear();
  const PeekSeen before = peek(value("cold"));
  client.member(1, {add("hot", 1), add("cold", 1)}).send();
  world.tick(2.5);  // a mark, at the time of the peek if it drew none of its own
  client.word({1}).send();
  viewer.read();
  ASSERT_FALSE(viewer.seen.boards.empty());
  EXPECT_EQ(viewer.seen.boards[0].shown[0].result, number(6));
  EXPECT_GT(viewer.seen.boards[0].at, before.at);
}

TEST_F(Peeks, OfATimeToComeTakeItFromAllLaterCommits) {
  const Timestamp to_come = HybridClock::after(other.run(1, {add("k", 5)}).committed_at, 1000);
  const PeekSeen seen = peek(value("k"), to_come);
  EXPECT_EQ(seen.value, number(5));
  EXPECT_GE(seen.at, to_come);
  EXPECT_GT(other.run(2, {add("k", 1)}).committed_at, to_come);
  EXPECT_TRUE(peek(value("k"), to_come).busy) << "it has changed since";
}

TEST_F(Peeks, OfATimeThatNoShardCanReachEndTheSession) {
  client.peek(1, value("k"), ~Timestamp{0}).send();
  EXPECT_EQ(client.closing, "malformed_frame");
  EXPECT_LT(other.run(1, {add("k", 5)}).committed_at >> 8, ~Timestamp{0} >> 9);
}

TEST_F(Peeks, OfATimeToComeAreBusyWhileTheDiskIsFull) {
  const Timestamp at = other.run(1, {add("k", 5)}).committed_at;
  shard().refuse_changes(LogTrouble::kDiskFull, world.now());
  EXPECT_TRUE(peek(value("k"), HybridClock::after(at, 1000)).busy);
  EXPECT_EQ(peek(value("k")).value, number(5));
}

TEST_F(Peeks, FindNothingInARecordThatIsAbsent) {
  const Timestamp at = other.run(1, {add("k", 5)}).committed_at;
  EXPECT_EQ(peek(value("absent")).value, number(0));
  EXPECT_EQ(peek(set_size("absent"), at).value, number(0));
  EXPECT_EQ(shard().engine().ground.records.find("absent"), nullptr);
}

TEST_F(Peeks, AreRefusedWhereTheyMakeNoSense) {
  other.run(1, {add("k", 5)});
  EXPECT_EQ(peek(set_size("k")).error, "wrong_type");
  EXPECT_EQ(peek(add("k")).error, "unknown_operation") << "it has no result";
  EXPECT_EQ(peek({"ids", "UIdGenerator.next", {}}).error, "unknown_operation");
  EXPECT_EQ(peek({"k", "Counter.nothing", {}}).error, "unknown_operation");
  EXPECT_EQ(peek({"", "Counter.value", {}}).error.empty(), false);
}

TEST(PeeksBesideDepartures, PassAnAttemptThatWasAborted) {
  ShardOptions options;
  options.engine.visits_leave_at_once = 1;
  World world(1, options);
  TestClient leaver(world, 1), looker(world, 2);
  leaver.ask(1, {add("a"), add("b"), add("c")});
  leaver.abort_outcome(1).send();
  looker.peek(1, value("c")).send();
  EXPECT_FALSE(looker.seen.peeks.at(1).busy);
  EXPECT_EQ(looker.seen.peeks.at(1).value, Value(std::int64_t{0}));
}

TEST_F(Peeks, GiveTheResultAloneOfOperationsThatChangeSomething) {
  other.run(1, {fill("stock", 2)});
  EXPECT_EQ(peek(try_take("stock", 2)).value, Value(true));
  EXPECT_EQ(peek(try_take("stock", 3)).value, Value(false));
  EXPECT_EQ(peek({"stock", "BoundedCounter.value", {}}).value, number(2));
}

TEST_F(Peeks, AreBusyIfTheirResultDependsOnTheReservationsOfOthers) {
  other.run(1, {fill("stock", 2)});
  other.ask(2, {take_one("stock")});
  EXPECT_TRUE(peek(try_take("stock", 2)).busy) << "there are two, whatever others are about to take";
  EXPECT_EQ(peek({"stock", "BoundedCounter.value", {}}).value, number(2));
  other.abort_outcome(2).send();
  EXPECT_EQ(peek(try_take("stock", 2)).value, Value(true));
  other.ask(3, {{"stock", "BoundedCounter.decrement", {Value(std::int64_t{1})}, true}});
  EXPECT_EQ(peek(try_take("stock", 2)).value, Value(true)) << "an intent reserves nothing";
}

TEST_F(Peeks, FindNothingWhereAllWasTakenOut) {
  client.member(1, {add("k", 5)}).send();
  client.hang_up();
  EXPECT_EQ(peek(value("k")).value, number(0));
  expect_clean({"k"});
}

}  // namespace
}  // namespace claret::testing
