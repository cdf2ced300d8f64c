// One shard seen from outside, byte by byte: sessions, one-shot and interactive transactions, errors that change nothing.
#include "shard/shard.h"

#include <gtest/gtest.h>

#include <set>

#include "adt/check.h"
#include "shard/test_client.h"
#include "wire/limits.h"

namespace claret::testing {
namespace {

std::int64_t read_counter(TestClient& client, const std::string& key) {
  static std::uint64_t attempt = 1'000'000;
  const Reply reply = client.run(++attempt, {value(key)});
  EXPECT_EQ(reply.error, "");
  return reply.results.empty() ? -1 : reply.results.front().integer();
}

TEST(Shard, OneShotTransactionExecutesAndCommitsInOneMessage) {
  World world;
  TestClient client(world, 1);
  const Reply first = client.run(1, {add("a", 5), value("a")});
  EXPECT_EQ(first.error, "");
  EXPECT_NE(first.committed_at, 0u);
  ASSERT_EQ(first.results.size(), 1u);
  EXPECT_EQ(first.results[0].integer(), 0) << "operations see the state before the transaction";
  EXPECT_EQ(read_counter(client, "a"), 5);
}

TEST(Shard, NoTwoSessionsHaveOneSerialNumber) {
  World world;
  const TestClient one(world, 1), other(world, 2), again(world, 3);
  const std::set<std::uint64_t> serials{one.serial, other.serial, again.serial};
  EXPECT_EQ(serials.size(), 3u);
  EXPECT_FALSE(serials.contains(0));
}

TEST(Shard, InteractiveTransactionHoldsUntilItCommits) {
  World world;
  TestClient one(world, 1), other(world, 2);
  EXPECT_EQ(one.step({.attempt = 1, .begin_with_priority = 10, .operations = {add("a", 1)}}).error, "");
  EXPECT_TRUE(other.ask(1, {value("a")}).results.empty()) << "a read waits for the pending add";
  const Reply end = one.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  EXPECT_NE(end.committed_at, 0u);
  other.read();
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_EQ(other.replies[0].results[0].integer(), 1);
  EXPECT_EQ(other.replies[0].locks_waited_for, 1u);
  EXPECT_GT(other.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, end.committed_at);
}

TEST(Shard, CommutingOperationsHoldTheGateTogether) {
  World world;
  TestClient one(world, 1), other(world, 2);
  EXPECT_EQ(one.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_add("s", "x")}}).error, "");
  EXPECT_EQ(other.step({.attempt = 1, .begin_with_priority = 20, .operations = {set_add("s", "y")}}).error, "");
  EXPECT_NE(other.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, 0u);
  EXPECT_NE(one.step({.attempt = 1, .sent_before = 1, .prepare = kAlone}).committed_at, 0u);
  EXPECT_EQ(one.run(2, {set_size("s")}).results[0].integer(), 2);
}

TEST(Shard, ReaderWriterLocksExcludeEveryWriter) {
  World world;
  world.shards[0]->set_conditions({.locks = LockKind::kReaderWriter}, world.now());
  TestClient one(world, 1), other(world, 2);
  one.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_add("s", "x")}});
  EXPECT_EQ(other.run(1, {set_add("s", "y")}).committed_at, 0u) << "waits";
  one.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  other.read();
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_NE(other.replies[0].committed_at, 0u);
}

TEST(Shard, WaitersAreTriedAgainWhenAbstractLocksTakeEffect) {
  World world;
  world.shards[0]->set_conditions({.locks = LockKind::kReaderWriter}, world.now());
  TestClient one(world, 1), other(world, 2);
  one.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_add("s", "x")}});
  EXPECT_EQ(other.run(1, {set_add("s", "y")}).committed_at, 0u);
  world.shards[0]->set_conditions({.locks = LockKind::kAbstract}, world.now());
  other.read();
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_NE(other.replies[0].committed_at, 0u);
}

TEST(Shard, ARequestThatWaitedThroughASwitchFollowsTheNewRuleOnAllItsRecords) {
  World world;
  TestClient holder(world, 1), reader(world, 2), whole(world, 3);
  holder.step({.attempt = 1, .begin_with_priority = 10, .operations = {set_size("s")}});
  EXPECT_EQ(whole.run(1, {add("c", 1), set_add("s", "x")}, 30).committed_at, 0u) << "waits for s alone";
  world.shards[0]->set_conditions({.locks = LockKind::kReaderWriter}, world.now());
  reader.step({.attempt = 1, .begin_with_priority = 20, .operations = {value("c")}});
  holder.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  whole.read();
  EXPECT_TRUE(whole.replies.empty()) << "c is being read";
  reader.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  whole.read();
  EXPECT_EQ(whole.replies.size(), 1u);
}

TEST(Shard, WithoutPhasingAnOperationIsDeniedAndTheAttemptStands) {
  World world;
  world.shards[0]->set_conditions({.locks = LockKind::kAbstract, .phasing = false}, world.now());
  TestClient one(world, 1), other(world, 2);
  one.step({.attempt = 1, .begin_with_priority = 10, .label = "Holder", .operations = {set_add("s", "x")}});
  other.step({.attempt = 1, .begin_with_priority = 20, .operations = {add("c", 1)}});
  const Reply denied = other.step({.attempt = 1, .sent_before = 1, .operations = {set_size("s")}});
  EXPECT_EQ(denied.denied, "denied");
  EXPECT_EQ(denied.blocking_label, "Holder");
  one.step({.attempt = 1, .sent_before = 1, .prepare = kAlone});
  const Reply again = other.step({.attempt = 1, .sent_before = 1, .operations = {set_size("s")}, .prepare = kAlone});
  ASSERT_EQ(again.results.size(), 1u);
  EXPECT_EQ(again.results[0].integer(), 1);
  EXPECT_EQ(read_counter(other, "c"), 1);
}

TEST(Shard, WrongRequestsGetTheirOwnCodeAndLeaveNothing) {
  World world;
  TestClient client(world, 1);
  client.run(1, {add("counter", 1)});
  const std::size_t records = world.shards[0]->engine().ground.records.size();
  struct Wrong {
    Op op;
    std::string code;
  };
  const std::vector<Wrong> wrongs{
      {{"a", "Nothing.add", {}}, "unknown_type"},
      {{"a", "Counter.fly", {}}, "unknown_operation"},
      {{"a", "Counter", {}}, "unknown_operation"},
      {{"a", "Counter.add", {}}, "wrong_argument_count"},
      {{"a", "Counter.add", {Value("1")}}, "wrong_argument_type"},
      {{"counter", "Set.size", {}}, "wrong_type"},
      {{"", "Counter.value", {}}, "invalid_key"},
      {{std::string(1025, 'k'), "Counter.value", {}}, "invalid_key"},
      {{"\xC3\x28", "Counter.value", {}}, "invalid_utf8"},
      {{"a", "Set.add", {Value("\xFF")}}, "invalid_utf8"},
      {{"a", "TopK.add", {Value("x"), Value(std::numeric_limits<double>::quiet_NaN())}}, "not_finite"},
      {{"a", "TopK.add", {Value("x"), Value(std::numeric_limits<double>::infinity())}}, "not_finite"},
  };
  std::uint64_t attempt = 10;
  for (const Wrong& wrong : wrongs) {
    const Reply reply = client.run(++attempt, {add("kept", 1), wrong.op});
    EXPECT_EQ(reply.error, wrong.code) << wrong.op.name << " on " << wrong.op.key;
    EXPECT_FALSE(reply.retryable);
  }
  EXPECT_EQ(world.shards[0]->engine().attempts_in_flight(), 0u);
  EXPECT_EQ(world.shards[0]->engine().ground.records.size(), records) << "failed requests leave no records";
  EXPECT_EQ(client.closing, "");
  EXPECT_EQ(read_counter(client, "kept"), 0);
  EXPECT_EQ(read_counter(client, "__proto__"), 0) << "an ordinary key";
}

TEST(Shard, ACounterRefusesToLeaveItsRangeAndTheTransactionLeavesNoTrace) {
  World world;
  TestClient client(world, 1);
  EXPECT_EQ(client.run(1, {add("big", std::numeric_limits<std::int64_t>::max())}).error, "");
  const Reply refused = client.run(2, {add("other", 7), add("big", 1)});
  EXPECT_EQ(refused.error, "out_of_range");
  EXPECT_FALSE(refused.retryable);
  EXPECT_EQ(read_counter(client, "other"), 0);
  EXPECT_EQ(client.run(3, {add("fresh", std::numeric_limits<std::int64_t>::max()), add("fresh", 1)}).error, "out_of_range")
      << "its own operations together leave the range";
}

TEST(Shard, CommitOfAnUnknownAttemptIsRefused) {
  World world;
  TestClient owner(world, 1), thief(world, 2);
  owner.step({.attempt = 7, .begin_with_priority = 10, .operations = {add("a", 1)}});
  EXPECT_EQ(thief.step({.attempt = 7, .sent_before = 1, .prepare = kAlone}).error, "unknown_attempt");
  EXPECT_EQ(owner.step({.attempt = 8, .prepare = kAlone}).error, "unknown_attempt");
  EXPECT_NE(owner.step({.attempt = 7, .sent_before = 1, .prepare = kAlone}).committed_at, 0u);
}

TEST(Shard, AnAttemptHasABoundedNumberOfOperationsOnARecord) {
  World world;
  TestClient holder(world, 1), greedy(world, 2);
  holder.step({.attempt = 1, .begin_with_priority = 10, .operations = {value("a")}});
  const auto reads = [](std::size_t count) { return std::vector<Op>(count, value("a")); };
  greedy.step({.attempt = 2, .begin_with_priority = 20, .operations = reads(4096)});
  EXPECT_EQ(greedy.step({.attempt = 2, .sent_before = 4096, .operations = reads(4096)}).error, "");
  EXPECT_EQ(greedy.step({.attempt = 2, .sent_before = 8192, .operations = reads(1)}).error, "too_many_operations");
  EXPECT_EQ(world.shards[0]->engine().attempts_in_flight(), 1u);
  // Reserving operations are judged against each other, and have a lower limit.
  greedy.step({.attempt = 3, .begin_with_priority = 20, .operations = std::vector<Op>(1024, add("b", 1))});
  EXPECT_EQ(greedy.step({.attempt = 3, .sent_before = 1024, .operations = {add("b", 1)}}).error, "too_many_operations");
}

TEST(Shard, AMissingOperationVotesNo) {
  World world;
  TestClient client(world, 1);
  client.step({.attempt = 1, .begin_with_priority = 10, .operations = {add("a", 1)}});
  EXPECT_EQ(client.step({.attempt = 1, .sent_before = 2, .prepare = kAlone}).error, "unknown_attempt");
  EXPECT_EQ(read_counter(client, "a"), 0);
}

TEST(Shard, MalformedBytesEndTheSessionAndNothingElse) {
  World world;
  TestClient good(world, 1), bad(world, 2);
  bad.step({.attempt = 1, .begin_with_priority = 10, .operations = {add("a", 1)}});
  bad.send_bytes("\xFF\xFF\xFF random");
  EXPECT_EQ(bad.closing, "malformed_frame");
  EXPECT_TRUE(world.shards[0]->closed(2));
  EXPECT_EQ(read_counter(good, "a"), 0) << "the session's lock is released";
}

TEST(Shard, TruncatedFramesNeverCrash) {
  World sender_world;
  // A frame with every kind of message, cut at each byte.
  std::string whole;
  {
    protozero::pbf_writer frame(whole);
    frame.add_uint64(1, 2);
    frame.add_uint64(4, 1);
    protozero::pbf_writer request(frame, 9);
    request.add_uint64(1, 1);
    protozero::pbf_writer begin(request, 2);
    begin.add_bytes(1, TestClient::id_of(1, 1));
    begin.commit();
    protozero::pbf_writer operation(request, 4);
    operation.add_string(1, "key");
    operation.add_string(4, "Set.add");
    add_value(operation, 3, Value("member"));
  }
  for (std::size_t length = 0; length < whole.size(); ++length) {
    World world;
    TestClient client(world, 1);
    client.send_bytes(whole.substr(0, length));
    TestClient witness(world, 2);
    EXPECT_EQ(witness.run(1, {set_size("witness")}).error, "") << "cut at " << length;
  }
}

TEST(Shard, AFrameOverTheLimitEndsTheSession) {
  ShardOptions options;
  options.frame_bytes_max = 4096;
  World world(1, options);
  TestClient client(world, 1);
  client.send_bytes(std::string(5000, 'x'));
  EXPECT_EQ(client.closing, "frame_too_large");
}

TEST(Shard, ALabelOverTheLimitIsRefusedAlone) {
  World world;
  TestClient client(world, 1);
  EXPECT_EQ(client.run(1, {set_size("s")}, 100, std::string(limits::kLabelBytesMax, 'l')).error, "");
  EXPECT_EQ(client.run(2, {set_size("s")}, 100, std::string(limits::kLabelBytesMax + 1, 'l')).error, "argument_too_large");
  EXPECT_EQ(client.run(3, {set_size("s")}).error, "");
}

TEST(Shard, AnOperationOverTheLimitIsRefusedAlone) {
  World world;
  TestClient client(world, 1);
  Value::List items(limits::kArgumentsBytesMax / kTextBytesMax, Value(std::string(kTextBytesMax, 'x')));
  EXPECT_EQ(client.run(1, {{"s", "Set.insert", {Value(items)}}}).error, "");
  items.emplace_back("x");
  EXPECT_EQ(client.run(2, {{"s", "Set.insert", {Value(items)}}}).error, "argument_too_large");
  Value::List entries(items.size() - 1, Value(Value::List{Value("f"), Value(std::string(kTextBytesMax, 'x'))}));
  EXPECT_EQ(client.run(3, {{"d", "Dict.set", {Value(entries)}}}).error, "argument_too_large");
  EXPECT_EQ(client.run(4, {set_size("s")}).error, "");
}

TEST(Shard, ASessionThatIsNotDrainedIsClosedAtItsLimit) {
  ShardOptions options;
  options.output_bytes_max = 100'000;
  World world(1, options);
  TestClient lazy(world, 1), writer(world, 2);
  writer.run(1, {{"big", "Register.set", {Value(std::string(60'000, 'x'))}}});
  for (std::uint64_t i = 1; i <= 3; ++i) {
    lazy.add({.attempt = i, .begin_with_priority = 10, .operations = {{"big", "Register.get", {}}}, .prepare = kAlone});
  }
  lazy.send();
  EXPECT_EQ(lazy.closing, "overloaded");
  EXPECT_TRUE(lazy.replies.empty());
}

TEST(Shard, PeeksBehindTheOnesThatOverflowAreNotExecuted) {
  ShardOptions options;
  options.output_bytes_max = 100'000;
  World world(1, options);
  TestClient lazy(world, 1), writer(world, 2), viewer(world, 3);
  viewer.want_boards().send();
  const Op big{"big", "Register.get", {}};
  const Timestamp before = writer.run(1, {{"big", "Register.set", {Value(std::string(60'000, 'x'))}}, add("k")}).committed_at;
  writer.run(2, {add("k")});
  lazy.peek(1, big).peek(2, big).peek(3, big).peek(4, value("k"), before).send();
  EXPECT_EQ(lazy.closing, "overloaded");
  for (int i = 0; i < 3; ++i) world.tick(5);
  viewer.read();
  EXPECT_TRUE(viewer.seen.boards.empty()) << "a peek of what has changed meanwhile makes its record hot";
}

TEST(Shard, LargeOutputIsSplitIntoFramesWithinThePeersLimit) {
  World world;
  TestClient client(world, 1);
  client.run(1, {{"big", "Register.set", {Value(std::string(60'000, 'x'))}}});
  client.replies.clear();
  client.frame_bytes_max = 0;
  for (std::uint64_t i = 2; i <= 41; ++i) {
    client.add({.attempt = i, .begin_with_priority = 10, .operations = {{"big", "Register.get", {}}}, .prepare = kAlone});
  }
  client.send();
  EXPECT_EQ(client.replies.size(), 40u);
  EXPECT_LT(client.frame_bytes_max, 2 * kFrameBytesWanted);
}

TEST(Shard, AFrameThatEndsItsSessionIsNotAcknowledged) {
  World world(2);
  TestClient client(world, 1);
  const std::uint64_t before = client.acknowledged;
  client.commit_outcome(1, ~0ull).send();
  EXPECT_EQ(client.closing, "malformed_frame") << "no clock can have reached it";
  EXPECT_EQ(client.acknowledged, before) << "its outcomes were not processed";
}

TEST(Shard, ASilentSessionIsClosedAndItsLocksAreReleased) {
  ShardOptions options;
  options.session_lease_ms = 1000;
  World world(1, options);
  TestClient silent(world, 1);
  silent.step({.attempt = 1, .begin_with_priority = 10, .operations = {add("a", 1)}});
  for (int i = 0; i < 20; ++i) world.tick(100);
  silent.read();
  EXPECT_EQ(silent.closing, "session_lost");
  TestClient other(world, 2);
  EXPECT_EQ(read_counter(other, "a"), 0);
}

TEST(Shard, AWatchReportsAtOnceAndAfterEachCommit) {
  World world;
  TestClient watcher(world, 1), writer(world, 2);
  watcher.watch(9, value("a")).send();
  ASSERT_EQ(watcher.changes.size(), 1u);
  EXPECT_EQ(watcher.changes[0].value.integer(), 0);
  const Reply commit = writer.run(1, {add("a", 3)});
  watcher.read();
  ASSERT_EQ(watcher.changes.size(), 2u);
  EXPECT_EQ(watcher.changes[1].watch, 9u);
  EXPECT_EQ(watcher.changes[1].value.integer(), 3);
  EXPECT_EQ(watcher.changes[1].timestamp, commit.committed_at);
}

TEST(Shard, AWatchIsCoalescedToTheNewestState) {
  World world;
  TestClient watcher(world, 1), writer(world, 2);
  watcher.watch(9, value("a")).send();
  for (std::uint64_t i = 1; i <= 50; ++i) writer.run(i, {add("a", 1)});
  watcher.read();
  world.tick(kWatchIntervalMs);
  watcher.read();
  EXPECT_LE(watcher.changes.size(), 3u);
  EXPECT_EQ(watcher.changes.back().value.integer(), 50);
}

TEST(Shard, AWatchThatResumesIsSilentWhenNothingChanged) {
  World world;
  TestClient watcher(world, 1), writer(world, 2);
  const Reply commit = writer.run(1, {add("a", 1)});
  watcher.watch(1, value("a"), commit.committed_at).send();
  EXPECT_TRUE(watcher.changes.empty());
  watcher.watch(2, value("a"), commit.committed_at - 1).send();
  EXPECT_EQ(watcher.changes.size(), 1u);
}

TEST(Shard, AWatchCreatesNoRecord) {
  World world;
  TestClient watcher(world, 1), client(world, 2);
  client.step({.attempt = 1, .begin_with_priority = 10, .operations = {add("a", 1)}});
  watcher.watch(9, set_size("a")).send();
  EXPECT_EQ(watcher.changes.at(0).value.integer(), 0) << "the record has no type yet";
  client.abort_outcome(1).send();
  EXPECT_EQ(client.run(2, {set_add("a", "x")}).error, "");
  world.tick(kWatchIntervalMs);
  watcher.read();
  EXPECT_EQ(watcher.changes.back().value.integer(), 1);
}

TEST(Shard, AWatchOfAnotherTypeOrOfAChangeIsRefused) {
  World world;
  TestClient client(world, 1);
  client.run(1, {add("a", 1)});
  client.watch(1, set_size("a")).watch(2, add("a", 1)).send();
  ASSERT_EQ(client.changes.size(), 2u);
  EXPECT_EQ(client.changes[0].error, "wrong_type");
  EXPECT_EQ(client.changes[1].error, "unknown_operation");
}

TEST(Shard, ConflictsAreCountedByLabelsAndOperations) {
  World world;
  TestClient one(world, 1), other(world, 2);
  one.step({.attempt = 1, .begin_with_priority = 10, .label = "Bid", .operations = {set_add("s", "x")}});
  other.ask(1, {set_size("s")}, 20, "View");
  const auto& conflicts = world.shards[0]->counters().conflicts.rows();
  ASSERT_EQ(conflicts.size(), 1u);
  const auto& [pair, count] = *conflicts.begin();
  EXPECT_EQ(world.shards[0]->counters().label(pair.holder_label), "Bid");
  EXPECT_EQ(world.shards[0]->counters().label(pair.comer_label), "View");
  EXPECT_EQ(pair.holder_operation->name, "add");
  EXPECT_EQ(pair.comer_operation->name, "size");
  EXPECT_EQ(count, 1u);
}

}  // namespace
}  // namespace claret::testing
