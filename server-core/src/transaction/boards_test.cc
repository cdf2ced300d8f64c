// Boards: what sessions learn of hot records, and what they never learn.
#include <gtest/gtest.h>

#include "shard/dice.h"
#include "shard/test_disk.h"
#include "transaction/test_boards.h"

namespace claret::testing {
namespace {

TEST_F(ShownOnBoards, AreResultsOfRecordsThatAreHot) {
  other.run(1, {add("k", 5), add("cold", 5), set_add("s", "x")});
  heat(value("k"));
  heat(set_size("s"));
  EXPECT_EQ(shown(), (Shown{{"k value", number(5)}, {"s size", number(1)}}));
  EXPECT_GT(at(), 0u);
}

TEST_F(ShownOnBoards, AreRecordsThatLocksWaitFor) {
  other.run(1, {add("k", 5)});
  other.ask(2, {add("k", 1)});
  std::vector<std::unique_ptr<TestClient>> readers;
  for (std::uint32_t i = 0; i < 6; ++i) {
    readers.push_back(std::make_unique<TestClient>(world, 200 + i));
    readers.back()->ask(1, {value("k")});
  }
  EXPECT_EQ(shown(), (Shown{{"k value", number(5)}}));
}

TEST_F(ShownOnBoards, AreRecordsThatOtherChainsWaitFor) {
  other.run(1, {add("k", 5)});
  client.member(1, {value("k")}).send();
  std::vector<std::unique_ptr<TestClient>> waiting;
  for (std::uint32_t i = 0; i < 6; ++i) {
    waiting.push_back(std::make_unique<TestClient>(world, 200 + i));
    waiting.back()->member(1, {value("k"), add("k")}).send();
  }
  client.withdraw(1).send();
  for (auto& one : waiting) one->hang_up();
  EXPECT_EQ(shown().at("k value"), number(5));
}

TEST_F(ShownOnBoards, IsNothingToThoseWhoDoNotAsk) {
  other.run(1, {add("k", 5)});
  heat(value("k"));
  shown();
  other.read();
  EXPECT_TRUE(other.seen.boards.empty());
  viewer.want_boards(false).send();
  other.run(2, {add("k", 1)});
  heat(value("k"));
  EXPECT_EQ(shown(), (Shown{{"k value", number(5)}}));
}

TEST_F(ShownOnBoards, IsAllAgainToThoseWhoAskAgain) {
  other.run(1, {add("k", 5)});
  heat(value("k"));
  shown();
  TestClient later(world, 30);
  later.want_boards().send();
  viewer.want_boards().send();
  viewer.read();
  viewer.seen.boards.clear();
  for (int i = 0; i < 3; ++i) world.tick(2.5);
  for (TestClient* one : {&later, &viewer}) {
    one->read();
    ASSERT_FALSE(one->seen.boards.empty());
    EXPECT_TRUE(one->seen.boards[0].anew);
    ASSERT_EQ(one->seen.boards[0].shown.size(), 1u);
    EXPECT_EQ(one->seen.boards[0].shown[0].result, number(5));
  }
}

TEST_F(ShownOnBoards, IsOnlyWhatHasChanged) {
  other.run(1, {add("k", 5), add("j", 7)});
  heat(value("k"));
  heat(value("j"));
  EXPECT_EQ(shown().size(), 2u);
  other.run(2, {add("k", 1)});
  for (int i = 0; i < 3; ++i) world.tick(2.5);
  viewer.read();
  std::size_t told = 0;
  for (const BoardSeen& board : viewer.seen.boards) told += board.shown.size() + board.gone.size();
  EXPECT_EQ(told, 1u);
  EXPECT_EQ(shown(), (Shown{{"k value", number(6)}, {"j value", number(7)}}));
}

TEST_F(ShownOnBoards, IsNothingOfRecordsThatHaveCooled) {
  other.run(1, {add("k", 5), add("j", 7)});
  heat(value("k"));
  heat(value("j"));
  shown();
  for (int i = 0; i < 30; ++i) {
    world.tick(10);
    heat(value("j"));
    other.run(2 + static_cast<std::uint64_t>(i), {add("j", 1)});
  }
  EXPECT_EQ(shown(), (Shown{{"j value", number(37)}}));
}

TEST_F(ShownOnBoards, IsNothingOnceAllHaveCooled) {
  other.run(1, {add("k", 5)});
  heat(value("k"));
  EXPECT_EQ(shown().size(), 1u);
  for (int i = 0; i < 20; ++i) world.tick(100);
  other.run(2, {add("k", 5)});
  EXPECT_EQ(shown(), Shown());
}

TEST_F(ShownOnBoards, KeepNothingOnceTheyHaveCooled) {
  other.run(1, {add("k", 5)});
  heat(value("k"));
  heat(value("absent"));
  shown();
  for (int i = 0; i < 20; ++i) world.tick(100);
  expect_clean({"k", "absent"});
}

TEST_F(ShownOnBoards, KeepNothingOnceNobodyLooksAnyMore) {
  other.run(1, {add("k", 5)});
  heat(value("k"));
  heat(value("absent"));
  shown();
  viewer.hang_up();
  for (int i = 0; i < 20; ++i) world.tick(100);
  expect_clean({"k", "absent"});
}

TEST_F(ShownOnBoards, DoNotKeepAKeyForATypeThatNothingWasCommittedTo) {
  heat(value("absent"));
  EXPECT_EQ(shown(), Shown());
  client.member(1, {set_add("absent", "x")}, {.ends = true}).send();
  EXPECT_EQ(client.seen.reply(1).error, "");
  heat(value("absent too"));
  const std::uint64_t native = other.send_natives({set_add("absent too", "x")});
  EXPECT_NE(other.natives[native].at, 0u) << other.natives[native].error;
}

// The shard sleeps while there is nothing to show.
TEST_F(ShownOnBoards, LetTheShardSleep) {
  const auto sleeps_ms = [&] { return shard().next_deadline_ms() - world.now().monotonic_ms; };
  other.run(1, {add("k", 5)});
  world.tick(5);
  EXPECT_GT(sleeps_ms(), 2) << "nothing is hot";
  heat(value("k"));
  shown();
  other.run(2, {add("k", 1)});
  other.run(3, {add("k", 1)});
  EXPECT_LE(sleeps_ms(), 2) << "a mark is due";
  shown();
  viewer.read();
  EXPECT_GT(sleeps_ms(), 2) << "nothing has changed since the mark";
  for (int i = 0; i < 30; ++i) world.tick(100);
  other.run(4, {add("k", 1)});
  world.tick(5);
  EXPECT_GT(sleeps_ms(), 2) << "nothing is hot any more";
}

// ---- of one moment, and never of what is taken out

TEST_F(ShownOnBoards, IsNothingUndecided) {
  other.run(1, {add("k", 5)});
  heat(value("k"));
  EXPECT_EQ(shown().at("k value"), number(5));
  client.member(1, {add("k", 10)}).member(2, {add("k", 20)}).send();
  EXPECT_EQ(shown().at("k value"), number(5));
  client.word({1}).send();
  EXPECT_EQ(shown().at("k value"), number(5)) << "one of the mark's members is still undecided";
  client.word({2}).send();
  EXPECT_EQ(shown().at("k value"), number(35));
}

TEST_F(ShownOnBoards, IsNothingThatIsTakenOut) {
  other.run(1, {add("k", 5), add("j", 5)});
  heat(value("k"));
  heat(value("j"));
  shown();
  client.member(1, {add("k", 10)}).member(2, {add("j", 20)}).send();
  for (int i = 0; i < 3; ++i) world.tick(2.5);
  client.withdraw(2).send();
  client.word({1}).send();
  EXPECT_EQ(shown(), (Shown{{"k value", number(15)}, {"j value", number(5)}}));
  for (std::uint64_t chain = 2; chain < 6; ++chain) {
    client.member(1, {add("k", 10), fill("stock", 1)}, {.chain = chain})
        .member(2, {add("j", 20), take_one("stock")}, {.chain = chain})
        .send();
    for (int i = 0; i < 3; ++i) world.tick(2.5);
    if (chain == 2) client.withdraw(1, chain);  // and the second with it
    if (chain == 3) client.word({9}, chain);
    if (chain == 4) client.member(1, {value("i")}, {.chain = 5});
    if (chain == 5) client.hang_up();
    if (chain != 5) client.send();
    EXPECT_EQ(shown(), (Shown{{"k value", number(15)}, {"j value", number(5)}})) << chain;
  }
}

TEST_F(ShownOnBoards, IsAllOfOneMoment) {
  other.run(1, {add("a"), add("b")});
  heat(value("a"));
  heat(value("b"));
  std::uint64_t n = 0;
  std::vector<std::uint64_t> open;
  Dice dice(1);
  std::size_t boards = 0, differing = 0;
  for (int turn = 0; turn < 2000; ++turn) {
    if (dice.below(2) == 0) {
      client.member(++n, {add("a"), add("b")}).send();
      open.push_back(n);
    } else if (!open.empty()) {
      const std::size_t in = std::min<std::size_t>(open.size(), 1 + dice.below(4));
      client.word({open.begin(), open.begin() + static_cast<std::ptrdiff_t>(in)}).send();
      open.erase(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(in));
    }
    if (dice.below(7) == 0 && !open.empty()) {
      const std::size_t out = dice.below(open.size());
      client.withdraw(open[out]).send();
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(out));
    }
    if (dice.below(20) == 0) {
      heat(value("a"));
      heat(value("b"));
    }
    world.tick(static_cast<double>(dice.below(3)));
    viewer.read();
    if (viewer.seen.boards.empty()) continue;
    const auto now = shown();
    boards += now.size() == 2;
    differing += now.size() == 2 && now.at("a value") != now.at("b value");
  }
  EXPECT_EQ(client.seen.broken_by(), "");
  EXPECT_GT(boards, 50u);
  EXPECT_EQ(differing, 0u);
}

TEST_F(ShownOnBoards, IsNothingOfARecordThatAVoteMayStillChange) {
  World two(2);
  const std::string key = key_on(0);
  TestClient writer(two, 1), viewing(two, 2);
  viewing.want_boards().send();
  writer.run(1, {add(key, 5)});
  writer.step({.attempt = 2, .begin_with_priority = 10, .operations = {add(key, 1)}, .prepare = kBoth});
  ASSERT_NE(writer.replies.at(0).voted_at, 0u);
  std::vector<std::unique_ptr<TestClient>> readers;
  for (std::uint32_t i = 0; i < 6; ++i) {
    readers.push_back(std::make_unique<TestClient>(two, 200 + i));
    readers.back()->ask(1, {value(key)});
  }
  for (int i = 0; i < 3; ++i) two.tick(2.5);
  viewing.read();
  for (const BoardSeen& board : viewing.seen.boards) EXPECT_TRUE(board.shown.empty());
  viewing.peek(7, value(key)).send();
  EXPECT_TRUE(viewing.seen.peeks.at(7).busy);
  writer.commit_outcome(2, writer.replies.at(0).voted_at).send();
  for (int i = 0; i < 3; ++i) two.tick(2.5);
  viewing.peek(8, value(key)).send();
  EXPECT_EQ(viewing.seen.peeks.at(8).value, number(6));
  ASSERT_FALSE(viewing.seen.boards.empty());
  ASSERT_EQ(viewing.seen.boards.back().shown.size(), 1u);
  EXPECT_EQ(viewing.seen.boards.back().shown[0].result, number(6));
}

// An operation that reserves is judged beside the reservations of others, which may come to nothing.
TEST_F(ShownOnBoards, IsNothingThatDependsOnTheReservationsOfOthers) {
  const Op all{"stock", "BoundedCounter.value", {}};
  other.run(1, {fill("stock", 2)});
  heat(all);
  heat(try_take("stock", 2));
  EXPECT_EQ(shown(), (Shown{{"stock value", number(2)}, {"stock tryDecrement", Value(true)}}));
  other.ask(2, {take_one("stock")});
  client.run(1, {add("k")});
  EXPECT_EQ(shown(), (Shown{{"stock value", number(2)}}));
  other.abort_outcome(2).send();
  EXPECT_EQ(shown(), (Shown{{"stock value", number(2)}, {"stock tryDecrement", Value(true)}}));
}

// ---- calls

TEST_F(ShownOnBoards, AreAtMostFourCallsOfARecordOfTheLastSecond) {
  other.run(1, {{"d", "Dict.set", {Value(Value::List{Value(Value::List{Value("f"), Value("v")})})}}});
  for (int i = 0; i < 8; ++i) {
    heat({"d", "Dict.get", {Value(Value::List{Value("f" + std::to_string(i))})}});
    world.tick(3);
  }
  EXPECT_LE(shown().size(), 4u);
}

TEST_F(ShownOnBoards, AreNoLongResultsNoFreshOnesAndNoRefusals) {
  other.run(1, {{"r", "Register.set", {Value(std::string(300, 'x'))}}, add("k", 5), fill("stock", 1)});
  heat({"r", "Register.get", {}});
  heat({"ids", "UIdGenerator.next", {}});
  heat(take_one("stock"));
  heat(add("k"));
  EXPECT_EQ(shown(), Shown());
}

// ---- heat

ShardOptions hot_at_once() {
  ShardOptions options;
  options.engine.heat_hot = 1;
  return options;
}

class ShownOnBoardsAtOnce : public ShownOnBoards {
 protected:
  ShownOnBoardsAtOnce() : ShownOnBoards(hot_at_once()) {}
};

TEST_F(ShownOnBoards, AreNoRecordsThatHaveConflictedOnce) {
  other.run(1, {add("k", 5)});
  client.member(1, {value("k")}).member(2, {value("k")}).send();
  client.word({1, 2}).send();
  EXPECT_EQ(shown(), Shown());
}

TEST_F(ShownOnBoardsAtOnce, AreRecordsThatHaveConflictedOnce) {
  other.run(1, {add("k", 5)});
  client.member(1, {value("k")}).member(2, {value("k")}).send();
  client.word({1, 2}).send();
  EXPECT_EQ(shown(), (Shown{{"k value", number(5)}}));
}

// ---- durability

class ShownOnBoardsWithALog : public ShownOnBoards {
 protected:
  ShownOnBoardsWithALog() : ShownOnBoards(logged_options()), disks(world, logged_options()) {}
  void SetUp() override {
    world.tick(0);
    disks.sync_all();
    ShownOnBoards::SetUp();
  }

  Disks disks;
};

TEST_F(ShownOnBoardsWithALog, IsOnlyWhatIsDurable) {
  other.run(1, {add("k", 5)});
  disks.sync(0);
  heat(value("k"));
  shown();
  disks.sync(0);
  EXPECT_EQ(shown().at("k value"), number(5));
  client.member(1, {add("k", 1)}).send();
  for (int i = 0; i < 3; ++i) world.tick(2.5);
  client.word({1}).send();
  EXPECT_EQ(shown().at("k value"), number(5));
  disks.sync(0);
  EXPECT_EQ(shown().at("k value"), number(6));
}

TEST_F(ShownOnBoardsWithALog, LeaveWhenTheLogHasCaughtUp) {
  other.run(1, {add("k", 5)});
  disks.sync(0);
  heat(value("k"));
  for (std::uint64_t i = 2; i < 6; ++i) {
    other.run(i, {add("k", 1)});
    world.tick(2.5);
  }
  viewer.read();
  viewer.seen.boards.clear();
  disks.sync(0);
  EXPECT_LE(shard().next_deadline_ms(), world.now().monotonic_ms + 5) << "the boards are due";
}

}  // namespace
}  // namespace claret::testing
