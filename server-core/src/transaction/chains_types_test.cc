// Chains on records of every type: whatever enters, is taken out, executed again, broken or committed, the committed state is that of the
// committed members alone, executed one after the other, byte by byte, and they have the results that they would have alone.
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>

#include "adt/registry.h"
#include "shard/dice.h"
#include "transaction/test_chain_world.h"

namespace claret::testing {
namespace {

Value random_argument(Dice& dice, Kind kind) {
  const auto text = [&] { return Value("m" + std::to_string(dice.below(4))); };
  const auto integer = [&] { return Value(static_cast<std::int64_t>(dice.below(8)) - 2); };
  const auto list = [&](auto item) {
    Value::List items;
    for (std::uint64_t left = dice.below(4); left > 0; --left) items.push_back(item());
    return Value(items);
  };
  switch (kind) {
    case Kind::kBoolean:
      return Value(dice.below(2) == 0);
    case Kind::kInteger:
      return integer();
    case Kind::kNumber:
      return Value(static_cast<double>(dice.below(9)) / 2);
    case Kind::kText:
      return text();
    case Kind::kOptional:
      return dice.below(3) == 0 ? Value() : dice.below(2) == 0 ? text() : integer();
    case Kind::kScalar:
      return dice.below(2) == 0 ? text() : integer();
    case Kind::kTexts:
      return list(text);
    case Kind::kEntries:
    case Kind::kScored:
      return list([&] { return Value(Value::List{text(), integer()}); });
    default:
      return Value();
  }
}

Op random_call(Dice& dice, const DataType& type, std::string key) {
  const auto operations = type.operations();
  const OperationSpec& operation = operations[dice.below(operations.size())];
  Op op{std::move(key), std::string(type.name()) + '.' + std::string(operation.name), {}};
  for (const Parameter& parameter : operation.parameters) op.arguments.push_back(random_argument(dice, parameter.kind));
  return op;
}

class Trial {
 public:
  Trial(const DataType& type, std::uint64_t seed) : type_(type), dice_(seed) {
    for (const OperationSpec& operation : type.operations()) is_fresh_ |= operation.fresh;
    for (std::uint32_t i = 0; i < 2; ++i) sessions_.push_back({std::make_unique<TestClient>(world_, i + 1)});
  }

  // The number of members that have committed.
  std::size_t run(int turns) {
    for (int turn = 0; turn < turns && !::testing::Test::HasFailure(); ++turn) {
      Session& session = sessions_[dice_.below(2)];
      session.client->read();
      settle(session);
      switch (dice_.below(8)) {
        case 0:
        case 1:
        case 2:
          if (session.open.size() < 5) come(session);
          break;
        case 3:
        case 4:
          commit(session, 1 + dice_.below(3));
          break;
        case 5:
        case 6:
          withdraw(session);
          break;
        default:
          if (dice_.below(4) == 0) break_it(session);
      }
      check();
    }
    return committed_;
  }

 private:
  struct Session {
    std::unique_ptr<TestClient> client;
    std::uint64_t chain = 1;
    std::uint64_t n = 0;
    std::map<std::uint64_t, std::vector<Op>> open;
  };

  void come(Session& session) {
    std::vector<Op> operations;
    for (std::uint64_t left = 1 + dice_.below(3); left > 0; --left) {
      operations.push_back(random_call(dice_, type_, dice_.below(4) == 0 ? "other" : "record"));
    }
    session.client->member(++session.n, operations, {.chain = session.chain}).send();
    session.open[session.n] = operations;
    settle(session);
  }

  // Forgets what was refused.
  void settle(Session& session) {
    std::erase_if(session.open, [&](const auto& one) { return !session.client->seen.reply(one.first, session.chain).error.empty(); });
  }

  void withdraw(Session& session) {
    if (session.open.empty()) return;
    auto out = session.open.begin();
    std::advance(out, static_cast<std::ptrdiff_t>(dice_.below(session.open.size())));
    session.client->withdraw(out->first, session.chain).send();
    session.open.erase(out);
    settle(session);
  }

  void break_it(Session& session) {
    session.open.clear();
    session.client->member(session.n = 1, {random_call(dice_, type_, "record")}, {.chain = ++session.chain})
        .withdraw(1, session.chain)
        .send();
  }

  void commit(Session& session, std::size_t count) {
    std::vector<std::uint64_t> in;
    for (auto next = session.open.begin(); next != session.open.end() && in.size() < count; ++next) {
      if (session.client->seen.replies(next->first, session.chain) == 0) break;  // it waits
      in.push_back(next->first);
    }
    if (in.empty()) return;
    session.client->word(in, session.chain).send();
    for (const std::uint64_t n : in) {
      ASSERT_NE(session.client->seen.committed_at(n, session.chain), 0u);
      ++committed_;
      const Reply alone = twin_client_.run(++twin_attempts_, session.open[n]);
      EXPECT_EQ(alone.error, "");
      if (!is_fresh_) {
        EXPECT_EQ(session.client->seen.reply(n, session.chain).results, alone.results);
      }
      session.open.erase(n);
    }
  }

  std::string committed_bytes(World& world, const std::string& key) {
    Engine& engine = world.shards[0]->engine();
    Record* record = engine.ground.records.find(key);
    std::string bytes;
    if (record == nullptr) return bytes;
    engine.ground.effects.on_committed(*record, [&] {
      if (!is_vacant(*record)) record->type->encode(*record->state, bytes);
    });
    return bytes;
  }

  void check() {
    for (const char* key : {"record", "other"}) {
      Record* record = world_.shards[0]->engine().ground.records.find(key);
      std::string tip, after;
      if (record != nullptr) record->type->encode(*record->state, tip);
      const std::string committed = committed_bytes(world_, key);
      if (record != nullptr) record->type->encode(*record->state, after);
      EXPECT_EQ(tip, after) << "looking at the committed state changes nothing";
      if (!is_fresh_) {
        EXPECT_EQ(committed, committed_bytes(twin_, key)) << type_.name();
      }
    }
  }

  const DataType& type_;
  Dice dice_;
  World world_, twin_;
  TestClient twin_client_{twin_, 1};
  std::uint64_t twin_attempts_ = 0;
  std::vector<Session> sessions_;
  bool is_fresh_ = false;
  std::size_t committed_ = 0;
};

TEST(ChainsOfEveryType, CommitWhatTheirMembersDoAlone) {
  const char* more = std::getenv("CLARET_SEEDS");
  const std::uint64_t seeds = more == nullptr ? 20 : std::strtoull(more, nullptr, 10);
  for (const DataType* type : all_types()) {
    std::size_t committed = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      SCOPED_TRACE(std::string(type->name()) + ", seed " + std::to_string(seed));
      committed += Trial(*type, seed).run(300);
      if (HasFailure()) return;
    }
    EXPECT_GT(committed, 100u) << type->name();
  }
}

}  // namespace
}  // namespace claret::testing
