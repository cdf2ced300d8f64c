// Chains beside what sees the committed state only: the log, checkpoints, watches, and what a start finds.
#include <gtest/gtest.h>

#include "shard/dice.h"
#include "shard/test_disk.h"
#include "transaction/test_chain_world.h"

namespace claret::testing {
namespace {

class LoggedChains : public ChainTest {
 protected:
  LoggedChains() : ChainTest(logged_options()), disks(world, logged_options()) {
    world.tick(0);
    disks.sync_all();
    for (TestClient* one : {&client, &other}) one->read();
  }

  // All that is durable.
  void restart() {
    disks.sync(0);
    disks.crash(0, 0);
    fresh_ = std::make_unique<TestClient>(world, ++peers_);
  }
  std::vector<Value> found(const Op& op) {
    disks.sync(0);
    fresh_->run(++attempts_, {op});
    disks.sync(0);
    fresh_->read();
    return fresh_->replies.empty() ? std::vector<Value>{} : fresh_->replies[0].results;
  }
  void checkpoint(std::size_t bytes = kEverything) {
    for (int pieces = 0; pieces < 10'000; ++pieces) {
      if (disks.checkpoint(0, bytes)) return;
    }
    FAIL() << "the checkpoint does not end";
  }
  std::size_t entries() { return disks.entries(0).size(); }
  TestClient& fresh() { return *fresh_; }

  Disks disks;

 private:
  std::uint32_t peers_ = 100;
  std::uint64_t attempts_ = 0;
  std::unique_ptr<TestClient> fresh_;
};

std::vector<Value> numbers(std::int64_t n) { return {Value(n)}; }

TEST_F(LoggedChains, AnswerBeforeAnythingIsDurableButTellNoCommit) {
  client.member(1, {add("k", 5)}).member(2, {value("k")}).send();
  client.word({1}).send();
  client.member(3, {value("k")}).member(4, {value("k")}, {.ends = true}).send();
  EXPECT_EQ(client.seen.result(3), Value(std::int64_t{5})) << "above a commit that is not durable";
  EXPECT_EQ(client.seen.committed_at(1), 0u);
  client.word({2, 3}).send();
  EXPECT_EQ(client.seen.committed_at(2), 0u) << "it has seen what is not durable";
  EXPECT_EQ(client.seen.replies(4), 0u);
  disks.sync(0);
  client.read();
  EXPECT_LT(0u, client.seen.committed_at(1));
  EXPECT_LT(client.seen.committed_at(1), client.seen.committed_at(2));
  EXPECT_LT(client.seen.committed_at(2), client.seen.committed_at(3));
  EXPECT_LT(client.seen.committed_at(3), client.seen.committed_at(4));
}

TEST_F(LoggedChains, TellThatTheyAreBrokenBeforeEarlierCommitsAreDurable) {
  client.member(1, {add("k", 5)}).member(2, {add("k")}).send();
  client.word({1}).send();
  client.word({7}).send();
  ASSERT_EQ(client.seen.broken.size(), 1u);
  EXPECT_EQ(client.seen.broken[0].decided, 1u);
  EXPECT_EQ(client.seen.committed_at(1), 0u);
  disks.sync(0);
  client.read();
  EXPECT_NE(client.seen.committed_at(1), 0u);
}

TEST_F(LoggedChains, TellARefusalOnceItsReasonIsDurable) {
  client.member(1, {fill("stock", 1)}, {.ends = true}).member(2, {take_one("stock")}, {.ends = true}).send();
  other.member(1, {take_one("stock")}, {.ends = true}).send();
  EXPECT_EQ(other.seen.replies(1), 0u);
  disks.sync(0);
  other.read();
  EXPECT_EQ(other.seen.reply(1).error, "below_bound");
}

// Its client tells nobody, and everything above the refused member waits for the refusal.
TEST_F(LoggedChains, TellARefusalOfWhatWasGuessedAtOnce) {
  client.member(1, {fill("stock", 1)}, {.ends = true}).member(2, {take_one("stock")}, {.ends = true}).send();
  other.member(1, {add("k")}).send();
  other.word({1}).send();
  other.member(2, {take_one("stock")}).member(3, {value("k")}).send();
  EXPECT_EQ(other.seen.reply(2).error, "below_bound") << "neither its reason nor the commit before it is durable";
  EXPECT_EQ(other.seen.result(3), Value(std::int64_t{1}));
  EXPECT_EQ(other.seen.committed_at(1), 0u);
  other.word({3}).send();
  EXPECT_EQ(other.seen.broken_by(), "") << "a refusal is not among the answers that a word counts";
  disks.sync(0);
  other.read();
  EXPECT_NE(other.seen.committed_at(1), 0u);
  EXPECT_NE(other.seen.committed_at(3), 0u);
}

TEST_F(LoggedChains, LogNothingThatIsUndecided) {
  other.run(1, {fill("stock", 2)});
  disks.sync(0);
  const std::size_t before = entries();
  client.member(1, {add("k", 5)}).member(2, {value("k")}).member(3, {try_take("stock", 2)}).member(4, {try_take("stock", 2)}).send();
  client.withdraw(3).send();
  EXPECT_EQ(entries(), before);
  client.word({1, 2, 4}).send();
  std::vector<std::string> log = disks.entries(0);
  ASSERT_EQ(log.size(), before + 2) << "an observer is not logged";
  Timestamp last = 0;
  for (std::size_t i = before; i < log.size(); ++i) {
    std::vector<std::string_view> bytes;
    LogEntry entry;
    ASSERT_TRUE(split_log(log[i], bytes) && decode(bytes.at(0), entry));
    EXPECT_EQ(entry.kind, LogEntryKind::kCommit);
    EXPECT_LT(last, entry.at);
    last = entry.at;
  }
  restart();
  EXPECT_EQ(found(value("k")), numbers(5));
  EXPECT_EQ(found({"stock", "BoundedCounter.value", {}}), numbers(0)) << "the result of the second execution is logged";
}

TEST_F(LoggedChains, AreFoundWithExactlyTheirWordedMembers) {
  client.member(1, {add("k", 1)}).member(2, {add("k", 2)}).member(3, {add("k", 4)}).send();
  client.word({1, 2}).send();
  client.member(4, {add("j", 1)}).send();
  restart();
  EXPECT_EQ(found(value("k")), numbers(3));
  EXPECT_EQ(found(value("j")), numbers(0));
  fresh().inquire(1, member_attempt(2), 2).inquire(1, member_attempt(3), 3).send();
  disks.sync(0);
  fresh().read();
  ASSERT_EQ(fresh().answers.size(), 2u);
  EXPECT_EQ(fresh().answers[0].state, AttemptState::kCommitted);
  EXPECT_EQ(fresh().answers[1].state, AttemptState::kAborted);
}

TEST_F(LoggedChains, LoseWordsThatWereNotDurable) {
  client.member(1, {add("k", 1)}).member(2, {add("k", 2)}).send();
  client.word({1}).send();
  disks.sync(0);
  client.read();
  client.word({2}).send();
  EXPECT_NE(client.seen.committed_at(1), 0u);
  EXPECT_EQ(client.seen.committed_at(2), 0u);
  disks.written(0);
  disks.crash(0, 0);
  TestClient later(world, 50);
  later.run(1, {value("k")});
  disks.sync(0);
  later.read();
  EXPECT_EQ(later.replies.at(0).results, numbers(1));
}

// ---- checkpoints

TEST_F(LoggedChains, AreNotInACheckpointWhileTheyAreUndecided) {
  client.member(1, {add("k", 1), set_add("s", "x")}).member(2, {add("k", 2), set_add("s", "y")}).member(3, {add("k", 4)}).send();
  client.word({1}).send();
  disks.sync(0);
  checkpoint();
  EXPECT_EQ(client.seen.broken_by(), "");
  client.member(4, {value("k"), set_size("s")}).send();
  EXPECT_EQ(client.seen.reply(4).results, (std::vector<Value>{Value(std::int64_t{7}), Value(std::int64_t{2})})) << "the tip is as before";
  restart();
  EXPECT_EQ(found(value("k")), numbers(1));
  EXPECT_EQ(found(set_size("s")), numbers(1));
}

TEST_F(LoggedChains, CommitAfterACheckpointThatWasTakenMeanwhile) {
  client.member(1, {add("k", 1)}).member(2, {add("k", 2)}).send();
  client.word({1}).send();
  disks.sync(0);
  checkpoint();
  client.word({2}).send();
  disks.sync(0);
  restart();
  EXPECT_EQ(found(value("k")), numbers(3));
}

// Members enter, are taken out, executed again and commit while a large record is put part by part. After each piece the shard could crash.
TEST_F(LoggedChains, LeaveTheCommittedStateInThePartsOfALargeRecord) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Dice dice(seed);
    std::map<std::string, std::int64_t> model;  // committed
    std::map<std::uint64_t, std::vector<std::pair<std::string, std::int64_t>>> open;  // changes of undecided members, by number
    const std::string key = "d" + std::to_string(seed);
    std::uint64_t n = 0;
    const std::uint64_t chain = seed;
    const auto enter = [&] {
      std::vector<Op> operations;
      auto& changes = open[++n];
      for (std::uint64_t left = 1 + dice.below(3); left > 0; --left) {
        changes.push_back({"f" + std::to_string(dice.below(60)), static_cast<std::int64_t>(1 + dice.below(9))});
        operations.push_back({key, "Dict.increment", {Value(changes.back().first), Value(changes.back().second)}});
      }
      client.member(n, operations, {.chain = chain}).send();
    };
    const auto word = [&](std::size_t count) {
      std::vector<std::uint64_t> in;
      for (; count > 0 && !open.empty(); --count) {
        for (const auto& [field, by] : open.begin()->second) model[field] += by;
        in.push_back(open.begin()->first);
        open.erase(open.begin());
      }
      client.word(in, chain).send();
      disks.sync(0);
      client.read();
    };
    const auto matches = [&](Shard& shard) {
      const Record* record = shard.engine().ground.records.find(key);
      Value::List fields;
      for (const auto& [field, by] : model) fields.push_back(Value(Value::List{Value(field), Value(by)}));
      if (record == nullptr) return model.empty();
      const Call call{record->type->find("all"), {}};
      return record->type->execute(*record->state, call, {}, shard.engine().ground.context).result() == Value(fields);
    };
    for (int i = 0; i < 40; ++i) enter();
    word(30);
    for (int rounds = 0; rounds < 3; ++rounds) {
      for (int pieces = 0;; ++pieces) {
        ASSERT_LT(pieces, 500);
        const bool done = disks.checkpoint(0, 40 + dice.below(100));
        switch (dice.below(4)) {
          case 0:
            enter();
            break;
          case 1:
            word(dice.below(4));
            break;
          case 2: {
            if (open.empty()) break;
            auto out = open.begin();
            std::advance(out, static_cast<std::ptrdiff_t>(dice.below(open.size())));
            client.withdraw(out->first, chain).send();
            open.erase(out);
            break;
          }
          default:
            enter();
            word(1);
        }
        ASSERT_EQ(client.seen.broken_by(chain), "");
        const auto found = disks.rebuilt(0, disks.written(0));
        ASSERT_TRUE(matches(*found)) << pieces;
        if (done) break;
      }
    }
    word(open.size());
    ASSERT_TRUE(matches(shard()));
    EXPECT_GT(disks.kept(0, disks.written(0)).of_kind(KeyKind::kPart), 0u);
  }
}

// ---- watches

TEST_F(LoggedChains, AreShownToWatchesOnceTheyHaveCommitted) {
  other.watch(1, value("k")).watch(2, set_size("s")).send();
  other.changes.clear();
  client.member(1, {add("k", 1)}).member(2, {add("k", 2), set_add("s", "x")}).send();
  const auto seen = [&] {
    disks.sync(0);
    for (int i = 0; i < 2; ++i) world.tick(20);
    other.read();
    return std::exchange(other.changes, {});
  };
  EXPECT_TRUE(seen().empty());
  client.word({1}).send();
  std::vector<ChangeSeen> changes = seen();
  ASSERT_EQ(changes.size(), 1u);
  client.read();
  EXPECT_EQ(changes[0].value, Value(std::int64_t{1}));
  EXPECT_EQ(changes[0].timestamp, client.seen.committed_at(1));
  other.watch(3, value("k")).watch(4, set_size("s")).send();
  changes = seen();
  ASSERT_EQ(changes.size(), 2u) << "watches that come now";
  EXPECT_EQ(changes[0].value, Value(std::int64_t{1}));
  EXPECT_EQ(changes[1].value, Value(std::int64_t{0}));
  client.withdraw(2).send();
  EXPECT_TRUE(seen().empty());
}

// ---- a disk that is full

TEST_F(LoggedChains, AreBrokenWhenTheDiskIsFull) {
  other.run(1, {add("j", 3)});
  disks.sync(0);
  client.member(1, {add("k", 1)}).send();
  shard().refuse_changes(LogTrouble::kDiskFull, world.now());
  client.read();
  EXPECT_EQ(client.seen.broken_by(), "disk_full");
  client.member(1, {add("k", 1)}, {.chain = 2}).member(2, {value("j")}, {.chain = 2}).send();
  EXPECT_EQ(client.seen.reply(1, 2).error, "disk_full");
  EXPECT_EQ(client.seen.result(2, 2), Value(std::int64_t{3}));
  client.word({2}, 2).send();
  EXPECT_NE(client.seen.committed_at(2, 2), 0u) << "it waits for nothing";
  shard().refuse_changes(LogTrouble::kNone, world.now());
  client.member(3, {add("k", 1)}, {.chain = 2}).send();
  client.word({3}, 2).send();
  disks.sync(0);
  client.read();
  EXPECT_NE(client.seen.committed_at(3, 2), 0u);
}

}  // namespace
}  // namespace claret::testing
