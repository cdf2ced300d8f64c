// Random warranties: as long as a client may rely on a grant, the shard has the granted result, and a replay has it at every time of use.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <vector>

#include "transaction/test_replay.h"
#include "transaction/test_warranted.h"

namespace claret::testing {
namespace {

// A client of shard 0 that keeps the rules of warranties. Between its turns it is deaf, and relies on what it has.
class Holder {
 public:
  Holder(World& world, std::uint32_t identity) : world_(world), identity_(identity) { connect(); }

  // It may be deaf for longer than a term.
  void act(Dice& dice) {
    if (world_.ms < deaf_until_ms_) return;
    if (dice.below(40) == 0) deaf_until_ms_ = world_.ms + static_cast<double>(dice.below(1500));
    take_in();
    if (dice.below(2) == 0) ask(dice);
    if (!held_.empty() && dice.below(10) == 0) give_back(held_.begin()->first);
    send();
  }

  // The stream breaks; what it has stands until its lease is over, or the shard welcomes it again.
  void lose_session() {
    if (!client_) return;
    client_->hang_up();
    client_.reset();
  }
  void connect() {
    held_.clear();
    asked_.clear();
    recalled_.clear();
    client_ =
        std::make_unique<TestClient>(world_, identity_ + 1000 * ++connections_, TestClient::Numbered{.warranties = true}, 0, identity_);
    left_ms_ = {world_.ms};
    lease_ms_ = 0;
    take_in();
  }
  bool connected() const { return client_ != nullptr; }

  // Calls each(operation, result, timestamp) for everything on which it may rely now.
  template <typename Each>
  void use(const Each& each) {
    if (world_.ms >= lease_ms_) return;
    for (auto& [grant, held] : held_) {
      const Timestamp at = std::max(standing_.now, held.from);
      if (at >= standing_.until) continue;
      used_up_to_ = std::max(used_up_to_, at);
      ++held.uses;
      each(held.op, held.result, at);
    }
  }

  void finish() {
    if (!client_) connect();
    take_in();
    while (!held_.empty()) give_back(held_.begin()->first);
    send();
  }

 private:
  struct Held {
    Op op;
    Value result;
    Timestamp from = 0;
    std::uint32_t uses = 0;
  };

  void ask(Dice& dice) {
    Op op = random_operation(dice);
    while (!observes(op) || world_.owner(op.key) != 0) op = random_operation(dice);
    asked_[++attempt_] = op;
    client_->add({.attempt = attempt_,
                  .begin_with_priority = 1 + dice.below(100),
                  .operations = {warranted(op)},
                  .prepare = std::vector<std::uint32_t>{}});
  }

  void give_back(std::uint64_t grant) {
    const auto found = held_.find(grant);
    client_->used(used_up_to_).give_back(grant, found == held_.end() ? 0 : found->second.uses);
    if (found != held_.end()) held_.erase(found);
  }

  void send() {
    left_ms_.push_back(world_.ms);
    client_->send();
    take_in();
  }

  void take_in() {
    client_->read();
    if (!client_->closing.empty()) {
      client_.reset();
      return connect();
    }
    if (client_->acknowledged > 0) lease_ms_ = left_ms_.at(client_->acknowledged - 1) + 0.99 * kTermMs - 1;
    standing_ = client_->warranties.standing;
    for (const GrantSeen& seen : std::exchange(client_->warranties.granted, {})) {
      const auto reply =
          std::find_if(client_->replies.begin(), client_->replies.end(), [&](const Reply& one) { return one.attempt == seen.attempt; });
      ASSERT_NE(reply, client_->replies.end());
      if (recalled_.erase(seen.grant) > 0) continue;
      held_[seen.grant] = {asked_.at(seen.attempt), reply->results.at(0), seen.from};
    }
    client_->replies.clear();
    for (const RecallSeen& recall : std::exchange(client_->warranties.recalls, {})) {
      // It may overtake its grant, and is answered in any case.
      if (!held_.contains(recall.grant)) recalled_.insert(recall.grant);
      give_back(recall.grant);
    }
  }

  World& world_;
  std::uint32_t identity_;
  std::uint32_t connections_ = 0;
  std::unique_ptr<TestClient> client_;
  std::vector<double> left_ms_;  // when each frame left
  double lease_ms_ = 0;
  double deaf_until_ms_ = 0;
  std::uint64_t attempt_ = 0;
  std::map<std::uint64_t, Op> asked_;  // by attempt
  std::map<std::uint64_t, Held> held_;  // by grant
  std::set<std::uint64_t> recalled_;  // before they came
  StandingSeen standing_;
  Timestamp used_up_to_ = 0;
};

struct Kind {
  bool logged = false;
  bool crashes = false;
};

struct Outcome {
  std::size_t committed = 0;
  std::size_t uses = 0;
  std::size_t asked = 0;  // uses at which the shard was asked, too
  std::uint64_t recalled = 0;
  std::uint64_t lapsed = 0;
  std::uint64_t crashes = 0;
};

Outcome storm(std::uint64_t seed, const Kind& kind, int turns) {
  Dice dice(seed);
  ShardOptions options = kind.logged ? logged_options() : ShardOptions{};
  World world(2, options);
  Disks disks(world, options);
  Links links(world);
  const Conditions granting{.warranties = WarrantyPolicy::kOn};
  for (auto& shard : world.shards) shard->set_conditions(granting, world.now());
  if (kind.logged) {
    world.after_input = [&] {
      if (dice.below(3) == 0) disks.sync(static_cast<std::uint32_t>(dice.below(2)));
    };
    disks.sync_all();
  }
  Outcome outcome;
  std::vector<Committed> history;
  std::vector<std::unique_ptr<Actor>> actors;
  for (std::uint32_t i = 0; i < 6; ++i) actors.push_back(std::make_unique<Actor>(world, i + 1, history));
  std::vector<std::unique_ptr<Holder>> holders;
  for (std::uint32_t i = 0; i < 4; ++i) holders.push_back(std::make_unique<Holder>(world, 500 + i));
  std::uint32_t probes = 800'000'000;
  std::vector<Committed> uses;
  const auto note_totals = [&] {
    outcome.recalled += world.shards[0]->counters().totals.warranties_recalled;
    outcome.lapsed += world.shards[0]->counters().totals.grants_lapsed;
  };
  for (int turn = 0; turn < turns; ++turn) {
    Actor& actor = *actors[dice.below(actors.size())];
    actor.act(dice);
    if (dice.below(2) == 0) actor.deliver_outcomes();
    Holder& holder = *holders[dice.below(holders.size())];
    if (!holder.connected()) {
      if (dice.below(10) == 0) holder.connect();
    } else if (dice.below(60) == 0) {
      holder.lose_session();
    } else if (dice.below(3) == 0) {
      holder.act(dice);
    }
    if (kind.crashes && dice.below(300) == 0) {
      note_totals();
      links.break_all();
      disks.crash(0, dice.below(4));
      world.shards[0]->set_conditions(granting, world.now());
      ++outcome.crashes;
      for (auto& one : actors) one->lose_session(0);
      for (auto& one : holders) one->lose_session();
    }
    // Now and then long enough for a lapse.
    if (dice.below(2) == 0) world.tick(static_cast<double>(dice.below(dice.below(20) == 0 ? 200 : 4)));
    if (dice.below(5) == 0) links.carry();
    if (dice.below(4) != 0) continue;
    const bool asks = dice.below(5) == 0;
    if (asks && kind.logged) disks.sync_all();
    for (auto& one : holders) {
      one->use([&](const Op& op, const Value& result, Timestamp at) {
        ++outcome.uses;
        if (uses.empty() || uses.back().at != at || !(uses.back().operations.back().op.key == op.key))
          uses.push_back({at, {{op, {result}}}});
        if (!asks) return;
        TestClient probe(world, ++probes);
        probe.send_natives({op});
        if (kind.logged) disks.sync_all();
        probe.read();
        probe.hang_up();
        if (probe.native_results.empty()) return;  // it waits for a vote
        ++outcome.asked;
        EXPECT_TRUE(probe.native_results.back() == result) << op.name << " on " << op.key << ", turn " << turn;
      });
    }
    if (::testing::Test::HasFailure()) return outcome;
  }
  world.after_input = [&] { disks.sync_all(); };
  disks.sync_all();
  for (auto& one : holders) one->finish();
  for (int turn = 0; turn < 200; ++turn) {
    for (auto& one : holders) one->finish();
    for (auto& actor : actors) {
      actor->finish();
      actor->deliver_outcomes();
    }
    links.carry();
    world.tick(20);
  }
  note_totals();
  for (auto& actor : actors) EXPECT_TRUE(actor->idle());
  EXPECT_FALSE(world.shards[0]->participant().warranties().any());
  EXPECT_EQ(world.shards[0]->participant().warranties().grants(), 0u);
  EXPECT_EQ(world.shards[0]->participant().attempts_in_flight(), 0u);
  EXPECT_EQ(world.shards[0]->participant().wounds().waiting().size(), 0u);
  outcome.committed = history.size();
  history.insert(history.end(), uses.begin(), uses.end());
  Prober prober(world);
  if (::testing::Test::HasFailure()) return outcome;
  EXPECT_TRUE(replay(std::move(history)) == prober.reads()) << "both stores end in the same state";
  EXPECT_EQ(prober.busy(), std::vector<std::string>{});
  return outcome;
}

void storms(const Kind& kind, int seeds, int turns) {
  Outcome all;
  for (int seed = 1; seed <= seeds && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Outcome one = storm(static_cast<std::uint64_t>(seed), kind, turns);
    all.committed += one.committed;
    all.uses += one.uses;
    all.asked += one.asked;
    all.recalled += one.recalled;
    all.lapsed += one.lapsed;
    all.crashes += one.crashes;
  }
  std::printf("%zu commits, %zu uses, %zu asked; %llu recalled, %llu lapsed, %llu crashes\n", all.committed, all.uses, all.asked,
              static_cast<unsigned long long>(all.recalled), static_cast<unsigned long long>(all.lapsed),
              static_cast<unsigned long long>(all.crashes));
  if (::testing::Test::HasFailure()) return;
  EXPECT_GT(all.asked, all.committed / 10);
  EXPECT_GT(all.recalled, 0u);
  EXPECT_GT(all.lapsed, 0u);
  EXPECT_EQ(all.crashes > 0, kind.crashes);
}

TEST(WarrantyHistory, PromisedResultsAreThoseOfTheShard) { storms({}, 10, 2000); }
TEST(WarrantyHistory, PromisedResultsSurviveSlowDisks) { storms({.logged = true}, 8, 2000); }
TEST(WarrantyHistory, PromisedResultsSurviveCrashes) { storms({.logged = true, .crashes = true}, 12, 2000); }

}  // namespace
}  // namespace claret::testing
