// A cut across two shards among members of epochs: what the restored logs hold is exactly what committed up to the cut.
#include <gtest/gtest.h>

#include <random>

#include "transaction/test_epochs.h"

namespace claret::testing {
namespace {

constexpr Timestamp kAhead = Timestamp{25} * 4'000 * 256;  // 25 ms

std::unique_ptr<Logged> restored(Logged& from, const std::vector<std::uint64_t>& positions) {
  auto to = std::make_unique<Logged>();
  to->links.break_all();
  to->clients.clear();
  for (const std::uint32_t shard : kBoth) to->world.shards[shard] = from.disks.rebuilt(shard, positions[shard]);
  to->world.ms = from.world.ms;
  to->disks.sync_all();
  to->run(300);
  return to;
}

std::vector<std::uint64_t> pass_both(Logged& cluster) {
  const std::vector<std::uint64_t> positions{cluster.shard(0).cut(), cluster.shard(1).cut()};
  cluster.disks.sync_all();
  return positions;
}

Value read(Logged& cluster, std::uint32_t shard, const std::string& key) {
  static std::uint32_t readers = 500'000;
  return cluster.client(shard, ++readers).run(1, {got(key)}).results.front();
}

TEST(CutAmongEpochs, IsPreparedOnceNoMemberIsUndecided) {
  Logged cluster;
  cluster.syncs[1] = false;
  const Sent listed(cluster, 1, {{put(cluster.key(0), "x")}, {put(cluster.key(1), "x")}});
  for (int i = 0; i < 50 && cluster.undecided(1) == 0; ++i) cluster.run(0.2, 0.2);
  for (const std::uint32_t shard : kBoth) {
    EXPECT_EQ(cluster.undecided(shard), 1u);
    EXPECT_EQ(cluster.shard(shard).prepare_cut(), 0u);
  }
  cluster.syncs[1] = true;
  cluster.run(20);
  EXPECT_NE(listed.committed_at(0), 0u);
  const Timestamp reached[] = {cluster.shard(0).prepare_cut(), cluster.shard(1).prepare_cut()};
  ASSERT_TRUE(reached[0] != 0 && reached[1] != 0);

  const Sent later(cluster, 2, {{put(cluster.key(0), "y")}, {put(cluster.key(1), "y")}});
  cluster.run(1'000);
  EXPECT_FALSE(later.answered(0)) << "it is listed once the cut is over, however long that takes";
  const Timestamp at = std::max(reached[0], reached[1]) + 2'000 * kAhead;
  ASSERT_TRUE(cluster.shard(0).set_cut(at) && cluster.shard(1).set_cut(at));
  const auto positions = pass_both(cluster);
  cluster.run(50);
  EXPECT_GT(later.committed_at(0), at);
  auto copy = restored(cluster, positions);
  for (const std::uint32_t shard : kBoth) EXPECT_EQ(read(*copy, shard, cluster.key(shard)), Value("x"));
}

TEST(CutAmongEpochs, CalledOffLetsMembersBeListed) {
  Logged cluster;
  ASSERT_NE(cluster.shard(1).prepare_cut(), 0u);
  const Sent sent(cluster, 1, {{put(cluster.key(0), "x")}, {put(cluster.key(1), "x")}});
  cluster.run(30);
  EXPECT_FALSE(sent.answered(0));
  cluster.shard(1).call_off_cut();
  cluster.run(50);
  EXPECT_NE(sent.committed_at(0), 0u);
}

// Members in any order, beside disks that stand still, so that epochs are called off.
TEST(CutAmongEpochs, HoldsExactlyWhatCommittedUpToIt) {
  std::uint64_t inside = 0, outside = 0, called_off = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    Logged cluster;
    std::vector<std::unique_ptr<Sent>> sent;
    const auto name = [&](std::uint32_t shard, std::size_t number) { return cluster.key(shard, "m" + std::to_string(number) + "-"); };
    const auto storm = [&](double for_ms) {
      for (const double until_ms = cluster.world.ms + for_ms; cluster.world.ms < until_ms;) {
        if (random() % 3 == 0) {
          const std::size_t number = sent.size();
          std::vector<std::vector<Op>> parts{{put(name(0, number), "x")}, {put(name(1, number), "x")}};
          if (random() % 3 == 0) parts[random() % 2].clear();
          sent.push_back(std::make_unique<Sent>(cluster, static_cast<std::uint32_t>(1'000 + number), parts));
        }
        for (const std::uint32_t shard : kBoth) cluster.syncs[shard] = cluster.syncs[shard] ? random() % 30 != 0 : random() % 60 == 0;
        cluster.run(1);
      }
    };
    storm(200);
    Timestamp at = 0;
    int tries = 0;
    for (bool is_set = false; !is_set;) {
      Timestamp reached[2] = {0, 0};
      while (reached[0] == 0 || reached[1] == 0) {
        ASSERT_LT(++tries, 1'000) << "no cut is ever prepared";
        for (const std::uint32_t shard : kBoth) {
          if (reached[shard] == 0) reached[shard] = cluster.shard(shard).prepare_cut();
        }
        storm(3);
      }
      at = std::max(reached[0], reached[1]) + kAhead;
      is_set = cluster.shard(0).set_cut(at) && cluster.shard(1).set_cut(at);
    }
    storm(static_cast<double>(random() % 60));
    const auto positions = pass_both(cluster);
    storm(100);
    cluster.syncs[0] = cluster.syncs[1] = true;
    cluster.run(1'000);
    for (const std::uint32_t shard : kBoth) called_off += cluster.shard(shard).counters().totals.epochs_called_off;

    auto copy = restored(cluster, positions);
    for (std::size_t number = 0; number < sent.size(); ++number) {
      for (const auto& [shard, part] : sent[number]->parts) {
        const Timestamp committed_at = sent[number]->committed_at(shard);
        const bool is_inside = committed_at != 0 && committed_at <= (at | 0xFF);
        (is_inside ? inside : outside) += 1;
        EXPECT_EQ(read(*copy, shard, name(shard, number)), is_inside ? Value("x") : Value()) << "member " << number << ", shard " << shard;
      }
    }
  }
  EXPECT_GT(inside, 100u);
  EXPECT_GT(outside, 100u);
  EXPECT_GT(called_off, 10u);
}

}  // namespace
}  // namespace claret::testing
