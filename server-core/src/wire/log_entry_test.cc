#include "wire/log_entry.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "adt/registry.h"

namespace claret {
namespace {

AttemptId id_of(unsigned char byte) {
  AttemptId id;
  id.fill(byte);
  return id;
}

class LogEntries : public ::testing::Test {
 protected:
  LogEntries() {
    call_.operation = find_type("Dict")->find("get");
    call_.arguments = {Value(std::string("name"))};
    result_ = Value(std::vector<Value>{Value(std::string("wine"))});
    operations_.push_back({"{item:1}:info", 0x0402, &call_, &result_, true});
  }

  std::vector<LogEntry> read(const std::string& log) {
    std::vector<std::string_view> parts;
    EXPECT_TRUE(split_log(log, parts));
    std::vector<LogEntry> entries(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) EXPECT_TRUE(decode(parts[i], entries[i])) << i;
    return entries;
  }

  // A log with one entry of each kind.
  std::string whole_log() {
    std::string log;
    const TransactionId transaction = id_of(9);
    const AnswerToLog answer{.transaction = transaction, .answer = "{}", .keep_ms = 600, .until_wall_ms = 0};
    const ShardList participants{2, 3};
    log_entry::add_started(log, 1, 4, 8, 77, 1'700'000'000'000);
    log_entry::add_ceiling(log, 2, 1 << 20, 1'700'000'000'001);
    const AttemptId first = id_of(1);
    log_entry::add_commit(log, 3, &first, 512, 1'700'000'010'000, operations_);
    log_entry::add_vote(log, 4, id_of(2), 768, 1'700'000'020'000, operations_, {41, "Bid", participants}, &answer);
    log_entry::add_outcome(log, 5, id_of(2), 1024);
    log_entry::add_forgotten(log, 6, {id_of(2), id_of(3)});
    log_entry::add_aborted(log, 7, id_of(4), 1'700'000'030'000);
    const LoggedMove move{.id = "m1", .slots = {100, 16383}, .peer = 3, .version = 2, .piece = 9, .complete = true, .pairs = "pairs"};
    log_entry::add_move(log, 8, LogEntryKind::kImported, move);
    log_entry::add_move(log, 9, LogEntryKind::kGave, move, 2048);
    log_entry::add_move(log, 10, LogEntryKind::kTook, move, 2048);
    log_entry::add_move(log, 11, LogEntryKind::kDropped, move);
    log_entry::add_move(log, 12, LogEntryKind::kSettled, move);
    return log;
  }

  Call call_;
  Value result_;
  OperationsToLog operations_;
};

TEST_F(LogEntries, OfEachKindAreReadAsTheyWereWritten) {
  const std::string log = whole_log();
  const std::vector<LogEntry> entries = read(log);
  ASSERT_EQ(entries.size(), 12u);
  for (std::size_t i = 0; i < entries.size(); ++i) EXPECT_EQ(entries[i].position, i + 1);
  EXPECT_EQ(entries[0].kind, LogEntryKind::kStarted);
  EXPECT_EQ(entries[0].format, kLogFormat);
  EXPECT_EQ(entries[0].shard, 4u);
  EXPECT_EQ(entries[0].shards, 8u);
  EXPECT_EQ(entries[0].incarnation, 77u);
  EXPECT_EQ(entries[0].time_ms, 1'700'000'000'000u);
  EXPECT_EQ(entries[1].kind, LogEntryKind::kCeiling);
  EXPECT_EQ(entries[1].at, Timestamp{1 << 20});
  EXPECT_EQ(entries[2].kind, LogEntryKind::kCommit);
  EXPECT_EQ(entries[2].ids, std::vector{id_of(1)});
  ASSERT_EQ(entries[2].operations.size(), 1u);
  const LoggedOperation& operation = entries[2].operations[0];
  EXPECT_EQ(operation.key, "{item:1}:info");
  EXPECT_EQ(operation.code, 0x0402u);
  EXPECT_EQ(operation.arguments, call_.arguments);
  EXPECT_EQ(operation.result, result_);
  EXPECT_TRUE(operation.exclusive);
  EXPECT_EQ(entries[3].kind, LogEntryKind::kVote);
  EXPECT_EQ(entries[3].priority, 41u);
  EXPECT_EQ(entries[3].label, "Bid");
  EXPECT_EQ(entries[3].participants, (ShardList{2, 3}));
  EXPECT_TRUE(entries[3].has_transaction);
  EXPECT_EQ(entries[3].transaction, id_of(9));
  EXPECT_EQ(entries[3].answer, "{}");
  EXPECT_EQ(entries[3].keep_ms, 600u);
  EXPECT_EQ(entries[4].kind, LogEntryKind::kOutcome);
  EXPECT_EQ(entries[4].at, Timestamp{1024});
  EXPECT_EQ(entries[5].ids, (std::vector{id_of(2), id_of(3)}));
  EXPECT_EQ(entries[6].kind, LogEntryKind::kAborted);
  EXPECT_EQ(entries[6].expires_wall_ms, 1'700'000'030'000u);
  for (std::size_t i = 7; i < 11; ++i) {
    EXPECT_EQ(entries[i].kind, static_cast<LogEntryKind>(i + 5));
    EXPECT_EQ(entries[i].move.id, "m1");
    EXPECT_EQ(entries[i].move.slots, (SlotRun{100, 16383}));
    EXPECT_EQ(entries[i].move.peer, 3u);
    EXPECT_EQ(entries[i].move.version, 2u);
    const bool has_time = entries[i].kind == LogEntryKind::kGave || entries[i].kind == LogEntryKind::kTook;
    EXPECT_EQ(entries[i].at, has_time ? 2048u : 0u);
  }
  EXPECT_EQ(entries[7].move.piece, 9u);
  EXPECT_TRUE(entries[7].move.complete);
  EXPECT_EQ(entries[7].move.pairs, "pairs");
  EXPECT_EQ(entries[11].kind, LogEntryKind::kSettled);
  EXPECT_EQ(entries[11].move.id, "m1");
}

TEST_F(LogEntries, TruncatedInTheMiddleAreNoLog) {
  const std::string log = whole_log();
  std::size_t whole = 0;
  for (std::size_t bytes = 0; bytes < log.size(); ++bytes) {
    std::vector<std::string_view> parts;
    if (split_log(std::string_view(log).substr(0, bytes), parts)) ++whole;
  }
  EXPECT_EQ(whole, 12u) << "only at the end of an entry, and at the very beginning";
}

TEST_F(LogEntries, WithAnyByteChangedAreReadOrRefusedWithoutACrash) {
  const std::string log = whole_log();
  for (std::size_t at = 0; at < log.size(); ++at) {
    for (const char flip : {'\x01', '\x80', '\xFF'}) {
      std::string damaged = log;
      damaged[at] ^= flip;
      std::vector<std::string_view> parts;
      if (!split_log(damaged, parts)) continue;
      for (const std::string_view part : parts) {
        LogEntry entry;
        decode(part, entry);
      }
    }
  }
}

}  // namespace
}  // namespace claret
