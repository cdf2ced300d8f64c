// The manager of epochs alone: when it closes one, what it waits for, and what it seals.
#include "shard/epoch_manager.h"

#include <gtest/gtest.h>

#include "shard/test_world.h"

namespace claret::testing {
namespace {

constexpr std::uint64_t kIncarnation = 3;

AttemptId id(unsigned char number) {
  AttemptId id{};
  id[0] = number;
  return id;
}

// Shard 0 manages; the others follow it.
struct Managed {
  explicit Managed(std::uint32_t shards) {
    for (std::uint32_t shard = 0; shard < shards; ++shard) manager.linked(shard);
  }
  void tick(double by_ms = 0) {
    ms += by_ms;
    manager.tick(ms, 1000, kIncarnation);
  }
  // The shards that were asked to list since the last call, and the epoch.
  std::vector<std::uint32_t> asked() {
    std::vector<std::uint32_t> shards;
    for (const EpochManager::Told& told : manager.take_told()) {
      if (!told.close) continue;
      shards.push_back(told.shard);
      epoch = told.close->epoch;
    }
    return shards;
  }
  // What each shard was told to commit; nothing for one that was told that the epoch is called off.
  std::map<std::uint32_t, std::optional<std::vector<std::uint64_t>>> sealed() {
    std::map<std::uint32_t, std::optional<std::vector<std::uint64_t>>> sealed;
    for (const EpochManager::Told& told : manager.take_told()) {
      if (!told.seal) continue;
      if (told.seal->called_off) {
        sealed[told.shard] = std::nullopt;
      } else {
        sealed[told.shard] = told.seal->committed;
      }
    }
    return sealed;
  }
  // An epoch of all three is open, and shard 2 has not listed.
  void open_with_straggler() {
    want(1, {2});
    tick();
    manager.own_listed();
    asked();
    list(0);
    list(1);
  }
  void want(std::uint32_t shard, ShardList others = {}) { manager.want(shard, {.shards = std::move(others)}); }
  void list(std::uint32_t shard, std::vector<ListedMember> members = {}) {
    manager.listed(shard, {.epoch = epoch, .members = std::move(members)}, ms);
  }

  EpochManager manager{0};
  EpochNumber epoch = 0;
  double ms = 100;
};

TEST(EpochManager, AsksItsOwnShardFirstAndTheOthersOnceThatHasListed) {
  Managed one(2);
  one.want(1);
  one.tick();
  EXPECT_EQ(one.asked(), (std::vector<std::uint32_t>{0}));
  one.tick();
  EXPECT_TRUE(one.asked().empty());
  one.manager.own_listed();
  EXPECT_EQ(one.asked(), (std::vector<std::uint32_t>{1}));
  EXPECT_EQ(manager_of(one.epoch), 0u);
}

TEST(EpochManager, SealsOnceAllListsAreThereAndCommitsWhatAllHaveListedAtTheGreatestVote) {
  Managed one(3);
  one.want(1, {2});
  one.tick();
  one.manager.own_listed();
  EXPECT_EQ(one.asked(), (std::vector<std::uint32_t>{0, 1, 2}));
  one.list(0);
  one.list(1, {{id(1), {2}, 50}, {id(2), {2}, 60}});
  EXPECT_TRUE(one.sealed().empty());
  one.list(2, {{id(1), {1}, 57}});
  const auto sealed = one.sealed();
  ASSERT_EQ(sealed.size(), 3u);
  EXPECT_EQ(sealed.at(1), (std::vector<std::uint64_t>{8, 0}));
  EXPECT_EQ(sealed.at(2), (std::vector<std::uint64_t>{1}));
}

TEST(EpochManager, CallsAnEpochOffForAllIfAListIsLate) {
  Managed one(3);
  one.want(1, {2});
  one.tick();
  one.manager.own_listed();
  one.asked();
  one.list(0);
  one.list(1, {{id(1), {2}, 50}});
  one.tick(one.manager.next_ms() - one.ms);
  const auto sealed = one.sealed();
  ASSERT_EQ(sealed.size(), 3u);
  for (const auto& [shard, committed] : sealed) EXPECT_FALSE(committed) << shard;
  one.list(2, {{id(1), {1}, 57}});  // too late
  EXPECT_TRUE(one.sealed().empty());
}

TEST(EpochManager, ClosesTheNextEpochAtOnceAfterItHasCalledOneOffAndWithoutTheStraggler) {
  Managed one(3);
  one.open_with_straggler();
  one.want(1);
  one.tick(one.manager.next_ms() - one.ms);
  one.manager.own_listed();
  EXPECT_EQ(one.asked(), (std::vector<std::uint32_t>{0, 1}));
}

TEST(EpochManager, DoesNotWaitTwiceForALateShardThatSaysNothing) {
  Managed one(3);
  one.open_with_straggler();
  one.tick(one.manager.next_ms() - one.ms);
  one.asked();
  const EpochNumber late = one.epoch;
  for (int i = 0; i < 3; ++i) {
    one.want(1, {2});
    one.tick(100);
    one.manager.own_listed();
    EXPECT_EQ(one.asked(), (std::vector<std::uint32_t>{0, 1}));
    one.list(0);
    one.list(1);
  }
  one.manager.listed(2, {.epoch = late, .members = {}}, one.ms);
  one.want(1, {2});
  one.tick(100);
  one.manager.own_listed();
  EXPECT_EQ(one.asked(), (std::vector<std::uint32_t>{0, 1, 2}));
}

TEST(EpochManager, CallsAnEpochOffThatSomebodyHasAskedAbout) {
  Managed one(2);
  one.want(1);
  one.tick();
  one.manager.own_listed();
  one.asked();
  one.manager.asked(one.epoch);
  EXPECT_EQ(one.sealed().size(), 2u);
  one.list(0);
  one.list(1);
  EXPECT_TRUE(one.sealed().empty());
}

TEST(EpochManager, LeavesOutShardsThatDoNotFollowIt) {
  Managed one(1);
  one.want(0, {1});
  one.tick();
  one.manager.own_listed();
  EXPECT_EQ(one.asked(), (std::vector<std::uint32_t>{0}));
}

TEST(EpochManager, WaitsAsLongAsEpochsUsuallyTakeUnlessOneIsUrgent) {
  Managed one(1);
  for (const double took_ms : {81, 0}) {
    one.want(0);
    one.tick();
    EXPECT_EQ(one.asked().size(), 1u);
    one.ms += took_ms;
    one.list(0);
  }
  // An eighth of the way from 1 ms to 81 ms, then half of the way to 0.
  const double usual_ms = 5.5;
  one.want(0);
  one.tick(1);
  EXPECT_TRUE(one.asked().empty());
  EXPECT_EQ(one.manager.next_ms(), one.ms - 1 + usual_ms);
  one.manager.want(0, {.urgent = true});
  one.tick();
  EXPECT_EQ(one.asked().size(), 1u);
  one.list(0);
  one.want(0);
  one.tick(usual_ms / 2 - 0.25);
  EXPECT_TRUE(one.asked().empty());
  one.tick(0.25);
  EXPECT_EQ(one.asked().size(), 1u);
}

TEST(EpochManager, NumbersItsEpochsUpwardsAcrossItsStarts) {
  EpochNumber last = 0;
  for (std::uint64_t incarnation = 1; incarnation <= 3; ++incarnation) {
    EpochManager manager(5);
    for (int i = 0; i < 3; ++i) {
      manager.want(5, {});
      manager.tick(1000 * (i + 1), 1000, incarnation);
      for (const EpochManager::Told& told : manager.take_told()) {
        EXPECT_GT(told.close->epoch, last);
        last = told.close->epoch;
        manager.listed(5, {.epoch = last}, 1000 * (i + 1));
      }
      manager.take_told();
    }
  }
  EXPECT_EQ(manager_of(last), 5u);
}

}  // namespace
}  // namespace claret::testing
