// Batches beside the log, checkpoints, watches, boards and peeks.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "transaction/test_batches.h"

namespace claret::testing {
namespace {

class LoggedBatches : public BatchTest {
 protected:
  LoggedBatches() : BatchTest(logged_options()) {}

  // The shard starts again from all that is durable. Its sessions are lost.
  void restart() {
    links.break_all();
    disks.sync(0);
    disks.crash(0, 0);
    fresh_ = std::make_unique<TestClient>(world, ++peers_, 0, 77);
  }
  std::int64_t found(const std::string& key) {
    const Reply reply = fresh_->run(++attempts_, {value(key)});
    fresh_->read();
    return fresh_->replies.empty() || fresh_->replies.back().results.empty() ? -1 : fresh_->replies.back().results[0].integer();
  }
  // The outcome, as another participant reports it.
  void resolve(std::uint64_t attempt, bool commits, Timestamp at) {
    AttemptId id;
    const std::string bytes = attempt_id(1, attempt);
    std::copy(bytes.begin(), bytes.end(), id.begin());
    shard().begin(world.now());
    shard().engine().endings.resolve(id, 0, commits, at);
    shard().finish();
    disks.sync_all();
  }
  AnswerSeen asked_again(std::uint64_t attempt) {
    fresh_->inquire(1, attempt, 1).send();
    fresh_->read();
    return fresh_->answers.empty() ? AnswerSeen{} : fresh_->answers.back();
  }
  void checkpoint(std::size_t bytes = kEverything) {
    for (int pieces = 0; pieces < 10'000; ++pieces) {
      disks.sync(0);
      if (disks.checkpoint(0, bytes)) return;
    }
    FAIL() << "the checkpoint does not end";
  }
  LogEntry last_entry(std::string& bytes) {
    bytes = disks.entries(0).back();
    std::vector<std::string_view> views;
    EXPECT_TRUE(split_log(bytes, views));
    LogEntry entry;
    EXPECT_TRUE(decode(views.at(0), entry));
    return entry;
  }

 private:
  std::unique_ptr<TestClient> fresh_;
  std::uint32_t peers_ = 100;
  std::uint64_t attempts_ = 0;
};

TEST_F(LoggedBatches, LogWhatTheyDidAndWhichMembersDidIt) {
  client.member(1, {add(k, 5), value(j)}, {.label = "buy", .turn = 1}).member(3, {value(k)}, {.label = "look"}).send();
  const Timestamp at = vote({.attempt = 100, .members = {1, 3}}).voted_at;
  std::string bytes;
  const LogEntry entry = last_entry(bytes);
  EXPECT_EQ(entry.kind, LogEntryKind::kVote);
  EXPECT_EQ(entry.at, at);
  EXPECT_EQ(entry.label, "batch");
  ASSERT_EQ(entry.operations.size(), 3u);
  EXPECT_EQ(entry.operations[0].key, k);
  EXPECT_EQ(entry.operations[2].result, number(5));
  ASSERT_EQ(entry.members.size(), 2u);
  EXPECT_EQ(entry.members[0].ticks, 0u);
  EXPECT_EQ(entry.members[0].operations, 2u);
  EXPECT_EQ(entry.members[0].label, "buy");
  EXPECT_EQ(entry.members[1].ticks, 2u);
  EXPECT_EQ(entry.members[1].operations, 1u);
  const std::string id = attempt_id(1, member_attempt(3));
  EXPECT_TRUE(std::equal(id.begin(), id.end(), entry.members[1].id.begin(),
                         [](char a, unsigned char b) { return static_cast<unsigned char>(a) == b; }));
  EXPECT_EQ(entry.participants, (ShardList{1}));
}

TEST_F(LoggedBatches, TellTheirVoteOnceItIsDurable) {
  world.after_input = [] {};
  send_wide(1, {add(k, 5)});
  EXPECT_EQ(client.seen.replies(1), 1u);
  EXPECT_EQ(vote({.attempt = 100, .members = {1}}).voted_at, 0u);
  disks.sync(0);
  client.read();
  EXPECT_NE(client.replies.at(0).voted_at, 0u);
}

TEST_F(LoggedBatches, AreOrdinaryVotesAfterARestart) {
  client.member(1, {add(k, 5)}, {.turn = 1}).member(2, {value(k), add(k, 1)}).send();
  const Timestamp at = vote({.attempt = 100, .members = {1, 2}}).voted_at;
  client.member(3, {add(k, 100)}).send();
  restart();
  EXPECT_EQ(asked_again(100).state, AttemptState::kVoted);
  EXPECT_EQ(found(k), -1) << "it is locked";
  resolve(100, true, HybridClock::after(at, 10));
  restart();
  EXPECT_EQ(found(k), 6);
}

TEST_F(LoggedBatches, AreTheSameAfterARestartBehindTheirOutcome) {
  client.member(1, {add(k, 5)}, {.turn = 1}).member(2, {value(k), add(k, 1)}).send();
  const Timestamp at = HybridClock::after(vote({.attempt = 100, .members = {1, 2}}).voted_at, 10);
  commit(100, at);
  const Record* record = shard().engine().ground.records.find(k);
  const std::uint64_t position = record->last_position;
  restart();
  record = shard().engine().ground.records.find(k);
  EXPECT_EQ(record->last_commit, HybridClock::after(at, 1)) << "that of the second member";
  EXPECT_EQ(record->last_position, position);
  EXPECT_EQ(found(k), 6);
}

TEST_F(LoggedBatches, ThatAbortLeaveNothingAfterARestart) {
  voted({add(k, 5)});
  abort(100);
  restart();
  EXPECT_EQ(found(k), 0);
  EXPECT_EQ(asked_again(100).state, AttemptState::kAborted);
}

TEST_F(LoggedBatches, ArePutIntoACheckpointTakenWhileTheyHaveVoted) {
  for (const bool stands_back : {false, true}) {
    const std::uint64_t chain = stands_back ? 2 : 1;
    const std::uint64_t attempt = 100 + chain;
    client.member(1, {add(k, 5)}, {.chain = chain, .label = "buy", .turn = 1}).send();
    const Timestamp at = vote({.attempt = attempt, .members = {1}, .chain = chain}).voted_at;
    if (stands_back) client.abandon(attempt).send();
    checkpoint();
    const Kept kept = disks.kept(0, disks.written(0));
    const auto pair = std::find_if(kept.pairs.begin(), kept.pairs.end(),
                                   [](const auto& one) { return one.first.front() == static_cast<char>(KeyKind::kVote); });
    ASSERT_NE(pair, kept.pairs.end());
    std::vector<std::string_view> views;
    ASSERT_TRUE(split_log(pair->second, views));
    LogEntry entry;
    ASSERT_TRUE(decode(views.at(0), entry));
    ASSERT_EQ(entry.members.size(), 1u);
    EXPECT_EQ(entry.members[0].label, "buy");
    EXPECT_EQ(entry.members[0].operations, 1u);
    EXPECT_EQ(entry.operations.size(), 1u);
    auto rebuilt = disks.rebuilt(0, disks.written(0));
    EXPECT_EQ(rebuilt->engine().ground.doubts.in_doubt(), 1u);
    CheckpointPiece piece;
    ASSERT_FALSE(rebuilt->begin_checkpoint());
    std::string entries;
    rebuilt->take_log(entries);
    ASSERT_FALSE(rebuilt->take_checkpoint(kEverything, piece));
    EXPECT_NE(piece.pairs.find("buy"), std::string::npos) << "a later checkpoint names the members too";
    commit(attempt, at);
    checkpoint();
  }
  restart();
  EXPECT_EQ(found(k), 10);
}

TEST_F(LoggedBatches, ThatAreDecidedDuringACheckpointArePutBefore) {
  const Timestamp at = voted({add(k, 5)});
  disks.checkpoint(0, 1);  // it begins
  client.member(2, {add(k, 1)}).send();
  commit(100, at);
  client.word({2}).send();
  checkpoint(1);
  restart();
  EXPECT_EQ(found(k), 6);
}

TEST_F(LoggedBatches, AreOfALogThatEarlierVersionsRefuse) {
  std::string log;
  log_entry::add_started(log, 1, 0, 2, 1, 0);
  const auto format = log.find(std::string{'\x08', static_cast<char>(kLogFormat)});
  ASSERT_NE(format, std::string::npos);
  log[format + 1] = static_cast<char>(kLogFormat + 1);
  Shard later(logged_options());
  EXPECT_TRUE(later.restore(log).has_value());
}

TEST_F(LoggedBatches, DoNotHaveOperationsOfNobody) {
  voted({add(k, 5)});
  std::string log;
  for (const std::string& entry : disks.entries(0)) log += entry;
  std::string vote = disks.entries(0).back();
  ASSERT_TRUE(log.ends_with(vote));
  // The member's number of operations.
  const auto at = vote.find(std::string{'\x10', '\0', '\x18', '\x01'});
  ASSERT_NE(at, std::string::npos);
  vote[at + 3] = '\x02';
  ShardOptions options = logged_options();
  options.engine.place = {0, 2};
  options.engine.incarnation = 2;
  Shard started(options);
  ASSERT_FALSE(started.restore(log.substr(0, log.size() - vote.size())));
  const auto problem = started.restore(vote);
  ASSERT_TRUE(problem);
  EXPECT_TRUE(problem->ends_with("the members of a batch do not have all its operations")) << *problem;
}

TEST_F(LoggedBatches, AreWatchedOnceTheyHaveCommitted) {
  other.watch(1, value(k)).send();
  const Timestamp at = voted({add(k, 5)});
  world.tick(20);
  other.read();
  EXPECT_EQ(other.changes.size(), 1u);
  commit(100, at);
  world.tick(20);
  other.read();
  ASSERT_EQ(other.changes.size(), 2u);
  EXPECT_EQ(other.changes[1].value, number(5));
  EXPECT_EQ(other.changes[1].timestamp, at);
}

TEST_F(LoggedBatches, AreBusyForPeeks) {
  const Timestamp at = voted({add(k, 5), value(j)});
  other.peek(1, value(k)).send();
  EXPECT_TRUE(other.seen.peeks[1].busy);
  client.abandon(100).send();
  other.peek(2, value(k)).send();
  EXPECT_TRUE(other.seen.peeks[2].busy);
  commit(100, at);
  other.peek(3, value(k), at).send();
  EXPECT_EQ(other.seen.peeks[3].value, number(5));
}

TEST_F(LoggedBatches, AreRefusedWhileTheDiskIsFullAndTakeOutcomesThen) {
  const Timestamp at = voted({add(k, 5)});
  client.member(2, {value(k)}).send();
  shard().refuse_changes(LogTrouble::kDiskFull, world.now());
  client.read();
  EXPECT_EQ(client.seen.broken_by(), "disk_full");
  commit(100, at);
  shard().refuse_changes(LogTrouble::kNone, world.now());
  disks.sync_all();
  EXPECT_EQ(committed(k), 5);
}

// ---- boards

class BatchesOnBoards : public BatchTest {
 protected:
  BatchesOnBoards() : viewer_(world, 20) {
    viewer_.want_boards().send();
    other.run(1, {add(k, 5)});
    TestClient heater(world, 21);
    for (std::uint64_t n = 1; n <= 6; ++n) heater.member(n, {value(k)});
    heater.send();
    heater.hang_up();
    EXPECT_EQ(shown(), number(5));
  }

  // The counter's value as boards show it, after time enough for a mark and a board; absent if they show none.
  Value shown() {
    for (int i = 0; i < 3; ++i) world.tick(2.5);
    viewer_.read();
    for (const BoardSeen& board : std::exchange(viewer_.seen.boards, {})) {
      if (!board.gone.empty()) shown_ = {};
      for (const BoardSeen::Shown& one : board.shown) shown_ = one.result;
    }
    return shown_;
  }

 private:
  TestClient viewer_;
  Value shown_;
};

TEST_F(BatchesOnBoards, AreShownOnceTheyHaveCommitted) {
  const Timestamp at = voted({add(k, 1)});
  EXPECT_EQ(shown(), number(5));
  commit(100, at);
  EXPECT_EQ(shown(), number(6));
}

TEST_F(BatchesOnBoards, AreShownByMarksThatWereTakenBeforeTheyVoted) {
  send_wide(1, {add(k, 1)});
  EXPECT_EQ(shown(), number(5));
  const Timestamp at = vote({.attempt = 100, .members = {1}}).voted_at;
  EXPECT_EQ(shown(), number(5)) << "the mark waits for the batch";
  client.member(2, {add(j)}).send();
  commit(100, at);
  client.read();
  EXPECT_EQ(shown(), number(6));
}

TEST_F(BatchesOnBoards, AreNotShownIfTheyAbort) {
  send_wide(1, {add(k, 1)});
  EXPECT_EQ(shown(), number(5));
  vote({.attempt = 100, .members = {1}});
  EXPECT_EQ(shown(), number(5));
  abort(100);
  EXPECT_EQ(shown(), number(5));
  other.run(2, {add(k, 2)});
  EXPECT_EQ(shown(), number(7));
}

TEST_F(BatchesOnBoards, AreNotShownWhileTheyStandBack) {
  const Timestamp at = voted({add(k, 1)});
  EXPECT_EQ(shown(), number(5));
  client.abandon(100).send();
  EXPECT_NE(shown(), number(6));
  commit(100, at);
  EXPECT_EQ(shown(), number(6));
}

TEST_F(BatchesOnBoards, OfAnOlderChainAreAwaitedBesideTheNewerOne) {
  const Timestamp at = voted({add(k, 1)});
  client.member(1, {add(k, 10)}, {.chain = 2}).send();
  EXPECT_EQ(shown(), number(5));
  client.commit_outcome(100, at).send();
  EXPECT_NE(shown(), number(16)) << "the member above is undecided";
  client.word({1}, 2).send();
  EXPECT_EQ(shown(), number(16));
}

}  // namespace
}  // namespace claret::testing
