// What snapshot transactions read and change: what a shard leaves out of a snapshot, when it refuses a read, and who commits first.
#include <gtest/gtest.h>

#include "transaction/test_batches.h"

namespace claret::testing {
namespace {

Op get(std::string key) { return {std::move(key), "Register.get", {}}; }
Op set(std::string key, std::string to) { return {std::move(key), "Register.set", {Value(std::move(to))}}; }
Op push_front(std::string key, std::string element) {
  return {std::move(key), "List.pushFront", {Value(Value::List{Value(std::move(element))})}};
}
Op set_at(std::string key, std::int64_t index, std::string to) {
  return {std::move(key), "List.setAt", {Value(index), Value(std::move(to))}};
}

// A shard whose changes are kept although it is not told to, since a snapshot transaction has read there.
class Snapshots : public ::testing::Test {
 protected:
  Snapshots() : world(2), key(key_on(0)), writer(world, 1), voter(world, 2), reader(world, 3) { begin(); }

  // The time of a snapshot that is taken now, before all that follows.
  Timestamp begin() {
    const Timestamp at = ask(key_on(0, "first"), 0).at;
    world.tick(1);
    return at;
  }

  // The time of a snapshot that another shard has drawn now.
  Timestamp elsewhere() {
    const Timestamp at = HybridClock::after(world.shards[0]->engine().ground.clock.reached(), ++drawn_);
    world.tick(1);
    return at;
  }

  // A read as of that time, for a transaction that has begun so long ago.
  NativeSeen ask(const std::string& of, Timestamp at, double age_ms = 60'000, Op op = {}) {
    if (op.name.empty()) op = value(of);
    op.at = at;
    op.snapshot = 1 + static_cast<std::uint32_t>(age_ms * 1000);
    number = reader.send_natives({std::move(op)});
    reader.read();
    return answer();
  }
  NativeSeen answer() { return reader.natives.contains(number) ? reader.natives[number] : NativeSeen{}; }

  Timestamp vote(std::vector<Op> operations) {
    return voter.step({.attempt = 1, .begin_with_priority = 50, .operations = std::move(operations), .prepare = kBoth}).voted_at;
  }
  // A transaction of this shard that has read at that time.
  Reply change(std::uint64_t attempt, Op op, Timestamp snapshot) {
    return writer.step(
        {.attempt = attempt, .begin_with_priority = 60, .operations = {std::move(op)}, .prepare = kAlone, .snapshot = snapshot});
  }
  const Past& past() { return world.shards[0]->engine().ground.past; }
  const Totals& totals() { return world.shards[0]->counters().totals; }

  World world;
  std::string key;
  TestClient writer, voter, reader;
  std::uint64_t number = 0;

 private:
  std::uint64_t drawn_ = 0;
};

TEST_F(Snapshots, AreOfTheirTimeAlthoughNothingIsKeptOtherwise) {
  const Timestamp at = begin();
  writer.run(1, {add(key)});
  writer.run(2, {add(key)});
  const NativeSeen seen = ask(key, at);
  EXPECT_EQ(seen.result.integer(), 0);
  EXPECT_EQ(seen.at, at);
  EXPECT_EQ(totals().rollback_steps, 2u);
  EXPECT_EQ(totals().rollbacks, 1u);
}

TEST_F(Snapshots, LeaveOutWhatWasCommittedAfterTheirTransactionBeganOnly) {
  const Timestamp at = elsewhere(), of_another = elsewhere();
  const Timestamp committed = writer.run(1, {add(key)}).committed_at;
  world.tick(10);
  EXPECT_EQ(ask(key, at, 20).result.integer(), 0) << "it had begun";
  const NativeSeen refused = ask(key, of_another, 5);
  EXPECT_EQ(refused.error, "snapshot_behind");
  EXPECT_GE(refused.error_at, committed);
  EXPECT_EQ(ask(key, refused.error_at, 5).result.integer(), 1);
  EXPECT_EQ(totals().snapshots_behind, 1u);
}

TEST_F(Snapshots, LeaveOutNothingThatHasVotedBeforeTheirTransactionBegan) {
  const Timestamp at = elsewhere(), of_another = elsewhere();
  const Timestamp voted = vote({add(key)});
  world.tick(10);
  EXPECT_EQ(ask(key, at, 20).result.integer(), 0) << "it had begun";
  const NativeSeen refused = ask(key, of_another, 5);
  EXPECT_EQ(refused.error, "snapshot_behind") << "the client may have all votes, and has told its caller";
  EXPECT_GE(refused.error_at, voted);
  ask(key, refused.error_at, 5);
  EXPECT_EQ(answer().at, 0u) << "waits for the outcome";
  voter.commit_outcome(1, voted).send();
  world.tick(1);
  reader.read();
  EXPECT_EQ(answer().result.integer(), 1);
}

TEST_F(Snapshots, CountAVoteAndNotTheCommitThatFollowsIt) {
  const Timestamp at = elsewhere(), of_another = elsewhere();
  const Timestamp voted = vote({add(key)});
  world.tick(10);
  voter.commit_outcome(1, voted).send();
  world.tick(10);
  EXPECT_EQ(ask(key, at, 15).error, "snapshot_behind");
  EXPECT_EQ(ask(key, of_another, 25).result.integer(), 0);
}

TEST_F(Snapshots, AreKnownToHaveBegunByTheFirstReadThatCame) {
  const Timestamp at = begin(), of_another = begin();
  EXPECT_EQ(ask(key, at, 1).result.integer(), 0);
  world.tick(5);
  writer.run(1, {add(key)});
  world.tick(5);
  EXPECT_EQ(ask(key, at, 1).result.integer(), 0) << "although this one was under way for long";
  EXPECT_EQ(ask(key, of_another, 1).result.integer(), 0) << "and this one's first read was the one that drew the time";
  TestClient other(world, 4);
  Op op = value(key);
  op.at = at;
  op.snapshot = 1001;
  const std::uint64_t theirs = other.send_natives({op});
  other.read();
  EXPECT_EQ(other.natives[theirs].error, "snapshot_behind") << "of another session nothing is known";
}

TEST_F(Snapshots, DoNotWaitForNorMindWhoOnlyHoldsALock) {
  const Timestamp at = begin();
  voter.step({.attempt = 1, .begin_with_priority = 50, .operations = {add(key)}});
  world.tick(10);
  EXPECT_EQ(ask(key, at, 5).result.integer(), 0);
  EXPECT_TRUE(voter.wounds.empty());
  EXPECT_NE(voter.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, 0u);
}

TEST_F(Snapshots, AreBehindWhatHasChangedWhileNothingWasKept) {
  const std::string there = key_on(1);
  TestClient client(world, 4, 1);
  const Timestamp at = begin();
  client.run(1, {add(there)});
  Op op = value(there);
  op.at = at;
  op.snapshot = 60'000'000;
  const std::uint64_t first = client.send_natives({op});
  client.read();
  EXPECT_EQ(client.natives[first].error, "snapshot_behind") << "nobody knows when it voted";
  op.at = client.natives[first].error_at;
  client.run(2, {add(there)});
  const std::uint64_t second = client.send_natives({op});
  client.read();
  EXPECT_EQ(client.natives[second].result.integer(), 1) << "from then on changes are kept";
}

TEST_F(Snapshots, MayBeFurtherAheadThanOtherReadsOfThePast) {
  const Timestamp far = HybridClock::later(world.shards[0]->engine().ground.clock.reached(), 4'000);
  EXPECT_EQ(ask(key, far).result.integer(), 0);
  EXPECT_GT(writer.run(1, {add(key)}).committed_at, far);
  EXPECT_EQ(ask(key, HybridClock::later(far, 6'000)).error, "clock_skew");
}

TEST_F(Snapshots, AreKeptForAWhileOnlyAndNotOnceNobodyReadsThem) {
  const Timestamp at = begin();
  writer.run(1, {add(key)});
  for (int i = 0; i < 25; ++i) {
    world.tick(100);
    writer.send();
    reader.send();
  }
  EXPECT_EQ(past().versions(), 0u);
  EXPECT_EQ(ask(key, at, 5000).error, "snapshot_behind") << "also if it had begun before";
  writer.run(2, {add(key)});
  EXPECT_EQ(past().versions(), 1u);
  for (int i = 0; i < 110; ++i) {
    world.tick(100);
    writer.send();
  }
  writer.run(3, {add(key)});
  EXPECT_EQ(past().versions(), 0u);
  EXPECT_EQ(past().bytes(), 0u);
}

// What was not kept in between must not be missing where later changes are taken back.
TEST_F(Snapshots, HaveNoGap) {
  writer.run(1, {set(key, "a")});
  const Timestamp at = begin();
  for (int i = 0; i < 110; ++i) {
    world.tick(100);
    writer.send();
    reader.send();
  }
  writer.run(2, {set(key, "b")});
  begin();
  writer.run(3, {set(key, "c")});
  EXPECT_EQ(ask(key, at, 20'000, get(key)).error, "snapshot_behind");
}

TEST_F(Snapshots, ChangeNothingThatAnotherHasChangedSince) {
  const Timestamp at = begin();
  const Timestamp first = writer.run(1, {set(key, "first")}).committed_at;
  const Reply refused = change(2, set(key, "second"), at);
  EXPECT_EQ(refused.error, "snapshot_conflict");
  EXPECT_TRUE(refused.retryable);
  EXPECT_EQ(refused.cause, "snapshot_conflict");
  EXPECT_GE(refused.error_at, first);
  EXPECT_NE(change(3, set(key, "second"), refused.error_at).committed_at, 0u);
}

TEST_F(Snapshots, DoNotOverwriteAnEqualValueThatMayHaveCountedThemOut) {
  const Timestamp at = begin();
  writer.run(1, {set(key, "1")});
  EXPECT_EQ(change(2, set(key, "1"), at).error, "snapshot_conflict") << "both may have read 0";
}

TEST_F(Snapshots, ChangeWhatOnlyOperationsHaveChangedThatCommute) {
  const Timestamp at = begin();
  writer.run(1, {add(key)});
  writer.send_natives({add(key, 5)});
  EXPECT_NE(change(2, add(key), at).committed_at, 0u);
  EXPECT_EQ(reader.native(value(key)).integer(), 7);
}

// It commutes with what the record holds now, and did not with what it held before.
TEST_F(Snapshots, DoNotChangeWhatHasComeSince) {
  const Timestamp at = begin();
  writer.run(1, {push_front(key, "a")});
  EXPECT_EQ(change(2, set_at(key, -1, "b"), at).error, "snapshot_conflict");
  const Timestamp later = begin();
  writer.run(3, {push_front(key, "c")});
  writer.run(4, {push_front(key, "d")});
  EXPECT_NE(change(5, set_at(key, -1, "b"), later).committed_at, 0u);
  EXPECT_EQ(change(6, set_at(key, -2, "b"), later).error, "snapshot_conflict");
  EXPECT_EQ(reader.native({key, "List.length", {}}).integer(), 3) << "what was undone to compare is there again";
}

TEST_F(Snapshots, ConflictWithMoreThanIsCompared) {
  const Timestamp at = begin();
  for (int i = 0; i < 8; ++i) writer.send_natives(std::vector<Op>(256, add(key)));
  std::vector<Op> adds(33, add(key));
  const Reply refused = writer.step({.attempt = 2, .begin_with_priority = 60, .operations = adds, .prepare = kAlone, .snapshot = at});
  EXPECT_EQ(refused.error, "snapshot_conflict");
  adds.resize(32);
  EXPECT_NE(writer.step({.attempt = 3, .begin_with_priority = 60, .operations = adds, .prepare = kAlone, .snapshot = at}).committed_at, 0u);
}

TEST_F(Snapshots, ConflictWithNativesToo) {
  const Timestamp at = begin();
  writer.send_natives({set(key, "native")});
  EXPECT_EQ(change(2, set(key, "late"), at).error, "snapshot_conflict");
}

TEST_F(Snapshots, ConflictWithWhatIsNotKept) {
  const std::string there = key_on(1);
  TestClient client(world, 4, 1);
  const Timestamp at = begin();
  client.run(1, {add(there)});
  const auto again = [&](std::uint64_t attempt, Timestamp snapshot) {
    return client.step(
        {.attempt = attempt, .begin_with_priority = 60, .operations = {add(there)}, .prepare = kAlone, .snapshot = snapshot});
  };
  const Reply refused = again(2, at);
  EXPECT_EQ(refused.error, "snapshot_conflict");
  client.run(3, {add(there)});
  EXPECT_NE(again(4, refused.error_at).committed_at, 0u) << "the first one has made the shard keep changes";
}

TEST_F(Snapshots, ReadAndConflictUnderLocksThatOnlyKnowReadersAndWriters) {
  world.shards[0]->set_conditions({.locks = LockKind::kReaderWriter}, world.now());
  const Timestamp at = begin();
  writer.run(1, {add(key)});
  EXPECT_EQ(ask(key, at).result.integer(), 0);
  EXPECT_NE(change(2, add(key), at).committed_at, 0u);
}

class SnapshotsOfChains : public BatchTest {
 protected:
  NativeSeen ask(Op op, Timestamp at, double age_ms) {
    op.at = at;
    op.snapshot = 1 + static_cast<std::uint32_t>(age_ms * 1000);
    const std::uint64_t number = other.send_natives({std::move(op)});
    other.read();
    return other.natives.contains(number) ? other.natives[number] : NativeSeen{};
  }
};

TEST_F(SnapshotsOfChains, LeaveOutNoMemberOfABatchThatHasVotedBefore) {
  ask(value(k), 0, 0);  // changes are kept
  const Timestamp at = shard().engine().ground.clock.reached();
  const auto of_another = [&](std::uint64_t n) { return at - (n << 8U); };
  const Timestamp vote = voted({add(k)});
  world.tick(10);
  EXPECT_EQ(ask(value(k), at, 5).error, "snapshot_behind");
  EXPECT_EQ(ask(value(k), of_another(1), 20).result.integer(), 0);
  commit(100, vote);
  world.tick(10);
  EXPECT_EQ(ask(value(k), of_another(2), 15).error, "snapshot_behind") << "the vote counts";
  EXPECT_EQ(ask(value(k), of_another(3), 30).result.integer(), 0);
}

}  // namespace
}  // namespace claret::testing
