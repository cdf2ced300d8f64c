// Phases are fair, shown in logical time: under any stream of other transactions, a waiter of another mode is admitted within a fixed
// number of phase caps.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>

#include "shard/dice.h"
#include "shard/test_client.h"

namespace claret::testing {
namespace {

constexpr double kCapMs = 2;
constexpr double kHoldMs = 4;

Op score(std::string item, std::int64_t score) { return {"z", "ScoredSet.add", {Value(std::move(item)), Value(score)}}; }
Op take(std::int64_t n) { return {"stock", "BoundedCounter.decrement", {Value(n)}}; }
Op put(std::int64_t n) { return {"stock", "BoundedCounter.increment", {Value(n)}}; }

// Wounds are switched off, so that waiters are admitted by phases alone.
ShardOptions without_wounds() {
  ShardOptions options;
  options.engine.patience.phase_cap_ms = kCapMs;
  options.engine.patience.wound_delay_ms = 1e9;
  return options;
}

// An endless stream of transactions, each younger than the one before. Each holds for kHoldMs, and one begins every millisecond, so that
// there are always holders unless the stream is held back.
class Stream {
 public:
  using Operations = std::function<std::vector<Op>(std::uint64_t number)>;

  Stream(World& world, Operations operations, std::uint32_t first_peer = 1000) : world_(world), operations_(std::move(operations)) {
    for (std::uint32_t i = 0; i < kHoldMs; ++i) clients_.push_back({std::make_unique<TestClient>(world, first_peer + i)});
  }

  void turn() {
    world_.tick(1);
    Member& member = clients_[turns_++ % clients_.size()];
    member.client->read();
    if (member.attempt != 0) {
      if (member.client->replies.empty()) return;  // still waiting
      ++served;
      member.client->step({.attempt = member.attempt, .sent_before = member.operations, .prepare = kAlone});
    }
    std::vector<Op> operations = operations_(++number_);
    member.attempt = number_;
    member.operations = static_cast<std::uint32_t>(operations.size());
    member.client->step({.attempt = number_, .begin_with_priority = kYoung + number_, .operations = std::move(operations)});
  }

  // The time until `waiter` has its answer; infinity if it takes longer than `limit_ms`.
  double until_answered(TestClient& waiter, double limit_ms = 500) {
    const double began_ms = world_.ms;
    for (waiter.read(); waiter.replies.empty(); waiter.read()) {
      if (world_.ms - began_ms > limit_ms) return std::numeric_limits<double>::infinity();
      turn();
    }
    return world_.ms - began_ms;
  }

  static constexpr std::uint64_t kYoung = 1'000'000;
  std::uint64_t newest() const { return kYoung + number_; }
  int served = 0;

 private:
  struct Member {
    std::unique_ptr<TestClient> client;
    std::uint64_t attempt = 0;
    std::uint32_t operations = 0;
  };
  World& world_;
  Operations operations_;
  std::vector<Member> clients_;
  std::uint64_t turns_ = 0;
  std::uint64_t number_ = 0;
};

// Transactions hold when the waiter arrives or join before the cap; after that none is let in.
constexpr double kBoundMs = kCapMs + kHoldMs + 1;

struct PhaseCase {
  const char* name;
  Stream::Operations stream;
  Op waiter;
  std::vector<Op> before = {};

  void let_wait(TestClient& client, std::uint64_t priority) const {
    // With its end, an observer would pass those that have yet to vote.
    waiter.name == "Set.size" ? client.ask(2, {waiter}, priority) : client.run(2, {waiter}, priority);
    ASSERT_TRUE(client.replies.empty()) << "has to wait";
  }
};

class Streams : public ::testing::TestWithParam<PhaseCase> {};

TEST_P(Streams, AnOlderWaiterIsAdmittedWithinACapAndAHold) {
  World world(1, without_wounds());
  TestClient waiter(world, 1);
  if (!GetParam().before.empty()) waiter.run(1, GetParam().before);
  Stream stream(world, GetParam().stream);
  for (int i = 0; i < 20; ++i) stream.turn();
  ASSERT_GT(stream.served, 10);
  GetParam().let_wait(waiter, 10);
  ASSERT_LE(stream.until_answered(waiter), kBoundMs);
  EXPECT_EQ(waiter.replies[0].error, "");
}

void PrintTo(const PhaseCase& of, std::ostream* out) { *out << of.name; }

INSTANTIATE_TEST_SUITE_P(Phases, Streams,
                         ::testing::Values(PhaseCase{"Readers", [](auto) { return std::vector<Op>{set_size("s")}; }, set_add("s", "x")},
                                           PhaseCase{"Adds", [](auto n) { return std::vector<Op>{set_add("s", std::to_string(n))}; },
                                                     set_size("s")},
                                           PhaseCase{"StateDependentPasses",
                                                     [](auto) {
                                                       return std::vector<Op>{{"s", "Set.contains", {Value("there")}}};
                                                     },
                                                     {"s", "Set.remove", {Value("there")}},
                                                     {set_add("s", "there")}},
                                           PhaseCase{"AddsOfOneScore", [](auto) { return std::vector<Op>{score("x", 1)}; }, score("x", 2)},
                                           PhaseCase{"WritesOfOneValue",
                                                     [](auto) {
                                                       return std::vector<Op>{{"r", "Register.set", {Value("a")}}};
                                                     },
                                                     {"r", "Register.set", {Value("b")}}},
                                           PhaseCase{"RemovalsOfOneField",
                                                     [](auto) {
                                                       return std::vector<Op>{{"d", "Dict.remove", {Value(Value::List{Value("f")})}}};
                                                     },
                                                     {"d", "Dict.set", {Value(Value::List{Value(Value::List{Value("f"), Value("v")})})}}},
                                           PhaseCase{"SmallChangesOfABoundedCounter",
                                                     [](auto n) { return std::vector<Op>{n % 2 == 0 ? put(1) : take(1)}; },
                                                     take(999),
                                                     {put(1000)}}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Phases, WaitersOfOneModeThatCommuteEnterTogetherBeyondTheCap) {
  World world(1, without_wounds());
  TestClient holder(world, 1);
  holder.step({.attempt = 1, .begin_with_priority = 1, .operations = {score("x", 1), score("y", 1), score("z", 1)}});
  world.tick(kCapMs + 1);
  std::vector<std::unique_ptr<TestClient>> waiters;
  const auto wait = [&](const Op& op) {
    waiters.push_back(std::make_unique<TestClient>(world, 10 + waiters.size()));
    waiters.back()->step({.attempt = 5, .begin_with_priority = 10 + waiters.size(), .operations = {op}});
    EXPECT_TRUE(waiters.back()->replies.empty());
  };
  wait(score("x", 2));
  wait(score("y", 2));
  wait(score("z", 2));
  wait(score("z", 3));
  TestClient free(world, 2);
  EXPECT_EQ(free.run(7, {score("w", 1)}, 100).error, "") << "conflicts with no waiter";
  EXPECT_EQ(free.replies.size(), 1u);
  holder.step({.attempt = 1, .sent_before = 3, .prepare = kAlone});
  for (auto& waiter : waiters) waiter->read();
  EXPECT_EQ(waiters[0]->replies.size(), 1u);
  EXPECT_EQ(waiters[1]->replies.size(), 1u);
  EXPECT_EQ(waiters[2]->replies.size(), 1u);
  EXPECT_EQ(waiters[3]->replies.size(), 0u) << "does not commute with the waiter before it";
}

// Younger than all present transactions and older than all later ones, so the waiter is admitted by phases and not by age.
TEST_P(Streams, AWaiterAsOldAsTheStreamIsAdmittedWithinACapAndAHoldToo) {
  World world(1, without_wounds());
  TestClient waiter(world, 1);
  if (!GetParam().before.empty()) waiter.run(1, GetParam().before);
  Stream stream(world, GetParam().stream);
  for (int i = 0; i < 20; ++i) stream.turn();
  GetParam().let_wait(waiter, stream.newest());
  EXPECT_LE(stream.until_answered(waiter), kBoundMs);
}

TEST(Phases, AlternateUnderTwoStreamsThatExcludeEachOther) {
  World world(1, without_wounds());
  Stream readers(
      world, [](auto) { return std::vector<Op>{set_size("s")}; }, 1000);
  Stream adders(
      world, [](auto n) { return std::vector<Op>{set_add("s", std::to_string(n))}; }, 2000);
  int read = 0, added = 0;
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 4 * kBoundMs; ++i) {
      readers.turn();
      adders.turn();
    }
    EXPECT_GT(readers.served, read) << "round " << round;
    EXPECT_GT(adders.served, added) << "round " << round;
    read = readers.served;
    added = adders.served;
  }
}

TEST(Phases, OneShotsThatHoldNothingDoNotDelayAWaiter) {
  World world(1, without_wounds());
  TestClient holder(world, 1), waiter(world, 2), shots(world, 3);
  holder.step({.attempt = 1, .begin_with_priority = 1, .operations = {set_add("s", "x")}});
  waiter.ask(1, {set_size("s")}, 10);
  std::uint64_t shot = 0;
  for (int i = 0; i < 20; ++i) {
    world.tick(1);
    ++shot;
    EXPECT_EQ(shots.run(shot, {set_add("s", "y")}, 100 + shot).committed_at != 0, world.ms - 1000 < kCapMs) << shot;
  }
  holder.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  waiter.read();
  ASSERT_EQ(waiter.replies.size(), 1u) << "the next phase is the waiter's";
  EXPECT_EQ(waiter.replies[0].results[0].integer(), 2);
  shots.read();
  EXPECT_EQ(shots.replies.size(), 19u) << "and then the one-shots that came after the cap";
}

TEST(Phases, AHolderThatAsksAgainIsAnsweredButNoNewcomerOfItsModeIsAdmitted) {
  World world(1, without_wounds());
  TestClient holder(world, 1), waiter(world, 2), like(world, 3);
  holder.step({.attempt = 1, .begin_with_priority = 50, .operations = {set_add("s", "0")}});
  waiter.ask(1, {set_size("s")}, 10);
  for (std::uint32_t i = 1; i <= 20; ++i) {
    world.tick(1);
    EXPECT_EQ(holder.step({.attempt = 1, .sent_before = i, .operations = {set_add("s", std::to_string(i))}}).error, "");
    EXPECT_EQ(holder.replies.size(), 1u) << "the waiter waits for this holder in any case";
  }
  like.step({.attempt = 1, .begin_with_priority = 60, .operations = {set_add("s", "like")}});
  EXPECT_TRUE(like.replies.empty());
  holder.step({.attempt = 1, .sent_before = 21, .prepare = kAlone});
  waiter.read();
  ASSERT_EQ(waiter.replies.size(), 1u);
  EXPECT_EQ(waiter.replies[0].results[0].integer(), 21);
}

TEST(Phases, AnOlderTransactionNeverWaitsForAYoungerWaiter) {
  World world(1, without_wounds());
  TestClient holder(world, 1), waiter(world, 2), older(world, 3), younger(world, 4);
  holder.step({.attempt = 1, .begin_with_priority = 1, .operations = {set_add("s", "x")}});
  waiter.ask(1, {set_size("s")}, 50);
  world.tick(kCapMs + 1);
  EXPECT_NE(older.run(1, {set_add("s", "y")}, 40).committed_at, 0u);
  EXPECT_EQ(younger.run(1, {set_add("s", "z")}, 60).committed_at, 0u);
}

TEST(Phases, WaitersAreTriedAgainAfterACommitOfAOneShotThatNeverHeld) {
  World world(1, without_wounds());
  TestClient filler(world, 1), holder(world, 2), waiter(world, 3);
  filler.run(1, {put(10)});
  holder.step({.attempt = 1, .begin_with_priority = 1, .operations = {take(8)}});
  waiter.run(1, {take(5)}, 20);
  EXPECT_TRUE(waiter.replies.empty()) << "not certain while the other may take eight";
  EXPECT_NE(filler.run(2, {put(10)}, 10).committed_at, 0u) << "a one-shot never holds";
  waiter.read();
  ASSERT_EQ(waiter.replies.size(), 1u);
  EXPECT_NE(waiter.replies[0].committed_at, 0u);
}

// Each record has its own phases. An end that took one record in an old phase and waited for the other would wait for a reader that waits for it.
TEST(Phases, AnEndTakesAllItsRecordsTogetherThoughTheirPhasesDiffer) {
  World world(1, without_wounds());
  TestClient first(world, 1), second(world, 2), reader(world, 3), bidder(world, 4);
  bidder.step({.attempt = 1, .begin_with_priority = 50, .operations = {value("info")}});
  first.step({.attempt = 1, .begin_with_priority = 1, .operations = {set_add("bids", "a")}});
  world.tick(kCapMs + 1);
  second.step({.attempt = 1, .begin_with_priority = 2, .operations = {add("count")}});
  reader.ask(1, {set_size("bids"), value("count")}, 10);
  EXPECT_TRUE(reader.replies.empty());
  bidder.step({.attempt = 1, .sent_before = 1, .operations = {set_add("bids", "b"), add("count")}, .prepare = kAlone});
  first.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  second.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  reader.read();
  bidder.read();
  ASSERT_EQ(reader.replies.size(), 1u);
  EXPECT_EQ(reader.replies[0].error, "");
  EXPECT_EQ(reader.replies[0].results.at(1).integer(), 1);
  EXPECT_TRUE(bidder.replies.empty()) << "not even refused";
  reader.step({.attempt = 1, .sent_before = 2, .prepare = kAlone});
  bidder.read();
  ASSERT_EQ(bidder.replies.size(), 1u);
  EXPECT_NE(bidder.replies[0].committed_at, 0u) << bidder.replies[0].error;
}

// Random transactions on a few records: the oldest waiter waits at most for the current holders to end, plus the cap, for each record that
// it needs.
TEST(Phases, NoTransactionStarvesUnderRandomLoad) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    World world(1, without_wounds());
    TestClient filler(world, 1);
    filler.run(1, {put(100)});
    struct Member {
      std::unique_ptr<TestClient> client;
      std::uint64_t attempt = 0;
      double asked_ms = 0;
      double ends_ms = 0;
      bool holds = false;
    };
    std::vector<Member> members;
    for (std::uint32_t i = 0; i < 24; ++i) members.push_back({std::make_unique<TestClient>(world, 100 + i)});
    const auto random_op = [&]() -> Op {
      switch (dice.below(8)) {
        case 0:
          return set_size("s");
        case 1:
          return {"s", "Set.contains", {Value("a")}};
        case 2:
          return {"s", "Set.remove", {Value("a")}};
        case 3:
          return score("x", static_cast<std::int64_t>(dice.below(3)));
        case 4:
          return take(static_cast<std::int64_t>(dice.below(60)));
        case 5:
          return put(static_cast<std::int64_t>(dice.below(60)));
        case 6:
          return {"stock", "BoundedCounter.value", {}};
        default:
          return set_add("s", dice.below(2) == 0 ? "a" : "b");
      }
    };
    std::uint64_t number = 0;
    double longest_ms = 0;
    int waited = 0;
    for (int turn = 0; turn < 3000; ++turn) {
      Member& member = members[dice.below(members.size())];
      for (Member& one : members) {
        one.client->read();
        if (one.attempt == 0 || one.holds || one.client->replies.empty()) continue;
        const Reply reply = one.client->replies.back();
        one.client->replies.clear();
        longest_ms = std::max(longest_ms, world.ms - one.asked_ms);
        waited += world.ms > one.asked_ms ? 1 : 0;
        one.holds = reply.error.empty();
        one.ends_ms = world.ms + static_cast<double>(dice.below(static_cast<std::uint64_t>(kHoldMs) + 1));
        if (!one.holds) one.attempt = 0;  // refused, for instance below the counter's bound
      }
      for (Member& one : members) {
        if (!one.holds || one.ends_ms > world.ms) continue;
        one.client->step({.attempt = one.attempt, .sent_before = 1, .prepare = kAlone});
        one.client->replies.clear();
        one.attempt = 0;
        one.holds = false;
      }
      if (member.attempt == 0) {
        member.attempt = ++number;
        member.asked_ms = world.ms;
        member.client->replies.clear();
        member.client->add({.attempt = number, .begin_with_priority = number, .operations = {random_op()}}).send();
      }
      if (dice.below(3) == 0) world.tick(1);
    }
    EXPECT_GT(waited, 100) << "a crowd without waiters proves nothing";
    // In the worst case each of the others is admitted before it, in a phase of its own.
    EXPECT_LE(longest_ms, (kCapMs + kHoldMs + 1) * static_cast<double>(members.size()));
    for (const Member& member : members) {
      if (member.attempt != 0 && !member.holds) {
        EXPECT_LE(world.ms - member.asked_ms, (kCapMs + kHoldMs + 1) * static_cast<double>(members.size()));
      }
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace claret::testing
