// A consistent cut across two shards: their logs up to the cut, restored elsewhere, are one state of the cluster.
#include <gtest/gtest.h>

#include <random>

#include "shard/test_disk.h"
#include "transaction/test_actor.h"

namespace claret::testing {
namespace {

constexpr Timestamp kTick = 256;

Op add_money(std::uint32_t shard, std::int64_t n) { return {key_on(shard, "money"), "Counter.add", {Value(n)}}; }

// Two shards whose logs can be cut and restored elsewhere.
struct CutCluster {
  CutCluster() : world(2, logged_options()), disks(world, logged_options()), links(world) {
    world.tick(0);
    disks.sync_all();
    world.after_input = [this] { disks.sync_all(); };
  }

  Shard& shard(std::uint32_t number) { return *world.shards[number]; }
  Engine& engine(std::uint32_t number) { return shard(number).engine(); }
  TestClient client(std::uint32_t number, std::uint32_t identity) { return {world, ++peers, number, identity}; }
  // Lets the shards talk to each other for a time.
  void settle(double ms = 3000) {
    for (double passed = 0; passed < ms; passed += 25) {
      world.tick(25);
      links.carry();
    }
  }
  std::int64_t read(std::uint32_t number, const std::string& key) {
    const Reply reply = client(number, 1'000'000 + peers).run(1, {value(key)}, 1);
    return reply.results.empty() ? -1'000'000 : reply.results.front().integer();
  }

  World world;
  Disks disks;
  Links links;
  std::uint32_t peers = 0;
};

std::unique_ptr<CutCluster> restored(CutCluster& from, const std::vector<std::uint64_t>& positions) {
  auto to = std::make_unique<CutCluster>();
  for (std::uint32_t shard = 0; shard < 2; ++shard) to->world.shards[shard] = from.disks.rebuilt(shard, positions[shard]);
  to->world.ms = from.world.ms;
  to->disks.sync_all();
  return to;
}

TestClient::Step vote_to_add(std::uint32_t shard, std::int64_t n) {
  return {.attempt = 1, .begin_with_priority = 10, .operations = {add_money(shard, n)}, .prepare = kBoth};
}

// ---- one shard ------------------------------------------------------------------------------------------------------------

TEST(Cut, EntriesBeforeItAreNotAboveItAndLaterOnesAre) {
  CutCluster cluster;
  TestClient client = cluster.client(0, 1);
  const Timestamp before = client.run(1, {add_money(0, 1)}).committed_at;
  const Timestamp reached = cluster.shard(0).prepare_cut();
  EXPECT_GE(reached, before);
  const Timestamp at = reached + 400'000 * kTick;  // 100 ms
  ASSERT_TRUE(cluster.shard(0).set_cut(at));
  const std::uint64_t position = cluster.shard(0).cut();
  EXPECT_EQ(position, cluster.shard(0).log_position());
  EXPECT_FALSE(cluster.shard(0).cut_prepared() || cluster.shard(0).cut_set());
  const Timestamp after = client.run(2, {add_money(0, 1)}).committed_at;
  EXPECT_GT(after, at);
  EXPECT_GT(after >> 8, at >> 8) << "whichever shard issues the next";
  EXPECT_EQ(restored(cluster, {position, 1})->read(0, key_on(0, "money")), 1);
}

TEST(Cut, CannotBeSetToATimeThatTheClockHasPassed) {
  CutCluster cluster;
  TestClient client = cluster.client(0, 1);
  const Timestamp reached = cluster.shard(0).prepare_cut();
  client.run(1, {add_money(0, 1)});
  const std::uint64_t position = cluster.shard(0).log_position();
  EXPECT_FALSE(cluster.shard(0).set_cut(reached));
  EXPECT_EQ(cluster.shard(0).log_position(), position) << "nothing was logged";
  EXPECT_TRUE(cluster.shard(0).cut_prepared());
  EXPECT_TRUE(cluster.shard(0).set_cut(cluster.shard(0).prepare_cut())) << "the time that the clock has reached is possible";
}

TEST(Cut, IsPassedByTheFirstTimestampAboveIt) {
  CutCluster cluster;
  TestClient client = cluster.client(0, 1);
  client.run(1, {add_money(0, 1)});
  ASSERT_TRUE(cluster.shard(0).set_cut(cluster.shard(0).prepare_cut() + 4 * kTick));
  for (std::uint64_t number = 2; number < 10; ++number) client.run(number, {add_money(0, 1)});
  EXPECT_FALSE(cluster.shard(0).cut_prepared());
  EXPECT_TRUE(cluster.shard(0).cut_set());
  const std::uint64_t position = cluster.shard(0).cut();
  EXPECT_EQ(position, cluster.shard(0).log_position() - 4);
  EXPECT_EQ(restored(cluster, {position, 1})->read(0, key_on(0, "money")), 5) << "one before, four up to it, four after";
}

TEST(Cut, IsPassedBeforeACommitAboveItIsLogged) {
  CutCluster cluster;
  for (const std::uint32_t shard : kBoth) cluster.client(shard, 5).run(1, {add_money(shard, 0)});  // starts their clocks
  TestClient zero = cluster.client(0, 1), one = cluster.client(1, 1);
  const Timestamp at = std::max(cluster.shard(0).prepare_cut(), cluster.shard(1).prepare_cut()) + kTick * 1000;
  ASSERT_TRUE(cluster.shard(0).set_cut(at) && cluster.shard(1).set_cut(at));
  one.step(vote_to_add(1, -1));
  const std::uint64_t cut_of_zero = cluster.shard(0).cut();
  const Timestamp committed = zero.step(vote_to_add(0, 1)).voted_at;
  EXPECT_GT(committed, at);
  const std::uint64_t before = cluster.shard(1).log_position();
  one.commit_outcome(1, committed).send();
  EXPECT_EQ(cluster.shard(1).cut(), before) << "the vote is before the cut, the outcome is not";
  auto copy = restored(cluster, {cut_of_zero, before});
  copy->settle();
  EXPECT_EQ(copy->read(1, key_on(1, "money")), 0);
  EXPECT_EQ(copy->read(0, key_on(0, "money")), 0);
}

TEST(Cut, AShardRestoredFromItStartsAboveIt) {
  CutCluster cluster;
  // Shard 1 has been almost idle; the cut is far above every timestamp in its log.
  const Timestamp at = cluster.shard(0).prepare_cut() + 40'000'000 * kTick;  // 10 s
  cluster.shard(1).prepare_cut();
  ASSERT_TRUE(cluster.shard(0).set_cut(at) && cluster.shard(1).set_cut(at));
  const std::uint64_t zero = cluster.shard(0).cut(), one = cluster.shard(1).cut();
  cluster.disks.sync_all();
  auto copy = restored(cluster, {zero, one});
  for (const std::uint32_t shard : kBoth) {
    TestClient client = copy->client(shard, 2);
    EXPECT_GT(client.run(1, {add_money(shard, 1)}).committed_at, at);
  }
}

TEST(Cut, PreparedAgainHasNoTimeAnyMore) {
  CutCluster cluster;
  TestClient client = cluster.client(0, 1);
  ASSERT_TRUE(cluster.shard(0).set_cut(cluster.shard(0).prepare_cut() + kTick));
  client.run(1, {add_money(0, 1)});
  client.run(2, {add_money(0, 1)});
  const Timestamp reached = cluster.shard(0).prepare_cut();
  EXPECT_FALSE(cluster.shard(0).cut_set());
  ASSERT_TRUE(cluster.shard(0).set_cut(reached));
  EXPECT_EQ(cluster.shard(0).cut(), cluster.shard(0).log_position());
}

// ---- two shards -------------------------------------------------------------------------------------------------------------

// Runs a transaction over both shards until both votes; reports the outcome to shard 0 only.
Timestamp commit_both(TestClient& zero, TestClient& one) {
  const Timestamp at = std::max(zero.step(vote_to_add(0, 1)).voted_at, one.step(vote_to_add(1, -1)).voted_at);
  zero.commit_outcome(1, at).send();
  return at;
}

TEST(Cut, ACommitIsNotForgottenWhileTheCutOfAnotherShardLacksItsOutcome) {
  CutCluster cluster;
  TestClient zero = cluster.client(0, 1), one = cluster.client(1, 1);
  const Timestamp committed = commit_both(zero, one);
  const Timestamp at = std::max(cluster.shard(0).prepare_cut(), cluster.shard(1).prepare_cut()) + kTick;
  ASSERT_TRUE(cluster.shard(0).set_cut(at) && cluster.shard(1).set_cut(at));
  const std::uint64_t cut_of_one = cluster.shard(1).cut();  // this shard has voted, and does not know the outcome
  one.commit_outcome(1, committed).send();
  zero.forget_below(2).send();  // both have the outcome now
  EXPECT_EQ(cluster.engine(0).outcomes_known(), 1u) << "kept until this shard has passed the cut";
  const std::uint64_t cut_of_zero = cluster.shard(0).cut();
  EXPECT_EQ(cluster.engine(0).outcomes_known(), 0u) << "and no longer";
  cluster.disks.sync_all();
  auto copy = restored(cluster, {cut_of_zero, cut_of_one});
  copy->settle();
  EXPECT_EQ(copy->read(0, key_on(0, "money")), 1);
  EXPECT_EQ(copy->read(1, key_on(1, "money")), -1) << "the transaction is complete";
}

TEST(Cut, CalledOffForgetsTheOutcomesThatItKept) {
  CutCluster cluster;
  TestClient zero = cluster.client(0, 1), one = cluster.client(1, 1);
  one.commit_outcome(1, commit_both(zero, one)).send();
  cluster.shard(0).prepare_cut();
  const std::uint64_t position = cluster.shard(0).log_position();
  zero.forget_below(2).send();
  EXPECT_EQ(cluster.shard(0).log_position(), position);
  cluster.shard(0).call_off_cut();
  EXPECT_EQ(cluster.shard(0).log_position(), position + 1) << "the forgetting is logged";
  EXPECT_EQ(cluster.engine(0).outcomes_known(), 0u);
  cluster.shard(0).call_off_cut();
  EXPECT_EQ(cluster.shard(0).log_position(), position + 1);
}

TEST(Cut, OutcomesThatTheShardsSettleAmongThemselvesAreKeptToo) {
  CutCluster cluster;
  {
    TestClient zero = cluster.client(0, 1), one = cluster.client(1, 1);
    one.commit_outcome(1, commit_both(zero, one)).send();
    zero.hang_up();
    one.hang_up();
  }
  cluster.shard(0).prepare_cut();
  cluster.settle(limits::kAttemptExpiryMsDefault + kAskGraceMs + 3000);
  EXPECT_EQ(cluster.engine(0).outcomes_known(), 1u);
  EXPECT_EQ(cluster.engine(1).outcomes_known(), 0u);
  cluster.shard(0).call_off_cut();
  EXPECT_EQ(cluster.engine(0).outcomes_known(), 0u);
}

// ---- a storm ----------------------------------------------------------------------------------------------------------------

// A transfer between the shards, step by step, in any order that its client could choose.
struct Transfer {
  Transfer(CutCluster& cluster, std::uint32_t identity) : sides{cluster.client(0, identity), cluster.client(1, identity)} {}

  // Takes one of the possible next steps; false if the transfer is over.
  bool step(std::mt19937_64& random) {
    const std::uint32_t side = random() % 2, other = 1 - side;
    if (gone) return false;
    if (random() % 40 == 0) return leave();
    if (!voted[side] || !voted[other]) {
      const std::uint32_t who = voted[side] ? other : side;
      voted[who] = sides[who].step(vote_to_add(who, who == 0 ? 1 : -1)).voted_at;
    } else if (!told[side] || !told[other]) {
      const std::uint32_t who = told[side] ? other : side;
      sides[who].commit_outcome(1, std::max(voted[0], voted[1])).send();
      told[who] = true;
    } else if (!forgotten[side] || !forgotten[other]) {
      const std::uint32_t who = forgotten[side] ? other : side;
      sides[who].forget_below(2).send();
      forgotten[who] = true;
    } else {
      return false;
    }
    return true;
  }
  // The client dies.
  bool leave() {
    for (TestClient& side : sides) side.hang_up();
    return gone = true;
  }
  bool decided() const { return voted[0] != 0 && voted[1] != 0; }

  TestClient sides[2];
  Timestamp voted[2] = {0, 0};
  bool told[2] = {false, false};
  bool forgotten[2] = {false, false};
  bool gone = false;
};

// An event recorded at one shard, and afterwards, at the other shard, the number of events seen.
struct Sighting {
  Sighting(CutCluster& cluster, std::uint32_t identity, std::uint32_t where)
      : where(where), seen_at(cluster.client(where, identity)), told_at(cluster.client(1 - where, identity)) {}

  void run(std::uint64_t number) {
    const Reply seen = seen_at.step({.attempt = number, .begin_with_priority = number, .operations = {value(key_on(where, "events"))}});
    if (seen.results.empty()) return;
    const std::int64_t count = seen.results.front().integer();
    const std::string sightings = key_on(1 - where, "sightings");
    const Reply second = told_at.step({.attempt = number,
                                       .begin_with_priority = number,
                                       .operations = {{sightings, "TopK.add", {Value(std::to_string(number)), Value(count)}}},
                                       .prepare = kBoth});
    const Reply first = seen_at.step({.attempt = number, .sent_before = 1, .prepare = kBoth});
    const Timestamp at = std::max(first.voted_at, second.voted_at);
    told_at.commit_outcome(number, at).send();
    seen_at.commit_outcome(number, at).send();
  }

  std::uint32_t where;
  TestClient seen_at;
  TestClient told_at;
};

class CutInAStorm : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(CutInAStorm, IsOneStateOfTheCluster) {
  const std::uint64_t seed = GetParam();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  CutCluster cluster;
  std::vector<std::unique_ptr<Transfer>> transfers;
  std::uint32_t identity = 0;
  Sighting sighting(cluster, 900'001, random() % 2);
  TestClient happening = cluster.client(sighting.where, 900'002);
  std::uint64_t number = 0;
  const auto storm = [&](int steps) {
    for (; steps > 0; --steps) {
      if (transfers.empty() || random() % 6 == 0) transfers.push_back(std::make_unique<Transfer>(cluster, ++identity));
      transfers[transfers.size() - 1 - random() % std::min<std::size_t>(6, transfers.size())]->step(random);
      if (random() % 4 == 0) happening.run(++number, {{key_on(sighting.where, "events"), "Counter.add", {Value(std::int64_t{1})}}});
      if (random() % 8 == 0) sighting.run(++number);
      if (random() % 10 == 0) {
        cluster.world.tick(random() % 30);
        cluster.links.carry();
      }
    }
  };
  const auto decided = [&] { return std::ranges::count_if(transfers, [](const auto& one) { return one->decided(); }); };

  storm(150);
  const auto decided_before = decided();
  std::vector<std::uint64_t> positions{0, 0};
  const std::uint32_t first = random() % 2;
  for (int tries = 0;; ++tries) {
    ASSERT_LT(tries, 30) << "no time is late enough";
    Timestamp at = cluster.shard(first).prepare_cut();
    storm(random() % 4);
    at = std::max(at, cluster.shard(1 - first).prepare_cut()) + (random() % (std::uint64_t{8000} << std::min(tries, 10))) * kTick;
    storm(random() % 12);
    if (!cluster.shard(first).set_cut(at)) continue;
    storm(random() % 12);
    if (cluster.shard(1 - first).set_cut(at)) break;
  }
  for (const std::uint32_t shard : {first, 1 - first}) {
    storm(random() % 60);
    positions[shard] = cluster.shard(shard).cut();
  }
  const auto decided_after = decided();
  storm(100);
  cluster.disks.sync_all();

  auto copy = restored(cluster, positions);
  copy->settle();
  EXPECT_EQ(copy->engine(0).attempts_in_flight() + copy->engine(1).attempts_in_flight(), 0u);
  const std::int64_t money = copy->read(0, key_on(0, "money"));
  EXPECT_EQ(copy->read(1, key_on(1, "money")), -money) << "every transfer is complete or absent";
  EXPECT_GE(money, decided_before) << "includes the transfers decided before the cut began";
  EXPECT_LE(money, decided_after);
  TestClient reader = copy->client(1 - sighting.where, 900'003);
  const Reply top = reader.run(1, {{key_on(1 - sighting.where, "sightings"), "TopK.top", {Value(std::int64_t{1})}}}, 1);
  ASSERT_EQ(top.results.size(), 1u);
  if (!top.results[0].list().empty()) {
    const double most = top.results[0].list()[0].list()[1].number();
    EXPECT_LE(most, static_cast<double>(copy->read(sighting.where, key_on(sighting.where, "events")))) << "every event seen is included";
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, CutInAStorm, ::testing::Range<std::uint64_t>(1, 151));

}  // namespace
}  // namespace claret::testing
