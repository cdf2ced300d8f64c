// Strict serializability, seen from outside: clients run random interactive transactions over two shards, with outcomes
// that arrive late and clients that give up; then every committed transaction is replayed alone, in the order of commit
// timestamps, on an empty store. Each must get the results that it got (founding design, transactions, section 8).
// CLARET_SEEDS=1000 runs a thousand storms of each kind instead of thirty.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "adt/registry.h"
#include "shard/slots.h"
#include "shard/test_client.h"

namespace claret::testing {
namespace {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint64_t below(std::uint64_t bound) {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return (state_ >> 33) % bound;
  }

 private:
  std::uint64_t state_;
};

struct Done {
  Op op;
  std::vector<Value> result;  // empty where the operation has none
};

struct Committed {
  Timestamp at;
  std::vector<Done> operations;
};

bool has_result(const Op& op) {
  const auto dot = op.name.find('.');
  const DataType* type = find_type(std::string_view(op.name).substr(0, dot));
  return type->find(std::string_view(op.name).substr(dot + 1))->result != Kind::kVoid;
}

Op random_operation(Dice& dice) {
  const auto key = [&](const char* stem) { return stem + std::to_string(dice.below(4)); };
  const std::string member(1, static_cast<char>('a' + dice.below(4)));
  const auto n = static_cast<std::int64_t>(dice.below(7)) - 3;
  switch (dice.below(20)) {
    case 0: return {key("counter"), "Counter.add", {Value(n)}};
    case 1: return {key("counter"), "Counter.value", {}};
    case 2: return {key("set"), "Set.add", {Value(member)}};
    case 3: return {key("set"), "Set.remove", {Value(member)}};
    case 4: return {key("set"), "Set.size", {}};
    case 5: return {key("set"), "Set.contains", {Value(member)}};
    case 6: return {key("top"), "TopK.add", {Value(member), Value(static_cast<double>(n))}};
    case 7: return {key("top"), "TopK.top", {Value(std::int64_t{2})}};
    case 8: return {key("top"), "TopK.max", {}};
    case 9: return {key("dict"), "Dict.increment", {Value(member), Value(n)}};
    case 10: return {key("dict"), "Dict.all", {}};
    case 11: return {key("dict"), "Dict.get", {Value(Value::List{Value(member)})}};
    case 12: return {key("scored"), "ScoredSet.add", {Value(member), Value(n)}};
    case 13: return {key("scored"), "ScoredSet.increment", {Value(member), Value(n)}};
    case 14: return {key("scored"), "ScoredSet.range", {Value(std::int64_t{0}), Value(std::int64_t{-1})}};
    case 15: return {key("scored"), "ScoredSet.rank", {Value(member)}};
    case 16: return {key("bag"), "SummaryBag.add", {Value(n)}};
    case 17: return {key("bag"), "SummaryBag.mean", {}};
    case 18: return {key("register"), "Register.compareAndSet", {Value(), Value(n)}};
    default: return {key("register"), "Register.get", {}};
  }
}

// One client with a session at each shard, and at most one transaction at a time.
class Actor {
 public:
  Actor(World& world, std::uint32_t peer, std::vector<Committed>& history) : history_(history) {
    for (std::uint32_t shard = 0; shard < 2; ++shard) sessions_.push_back(std::make_unique<TestClient>(world, peer, shard));
  }

  void act(Dice& dice) {
    take_in();
    if (!running_) {
      if (dice.below(3) == 0) begin(dice);
    } else if (awaited_ == 0) {
      // A client may think, and it may change its mind.
      if (voting_) return;
      if (dice.below(40) == 0) return give_up();
      if (dice.below(3) == 0 || steps_ == 4) return end();
      step(dice);
    }
  }

  // Outcomes leave when the dice say so: locks of voted attempts are held meanwhile.
  void deliver_outcomes() {
    for (auto& session : sessions_) session->send();
  }

  bool idle() const { return !running_; }
  void finish() {
    take_in();
    if (running_ && awaited_ == 0 && !voting_) give_up();
  }
  std::uint64_t aborts = 0;

 private:
  void begin(Dice& dice) {
    running_ = true;
    voting_ = false;
    ++attempt_;
    priority_ = 1 + dice.below(1'000'000);
    steps_ = 0;
    operations_.clear();
    sent_[0] = sent_[1] = 0;
    votes_ = 0;
    greatest_ = 0;
    step(dice);
  }

  void step(Dice& dice) {
    ++steps_;
    std::vector<Op> per_shard[2];
    const std::uint64_t count = 1 + dice.below(2);
    for (std::uint64_t i = 0; i < count; ++i) {
      Op op = random_operation(dice);
      const std::uint32_t shard = shard_of_slot(slot_of(op.key), 2);
      pending_[shard].push_back(operations_.size());
      operations_.push_back({op, {}});
      per_shard[shard].push_back(std::move(op));
    }
    for (std::uint32_t shard = 0; shard < 2; ++shard) {
      if (running_ && !per_shard[shard].empty()) request(shard, std::move(per_shard[shard]), std::nullopt);
    }
  }

  void request(std::uint32_t shard, std::vector<Op> operations, std::optional<std::vector<std::uint32_t>> prepare) {
    TestClient::Step step{.attempt = attempt_, .sent_before = sent_[shard], .prepare = std::move(prepare)};
    if (sent_[shard] == 0) step.begin_with_priority = priority_;
    sent_[shard] += static_cast<std::uint32_t>(operations.size());
    step.operations = std::move(operations);
    ++awaited_;
    sessions_[shard]->add(step).send();
    take_in();
  }

  void end() {
    voting_ = true;
    std::vector<std::uint32_t> participants;
    for (std::uint32_t shard = 0; shard < 2; ++shard) {
      if (sent_[shard] != 0) participants.push_back(shard);
    }
    votes_missing_ = participants.size();
    if (participants.size() == 1) {
      request(participants[0], {}, std::vector<std::uint32_t>{});
      return;
    }
    for (const std::uint32_t shard : participants) {
      if (running_) request(shard, {}, participants);
    }
  }

  void give_up() {
    for (std::uint32_t shard = 0; shard < 2; ++shard) {
      if (sent_[shard] != 0) sessions_[shard]->abort_outcome(attempt_);
    }
    ++aborts;
    reset();
  }

  void reset() {
    running_ = false;
    awaited_ = 0;
    pending_[0].clear();
    pending_[1].clear();
  }

  void take_in() {
    for (std::uint32_t shard = 0; shard < 2; ++shard) {
      sessions_[shard]->read();
      for (const Reply& reply : std::exchange(sessions_[shard]->replies, {})) {
        if (!running_ || reply.attempt != attempt_) continue;
        take_reply(shard, reply);
      }
    }
  }

  void take_reply(std::uint32_t shard, const Reply& reply) {
    if (!reply.error.empty() || !reply.denied.empty()) return give_up();
    --awaited_;
    std::size_t next = 0;
    for (const std::size_t index : std::exchange(pending_[shard], {})) {
      if (has_result(operations_[index].op)) operations_[index].result = {reply.results.at(next++)};
    }
    EXPECT_EQ(next, reply.results.size());
    if (!voting_) return;
    greatest_ = std::max({greatest_, reply.voted_at, reply.committed_at});
    if (--votes_missing_ != 0) return;
    history_.push_back({greatest_, operations_});
    if (reply.committed_at == 0) {
      for (std::uint32_t s = 0; s < 2; ++s) sessions_[s]->commit_outcome(attempt_, greatest_);
    }
    reset();
  }

  std::vector<Committed>& history_;
  std::vector<std::unique_ptr<TestClient>> sessions_;
  bool running_ = false;
  bool voting_ = false;
  std::uint64_t attempt_ = 0;
  std::uint64_t priority_ = 0;
  int steps_ = 0;
  int awaited_ = 0;
  int votes_ = 0;
  std::size_t votes_missing_ = 0;
  Timestamp greatest_ = 0;
  std::uint32_t sent_[2] = {0, 0};
  std::vector<Done> operations_;
  std::vector<std::size_t> pending_[2];
};

void replay(std::vector<Committed> history, std::uint64_t seed) {
  std::sort(history.begin(), history.end(), [](const Committed& a, const Committed& b) { return a.at < b.at; });
  World world;
  TestClient client(world, 1);
  std::uint64_t attempt = 0;
  for (const Committed& transaction : history) {
    std::vector<Op> operations;
    std::vector<Value> expected;
    for (const Done& done : transaction.operations) {
      operations.push_back(done.op);
      expected.insert(expected.end(), done.result.begin(), done.result.end());
    }
    const Reply reply = client.run(++attempt, operations);
    ASSERT_EQ(reply.error, "") << "seed " << seed;
    ASSERT_EQ(reply.results.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_TRUE(reply.results[i] == expected[i])
          << "seed " << seed << ": result " << i << " of the transaction at " << transaction.at << " on "
          << transaction.operations.front().op.key;
    }
  }
}

struct Storm {
  std::size_t committed = 0;
  std::uint64_t aborts = 0;
};

Storm storm(std::uint64_t seed, const Conditions& conditions, int turns) {
  Dice dice(seed);
  World world(2);
  for (auto& shard : world.shards) shard->set_conditions(conditions, world.now());
  std::vector<Committed> history;
  std::vector<std::unique_ptr<Actor>> actors;
  for (std::uint32_t i = 0; i < 10; ++i) actors.push_back(std::make_unique<Actor>(world, i + 1, history));
  for (int turn = 0; turn < turns; ++turn) {
    Actor& actor = *actors[dice.below(actors.size())];
    actor.act(dice);
    if (dice.below(2) == 0) actor.deliver_outcomes();
    if (dice.below(3) == 0) world.tick(static_cast<double>(dice.below(3)));
  }
  // Everyone ends what is under way; then nothing may be left at any gate.
  for (int turn = 0; turn < 200; ++turn) {
    for (auto& actor : actors) {
      actor->finish();
      actor->deliver_outcomes();
    }
    world.tick(5);
  }
  Storm result{history.size(), 0};
  for (auto& actor : actors) {
    EXPECT_TRUE(actor->idle()) << "seed " << seed;
    result.aborts += actor->aborts;
  }
  for (auto& shard : world.shards) {
    EXPECT_EQ(shard->participant().attempts_in_flight(), 0u) << "seed " << seed;
    EXPECT_EQ(shard->participant().waiting(), 0u) << "seed " << seed;
  }
  replay(std::move(history), seed);
  return result;
}

class History : public ::testing::TestWithParam<Conditions> {};

TEST_P(History, IsTheSameWhenReplayedInTimestampOrder) {
  std::size_t committed = 0;
  std::uint64_t aborts = 0;
  const char* more = std::getenv("CLARET_SEEDS");
  const std::uint64_t seeds = more == nullptr ? 30 : std::strtoull(more, nullptr, 10);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Storm result = storm(seed, GetParam(), 1500);
    committed += result.committed;
    aborts += result.aborts;
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(committed, 1000u);
  EXPECT_GT(aborts, 0u) << "a storm without conflicts proves nothing";
}

std::string name_of(const ::testing::TestParamInfo<Conditions>& info) {
  return std::string(info.param.locks == LockKind::kAbstract ? "Abstract" : "ReaderWriter") +
         (info.param.phasing ? "WithPhasing" : "WithoutPhasing");
}

INSTANTIATE_TEST_SUITE_P(Conditions, History,
                         ::testing::Values(Conditions{LockKind::kAbstract, true}, Conditions{LockKind::kAbstract, false},
                                           Conditions{LockKind::kReaderWriter, true},
                                           Conditions{LockKind::kReaderWriter, false}),
                         name_of);

}  // namespace
}  // namespace claret::testing
