// The past, seen from outside: clients run random transactions over two shards, with late outcomes, broken sessions and large attempts that
// leave in steps, while a reader asks for all records as of random times. In the end every transaction that had committed by such a time is
// replayed alone, in the order of commit timestamps, on an empty store: its records have to be what the reader saw.
#include <gtest/gtest.h>

#include "shard/test_disk.h"
#include "transaction/test_replay.h"

namespace claret::testing {
namespace {

// All records as of one time.
struct Look {
  Timestamp at = 0;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> asked;  // by shard and number
  bool gone = false;
};

class Looker {
 public:
  explicit Looker(World& world) : world_(world) {
    for (std::uint32_t shard = 0; shard < world.shards.size(); ++shard) connect(shard);
  }

  void connect(std::uint32_t shard) {
    clients_.resize(world_.shards.size());
    clients_[shard] = std::make_unique<TestClient>(world_, 800'000'000 + ++connections_, shard);
  }

  void look(Timestamp at) {
    Look look{.at = at};
    std::vector<std::vector<Op>> by_shard(world_.shards.size());
    std::vector<std::uint32_t> order;
    for (const Probe& probe : probes()) {
      for (int i = 0; i < kKeysOfAType; ++i) {
        Op op{probe.stem + std::to_string(i), probe.read.name, probe.read.arguments};
        op.at = at;
        const std::uint32_t shard = world_.owner(op.key);
        order.push_back(shard);
        by_shard[shard].push_back(std::move(op));
      }
    }
    std::vector<std::uint64_t> next;
    for (std::uint32_t shard = 0; shard < by_shard.size(); ++shard) next.push_back(clients_[shard]->send_natives(by_shard[shard]));
    for (const std::uint32_t shard : order) look.asked.emplace_back(shard, next[shard]++);
    looks.push_back(std::move(look));
  }

  void read() {
    for (const auto& client : clients_) client->read();
  }

  // False if not all of it was answered.
  bool values(const Look& look, std::vector<Value>& values) {
    for (const auto& [shard, number] : look.asked) {
      const auto found = clients_[shard]->natives.find(number);
      if (found == clients_[shard]->natives.end() || found->second.at == 0) return false;
      EXPECT_EQ(found->second.at, look.at);
      values.push_back(found->second.result);
    }
    return true;
  }

  std::vector<Look> looks;

 private:
  World& world_;
  std::vector<std::unique_ptr<TestClient>> clients_;
  std::uint32_t connections_ = 0;
};

struct PastKind {
  const char* name;
  Conditions conditions;
  bool sessions_lost = false;
  bool checkpoints = false;
  std::size_t leaves_at_once = 0;  // 0: the default
};

void storm(std::uint64_t seed, const PastKind& kind) {
  SCOPED_TRACE(std::string(kind.name) + ", seed " + std::to_string(seed));
  Dice dice(seed);
  ShardOptions options = kind.checkpoints ? logged_options() : ShardOptions{};
  options.participant.past.keep_ms = 60'000;
  if (kind.leaves_at_once != 0) options.participant.visits_leave_at_once = kind.leaves_at_once;
  World world(2, options);
  Disks disks(world, options);
  if (kind.checkpoints) world.after_input = [&] { disks.sync_all(); };
  Links links(world);
  for (auto& shard : world.shards) shard->set_conditions(kind.conditions, world.now());
  disks.sync_all();
  std::vector<Committed> history;
  std::vector<std::unique_ptr<Actor>> actors;
  for (std::uint32_t i = 0; i < 10; ++i) actors.push_back(std::make_unique<Actor>(world, i + 1, history));
  Looker looker(world);
  for (int turn = 0; turn < 800; ++turn) {
    actors[dice.below(actors.size())]->act(dice);
    if (dice.below(2) == 0) actors[dice.below(actors.size())]->deliver_outcomes();
    if (kind.sessions_lost && dice.below(30) == 0)
      actors[dice.below(actors.size())]->lose_session(static_cast<std::uint32_t>(dice.below(2)));
    if (dice.below(3) == 0) world.tick(static_cast<double>(dice.below(3)));
    if (dice.below(5) == 0) links.carry();
    for (std::uint64_t left = kind.checkpoints ? dice.below(4) : 0; left > 0; --left) {
      disks.checkpoint(static_cast<std::uint32_t>(dice.below(2)), dice.below(60));
    }
    if (dice.below(40) == 0) {
      const Timestamp now = world.shards[dice.below(2)]->participant().clock().reached();
      looker.look(dice.below(3) == 0 || history.empty() ? now : history[dice.below(history.size())].at - 256 * dice.below(2));
    }
    looker.read();
  }
  for (int turn = 0; turn < 200; ++turn) {
    for (auto& actor : actors) {
      actor->finish();
      actor->deliver_outcomes();
    }
    links.carry();
    world.tick(20);
    looker.read();
  }
  Prober prober(world);
  const std::vector<Value> present = prober.reads();
  std::size_t seen = 0;
  for (const Look& look : looker.looks) {
    std::vector<Value> values;
    if (!looker.values(look, values)) continue;
    ++seen;
    std::vector<Committed> until;
    std::copy_if(history.begin(), history.end(), std::back_inserter(until), [&](const Committed& one) { return one.at <= look.at; });
    const std::vector<Value> expected = replay(std::move(until));
    EXPECT_EQ(expected.size(), values.size());
    for (std::size_t i = 0; i < std::min(values.size(), expected.size()); ++i) {
      EXPECT_TRUE(values[i] == expected[i]) << probes()[i / kKeysOfAType].stem << i % kKeysOfAType << " as of " << look.at;
    }
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GE(2 * seen, looker.looks.size()) << "most reads are answered";
  EXPECT_TRUE(replay(history) == present) << "the present is as it was";
}

TEST(PastHistory, IsAPrefixOfTheOrderOfCommits) {
  const PastKind kinds[] = {
      {.name = "abstract", .conditions = {}},
      {.name = "rw", .conditions = {.locks = LockKind::kReaderWriter}},
      {.name = "sessions are lost", .conditions = {}, .sessions_lost = true},
      {.name = "leaving in steps", .conditions = {}, .leaves_at_once = 2},
      {.name = "checkpoints", .conditions = {}, .checkpoints = true},
  };
  for (const PastKind& kind : kinds) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) storm(seed, kind);
  }
}

}  // namespace
}  // namespace claret::testing
