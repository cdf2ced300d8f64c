// Batches at one of their shards: when they vote, and when they are refused.
#include <gtest/gtest.h>

#include <algorithm>

#include "transaction/test_batches.h"

namespace claret::testing {
namespace {

class Batches : public BatchTest {};

// ---- votes

TEST_F(Batches, VoteAtOnceAndCommitAtTheOutcomesTime) {
  client.member(1, {add(k, 5), set_add(j, "x")}, {.turn = 1}).member(2, {value(k), add(k, 1)}).send();
  EXPECT_EQ(client.seen.result(2), number(5));
  const Timestamp at = vote({.attempt = 100, .members = {1, 2}}).voted_at;
  ASSERT_NE(at, 0u);
  EXPECT_TRUE(is_taken(k));
  EXPECT_EQ(totals().commits, 0u);
  const Timestamp time = HybridClock::after(at, 1000);
  commit(100, time);
  const Record* record = shard().engine().ground.records.find(k);
  EXPECT_EQ(record->last_commit, HybridClock::after(time, 1)) << "the second member is a tick later";
  EXPECT_EQ(committed(k), 6);
  EXPECT_GT(other.run(1, {add(k, 1)}).committed_at, time);
  EXPECT_EQ(asked(100).state, AttemptState::kCommitted);
  EXPECT_EQ(asked(100).timestamp, time);
  EXPECT_EQ(totals().batches, 1u);
  EXPECT_EQ(totals().batch_members, 2u);
  EXPECT_EQ(client.seen.broken_by(), "");
  expect_clean({k, j});
}

TEST_F(Batches, CountTheirMembersAsCommits) {
  client.member(1, {add(k)}, {.turn = 1}).member(2, {add(k)}, {.turn = 1}).member(3, {add(k)}).send();
  commit(100, vote({.attempt = 100, .members = {1, 2, 3}}).voted_at);
  EXPECT_EQ(totals().begun, 3u);
  EXPECT_EQ(totals().commits, 3u);
}

TEST_F(Batches, CommitAtTheGreatestVoteOfTheirShards) {
  client.member(1, {add(k, 5)}, {.turn = 1}).send();
  there.member(1, {add(far, 7)}, {.turn = 1}).send();
  const Timestamp here = vote({.attempt = 100, .members = {1}}).voted_at;
  there.batch({.attempt = 100, .members = {1}}).send();
  ASSERT_EQ(there.replies.size(), 1u);
  const Timestamp at = std::max(here, there.replies[0].voted_at);
  commit(100, at);
  there.commit_outcome(100, at).send();
  EXPECT_EQ(shard().engine().ground.records.find(k)->last_commit, at);
  EXPECT_EQ(shard(1).engine().ground.records.find(far)->last_commit, at);
}

TEST_F(Batches, AnswersTellTheClockIfTheyAreToBeTimed) {
  client.member(1, {add(k, 5)}, {.turn = 1}).member(2, {value(k)}, {.timed = true}).member(3, {value(k)}, {.turn = 1}).send();
  EXPECT_EQ(client.seen.reply(2).at, shard().engine().ground.clock.reached());
  EXPECT_EQ(client.seen.reply(3).at, 0u);
}

TEST_F(Batches, FollowEachOtherWithOutcomeAndVoteInOneFrame) {
  Timestamp at = voted({add(k, 5)});
  for (std::uint64_t n = 2; n <= 4; ++n) {
    send_wide(n, {value(k), add(k, 1)});
    EXPECT_EQ(client.seen.result(n), number(static_cast<std::int64_t>(3 + n))) << "above the batch that has voted";
    EXPECT_TRUE(client.seen.reply(n).above);
    client.commit_outcome(98 + n, at);
    at = vote({.attempt = 99 + n, .members = {n}}).voted_at;
    ASSERT_NE(at, 0u);
  }
  commit(103, at);
  EXPECT_EQ(committed(k), 8);
  expect_clean({k});
}

TEST_F(Batches, TakeOnlyTheFirstMembersAndLeaveTheOthers) {
  client.member(1, {add(k, 5)}, {.turn = 1}).member(2, {value(k)}).send();
  commit(100, vote({.attempt = 100, .members = {1}}).voted_at);
  client.word({2}).send();
  EXPECT_NE(client.seen.committed_at(2), 0u);
  expect_clean({k});
}

TEST_F(Batches, ThatObserveOnlyHoldWhatTheySawUntilTheirOutcome) {
  other.run(1, {add(k, 5)});
  send_wide(1, {value(k)});
  const Timestamp at = vote({.attempt = 100, .members = {1}, .observes_only = true}).voted_at;
  EXPECT_EQ(other.run(2, {add(k, 1)}).committed_at, 0u);
  commit(100, HybridClock::after(at, 1000));
  other.read();
  ASSERT_EQ(other.replies.size(), 1u);
  EXPECT_GT(other.replies[0].committed_at, HybridClock::after(at, 1000));
}

// ---- refusals

TEST_F(Batches, AreRefusedIfAMemberIsMissing) {
  client.member(1, {add(k, 5)}, {.turn = 1}).member(2, {value(k)}, {.turn = 1}).send();
  expect_refused(vote({.attempt = 100, .members = {2}}), 100);
  EXPECT_EQ(committed(k), 0);
  expect_clean({});
}

TEST_F(Batches, AreRefusedIfTheyNameNobodyOrMoreThanThereAre) {
  expect_refused(vote({.attempt = 100, .members = {1}}), 100);
  client.seen.broken.clear();
  client.member(1, {add(k, 5)}, {.chain = 2, .turn = 1}).send();
  vote({.attempt = 101, .members = {}, .chain = 2});
  EXPECT_EQ(client.seen.broken_by(2), "chain_broken");
  client.member(1, {add(k, 5)}, {.chain = 3, .turn = 1}).send();
  vote({.attempt = 102, .members = {1, 2}, .chain = 3});
  EXPECT_EQ(client.seen.broken_by(3), "chain_broken");
  expect_clean({});
}

TEST_F(Batches, AreRefusedIfAnAnswerIsStale) {
  client.member(1, {add(k, 5)}, {.turn = 1}).member(2, {value(k)}, {.turn = 1}).send();
  client.withdraw(1).batch({.attempt = 100, .members = {2}, .answers = 2}).send();
  expect_refused(client.replies.at(0), 100);
}

TEST_F(Batches, AreRefusedIfAMemberEndsByItself) {
  client.member(1, {add(k, 5)}, {.turn = 1}).member(2, {add(k)}, {.ends = true}).member(3, {value(k)}, {.turn = 1}).send();
  expect_refused(vote({.attempt = 100, .members = {1, 2, 3}}), 100);
}

TEST_F(Batches, AreRefusedIfAMemberThatEndsIsBetweenTheirs) {
  client.member(1, {add(k, 5)}, {.turn = 1}).member(2, {add(k)}, {.ends = true}).member(3, {value(k)}, {.turn = 1}).send();
  expect_refused(vote({.attempt = 100, .members = {1, 3}}), 100);
  expect_clean({});
}

TEST_F(Batches, AreRefusedWhileAnotherOneIsUndecided) {
  const Timestamp at = voted({add(k, 5)});
  send_wide(2, {value(k)});
  expect_refused(vote({.attempt = 101, .members = {2}}), 101);
  EXPECT_EQ(asked(100).state, AttemptState::kVoted) << "that one stays";
  commit(100, at);
  EXPECT_EQ(committed(k), 5);
}

TEST_F(Batches, AreRefusedIfAMemberWasAskedAbout) {
  send_wide(1, {add(k, 5)});
  EXPECT_EQ(asked(member_attempt(1)).state, AttemptState::kAborted);
  expect_refused(vote({.attempt = 100, .members = {1}}), 100);
}

TEST_F(Batches, AreRefusedIfAMemberHasExpired) {
  client.member(1, {add(k, 5)}, {.expires_in_ms = 10, .turn = 1}).send();
  world.tick(11);
  expect_refused(vote({.attempt = 100, .members = {1}}), 100);
}

TEST_F(Batches, AreRefusedAfterAnInquiry) {
  send_wide(1, {add(k, 5)});
  EXPECT_EQ(asked(100).state, AttemptState::kAborted);
  expect_refused(vote({.attempt = 100, .members = {1}}), 100, "invalid_attempt");
  expect_clean({});
}

TEST_F(Batches, NeverVoteAfterTheyWereRefused) {
  send_wide(1, {add(k, 5)});
  expect_refused(vote({.attempt = 100, .members = {2}}), 100);
  client.member(1, {add(k, 5)}, {.chain = 2, .turn = 1}).send();
  EXPECT_EQ(vote({.attempt = 100, .members = {1}, .chain = 2}).error, "invalid_attempt");
  EXPECT_EQ(client.seen.broken_by(2), "chain_broken");
}

TEST_F(Batches, OfABrokenChainAreRefused) {
  send_wide(1, {add(k, 5)});
  client.word({7}).send();
  EXPECT_EQ(vote({.attempt = 100, .members = {1}}).error, "chain_broken");
  EXPECT_EQ(client.seen.broken.size(), 1u) << "it was told already";
  EXPECT_EQ(asked(100).state, AttemptState::kAborted);
}

TEST_F(Batches, OfAnOlderChainAreRefusedAndTheNewOneStays) {
  send_wide(1, {add(k, 5)});
  client.member(1, {add(k, 5)}, {.chain = 2, .turn = 1}).send();
  EXPECT_EQ(vote({.attempt = 100, .members = {1}}).error, "chain_broken");
  EXPECT_EQ(client.seen.broken_by(2), "");
  EXPECT_NE(vote({.attempt = 101, .members = {1}, .chain = 2}).voted_at, 0u);
}

TEST_F(Batches, AreRefusedWithoutOtherParticipantsAndWithOperations) {
  send_wide(1, {add(k, 5)});
  expect_refused(vote({.attempt = 100, .members = {1}, .participants = {0}}), 100, "invalid_attempt");
  client.member(1, {add(k, 5)}, {.chain = 2, .turn = 1}).send();
  EXPECT_EQ(vote({.attempt = 101, .members = {1}, .chain = 2, .participants = {0, 7}}).error, "invalid_attempt");
}

TEST_F(Batches, AreRefusedIfTheirVoteWouldBeTooLate) {
  send_wide(1, {add(k, 5)});
  expect_refused(vote({.attempt = 100, .members = {1}, .not_after = 1}), 100, "expired");
  EXPECT_EQ(committed(k), 0);
}

TEST_F(Batches, AreRefusedIfAClockIsSkewed) {
  send_wide(1, {add(k, 5)});
  shard().set_skewed({1});
  expect_refused(vote({.attempt = 100, .members = {1}}), 100, "clock_skew");
}

TEST_F(Batches, AreRefusedBeyondTheirNumberOfOperations) {
  std::vector<std::uint64_t> members;
  for (std::uint64_t n = 1; n <= limits::kOperationsPerBatchMax / 256 + 1; ++n) {
    std::vector<Op> operations;
    for (int i = 0; i < 256; ++i) operations.push_back(add(key_on(0, "many" + std::to_string(n % 8))));
    client.member(n, std::move(operations), {.turn = 1}).send();
    members.push_back(n);
  }
  world.tick(0);
  client.read();
  expect_refused(vote({.attempt = 100, .members = members}), 100, "too_many_operations");
}

TEST_F(Batches, SayThatTheChainIsBrokenBeforeTheReply) {
  send_wide(1, {add(k, 5)});
  client.bytes_seen.clear();
  vote({.attempt = 100, .members = {2}});
  protozero::pbf_reader frame(client.bytes_seen);
  std::vector<unsigned> tags;
  while (frame.next()) {
    tags.push_back(frame.tag());
    frame.skip();
  }
  const auto broken = std::find(tags.begin(), tags.end(), 15u);
  EXPECT_NE(broken, tags.end());
  EXPECT_NE(std::find(broken, tags.end(), 4u), tags.end());
}

TEST_F(Batches, CannotBeWordedAround) {
  const Timestamp at = voted({add(k, 5)});
  client.member(2, {add(k)}).send();
  client.word({2}).send();
  EXPECT_EQ(client.seen.broken_by(), "chain_broken") << "the batch before it is undecided";
  commit(100, at);
  EXPECT_EQ(committed(k), 5);
}

}  // namespace
}  // namespace claret::testing
