// Phases are fair, shown in logical time: whatever streams past, a waiter of another mind is admitted within a stated
// number of phase caps.
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "shard/dice.h"
#include "shard/test_client.h"

namespace claret::testing {
namespace {

const std::vector<std::uint32_t> kAlone;
constexpr double kCapMs = 2;
constexpr double kHoldMs = 4;

Op set_add(std::string member) { return {"s", "Set.add", {Value(std::move(member))}}; }
Op set_size() { return {"s", "Set.size", {}}; }
Op score(std::string item, std::int64_t score) { return {"z", "ScoredSet.add", {Value(std::move(item)), Value(score)}}; }
Op take(std::int64_t n) { return {"stock", "BoundedCounter.decrement", {Value(n)}}; }
Op put(std::int64_t n) { return {"stock", "BoundedCounter.increment", {Value(n)}}; }

// Wounds come too late to help: what is admitted is admitted by its phase.
ShardOptions without_wounds() {
  ShardOptions options;
  options.participant.phase_cap_ms = kCapMs;
  options.participant.wound_delay_ms = 1e9;
  return options;
}

// Transactions without an end, each younger than the one before. Each holds for kHoldMs, and another begins every
// millisecond: there are always some that hold, unless they are held back.
class Stream {
 public:
  using Operations = std::function<std::vector<Op>(std::uint64_t number)>;

  Stream(World& world, Operations operations, std::uint32_t first_peer = 1000)
      : world_(world), operations_(std::move(operations)) {
    for (std::uint32_t i = 0; i < kHoldMs; ++i) clients_.push_back({std::make_unique<TestClient>(world, first_peer + i)});
  }

  void turn() {
    world_.tick(1);
    Member& member = clients_[turns_++ % clients_.size()];
    member.client->read();
    if (member.attempt != 0) {
      if (member.client->replies.empty()) return;  // it waits
      ++served;
      member.client->step({.attempt = member.attempt, .sent_before = member.operations, .prepare = kAlone});
    }
    std::vector<Op> operations = operations_(++number_);
    member.attempt = number_;
    member.operations = static_cast<std::uint32_t>(operations.size());
    member.client->step({.attempt = number_, .begin_with_priority = kYoung + number_, .operations = std::move(operations)});
  }

  // How long until `waiter` has its answer; infinity beyond `limit_ms`.
  double until_answered(TestClient& waiter, double limit_ms = 500) {
    const double began_ms = world_.ms;
    for (waiter.read(); waiter.replies.empty(); waiter.read()) {
      if (world_.ms - began_ms > limit_ms) return std::numeric_limits<double>::infinity();
      turn();
    }
    return world_.ms - began_ms;
  }

  static constexpr std::uint64_t kYoung = 1'000'000;
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

// Those that hold when the waiter comes or join before the cap, and then nobody.
constexpr double kBoundMs = kCapMs + kHoldMs + 1;

struct Case {
  const char* name;
  Stream::Operations stream;
  Op waiter;
  std::vector<Op> before = {};
};

class Streams : public ::testing::TestWithParam<Case> {};

TEST_P(Streams, AnOlderWaiterIsAdmittedWithinACapAndAHold) {
  World world(1, without_wounds());
  TestClient waiter(world, 1);
  if (!GetParam().before.empty()) waiter.run(1, GetParam().before);
  Stream stream(world, GetParam().stream);
  for (int i = 0; i < 20; ++i) stream.turn();
  ASSERT_GT(stream.served, 10);
  ASSERT_TRUE(waiter.run(2, {GetParam().waiter}, 10).results.empty() && waiter.replies.empty()) << "it has to wait";
  ASSERT_LE(stream.until_answered(waiter), kBoundMs);
  EXPECT_EQ(waiter.replies[0].error, "");
}

void PrintTo(const Case& of, std::ostream* out) { *out << of.name; }

INSTANTIATE_TEST_SUITE_P(
    Phases, Streams,
    ::testing::Values(
        Case{"Readers", [](auto) { return std::vector<Op>{set_size()}; }, set_add("x")},
        Case{"Adds", [](auto n) { return std::vector<Op>{set_add(std::to_string(n))}; }, set_size()},
        Case{"StateDependentPasses", [](auto) { return std::vector<Op>{{"s", "Set.contains", {Value("there")}}}; },
             {"s", "Set.remove", {Value("there")}}, {set_add("there")}},
        Case{"AddsOfOneScore", [](auto) { return std::vector<Op>{score("x", 1)}; }, score("x", 2)},
        Case{"WritesOfOneValue", [](auto) { return std::vector<Op>{{"r", "Register.set", {Value("a")}}}; },
             {"r", "Register.set", {Value("b")}}},
        Case{"RemovalsOfOneField", [](auto) { return std::vector<Op>{{"d", "Dict.remove", {Value(Value::List{Value("f")})}}}; },
             {"d", "Dict.set", {Value(Value::List{Value(Value::List{Value("f"), Value("v")})})}}},
        Case{"SmallChangesOfABoundedCounter", [](auto n) { return std::vector<Op>{n % 2 == 0 ? put(1) : take(1)}; }, take(999),
             {put(1000)}}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Phases, WaitersOfOneModeThatCommuteEnterTogetherBeyondTheCapToo) {
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
  EXPECT_EQ(free.run(7, {score("w", 1)}, 100).error, "") << "it is in nobody's way";
  EXPECT_EQ(free.replies.size(), 1u);
  holder.step({.attempt = 1, .sent_before = 3, .prepare = kAlone});
  for (auto& waiter : waiters) waiter->read();
  EXPECT_EQ(waiters[0]->replies.size(), 1u);
  EXPECT_EQ(waiters[1]->replies.size(), 1u);
  EXPECT_EQ(waiters[2]->replies.size(), 1u);
  EXPECT_EQ(waiters[3]->replies.size(), 0u) << "it does not go with the one before it";
}

}  // namespace
}  // namespace claret::testing
