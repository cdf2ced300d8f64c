// For tests of epochs: clusters of whole shards, members at several of them, and a shard whose manager and peers are the test.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ground/slots.h"
#include "shard/test_client.h"
#include "shard/test_disk.h"
#include "transaction/test_actor.h"

namespace claret::testing {

inline Op put(std::string key, std::string text) { return {std::move(key), "Register.set", {Value(std::move(text))}}; }
inline Op got(std::string key) { return {std::move(key), "Register.get", {}}; }

struct Cluster {
  explicit Cluster(std::uint32_t shards, ShardOptions options = {}) : world(shards, options), links(world), shards(shards) {}

  std::string key(std::uint32_t shard, const std::string& stem = "k") const {
    for (int i = 0;; ++i) {
      std::string key = stem + std::to_string(i);
      if (shard_of_slot(slot_of(key), shards) == shard) return key;
    }
  }
  // A new session with the shard, of a client of its own.
  TestClient& client(std::uint32_t shard, std::uint32_t identity) {
    clients.push_back(std::make_unique<TestClient>(world, 100 * (shard + 1) + static_cast<std::uint32_t>(clients.size()), shard, identity));
    return *clients.back();
  }
  void run(double for_ms, double step_ms = 1) {
    for (const double until_ms = world.ms + for_ms; world.ms < until_ms;) {
      links.carry();
      world.tick(step_ms);
      links.carry();
      for (auto& one : clients) one->read();
    }
  }
  Shard& shard(std::uint32_t number) { return *world.shards[number]; }
  std::size_t undecided(std::uint32_t number) { return shard(number).engine().epochs.undecided(); }

  World world;
  Links links;
  std::uint32_t shards;
  std::vector<std::unique_ptr<TestClient>> clients;
};

inline Step member(std::vector<Op> operations, std::vector<std::uint32_t> participants = {}, std::uint32_t manager = 0) {
  Step step{.attempt = 1, .begin_with_priority = 100, .operations = std::move(operations), .prepare = std::move(participants)};
  step.epoch_manager_plus_one = manager + 1;
  return step;
}

// Its part at each shard comes from a session of its own; the id is the same.
struct Sent {
  Sent(Cluster& cluster, std::uint32_t identity, const std::vector<std::vector<Op>>& by_shard, std::uint32_t manager = 0) {
    std::vector<std::uint32_t> participants;
    for (std::uint32_t shard = 0; shard < by_shard.size(); ++shard) {
      if (!by_shard[shard].empty()) participants.push_back(shard);
    }
    for (const std::uint32_t shard : participants) {
      parts[shard] = &cluster.client(shard, identity);
      parts[shard]->add(member(by_shard[shard], participants.size() == 1 ? std::vector<std::uint32_t>{} : participants, manager)).send();
    }
  }
  const Reply* reply(std::uint32_t shard) const {
    const auto& replies = parts.at(shard)->replies;
    return replies.empty() ? nullptr : &replies.back();
  }
  bool answered(std::uint32_t shard) const { return reply(shard) != nullptr; }
  Timestamp committed_at(std::uint32_t shard) const { return answered(shard) ? reply(shard)->committed_at : 0; }
  std::string error(std::uint32_t shard) const { return answered(shard) ? reply(shard)->error : "unanswered"; }
  std::map<std::uint32_t, TestClient*> parts;
};

// ---- two shards with logs

struct Logged : Cluster {
  Logged() : Cluster(2, logged_options()), disks(world, logged_options()) {
    world.after_input = [this] {
      if (syncs[0]) disks.sync(0);
      if (syncs[1]) disks.sync(1);
    };
    world.tick(0);
    // The shards know each other from then on.
    const Sent opening(*this, 100, {{put(key(0), "before")}, {put(key(1), "before")}});
    run(50);
    EXPECT_NE(opening.committed_at(0), 0u);
  }
  Disks disks;
  bool syncs[2] = {true, true};
};

// ---- a shard alone; the test says what its manager and its peers would

inline constexpr EpochNumber kEpoch = EpochNumber{1} << 56U | 1;

struct Alone : Cluster {
  Alone() : Cluster(2) {}
  // A member of both shards, of which the other one is never heard.
  TestClient& member_of_both(std::uint32_t identity, std::vector<Op> operations) {
    TestClient& one = client(0, identity);
    one.add(member(std::move(operations), kBoth, 1)).send();
    return one;
  }
  Epochs& epochs() { return shard(0).engine().epochs; }
  Attempt& attempt(std::uint32_t identity) {
    AttemptId id;
    const std::string bytes = TestClient::id_of(identity, 1);
    std::copy(bytes.begin(), bytes.end(), id.begin());
    return *shard(0).engine().ground.outcomes.known().under_way(id);
  }
  void close(EpochNumber epoch = kEpoch) {
    epochs().close({.epoch = epoch, .floor = 0, .shards = {0, 1}});
    settle();
  }
  void settle() {
    world.tick(0.1);
    for (auto& one : clients) one->read();
  }
};

}  // namespace claret::testing
