// Frames between two shards: the receiver decodes what the sender added.
#include <gtest/gtest.h>

#include <string>

#include "ground/errors.h"
#include "wire/client_frame.h"
#include "wire/server_frame.h"

namespace claret {
namespace {

AttemptId attempt_id(unsigned char byte) {
  AttemptId id;
  id.fill(byte);
  return id;
}

std::string bytes_of(const AttemptId& id) { return {reinterpret_cast<const char*>(id.data()), id.size()}; }

TEST(FramesBetweenShards, InquiriesAreReadByTheShardThatIsAsked) {
  std::string bytes;
  client_frame::add_header(bytes, 7, 6, 99);
  client_frame::add_hello(bytes, "shard 3", 3);
  client_frame::add_inquiry(bytes, attempt_id(1), 512);
  client_frame::add_inquiry(bytes, attempt_id(2), 0);
  client_frame::add_wound(bytes, attempt_id(3), 41);
  ClientFrame frame;
  ASSERT_TRUE(decode(bytes, frame));
  EXPECT_EQ(frame.sequence, 7u);
  EXPECT_EQ(frame.acknowledged, 6u);
  EXPECT_EQ(frame.incarnation, 99u);
  ASSERT_TRUE(frame.hello);
  EXPECT_EQ(frame.hello->name, "shard 3");
  EXPECT_EQ(frame.hello->shard_plus_one, 4u);
  ASSERT_EQ(frame.inquiries.size(), 2u);
  EXPECT_EQ(frame.inquiries[0].id, bytes_of(attempt_id(1)));
  EXPECT_EQ(frame.inquiries[0].committed_at, Timestamp{512});
  EXPECT_EQ(frame.inquiries[1].committed_at, Timestamp{0});
  ASSERT_EQ(frame.wounds.size(), 1u);
  EXPECT_EQ(frame.wounds[0].id, bytes_of(attempt_id(3)));
  EXPECT_EQ(frame.wounds[0].priority, 41u);
}

TEST(FramesBetweenShards, AnswersAreReadByTheShardThatAsked) {
  std::string bytes;
  server_frame::add_header(bytes, 5, 4);
  server_frame::add_welcome(bytes, {.shard = 2, .incarnation = 12, .session_lease_ms = 5'000});
  server_frame::add_answer(bytes, 1, attempt_id(1), AttemptState::kVoted, 768);
  server_frame::add_answer(bytes, 2, attempt_id(2), AttemptState::kAborted, 0);
  server_frame::FromShard frame;
  ASSERT_TRUE(server_frame::decode(bytes, frame));
  EXPECT_EQ(frame.sequence, 5u);
  EXPECT_TRUE(frame.welcomed);
  EXPECT_EQ(frame.incarnation, 12u);
  EXPECT_FALSE(frame.closing);
  ASSERT_EQ(frame.answers.size(), 2u);
  EXPECT_EQ(frame.answers[0].state, AttemptState::kVoted);
  EXPECT_EQ(frame.answers[0].timestamp, Timestamp{768});
  EXPECT_EQ(frame.answers[0].id, bytes_of(attempt_id(1)));
  EXPECT_EQ(frame.answers[1].state, AttemptState::kAborted);
}

TEST(FramesBetweenShards, AClosingFrameSaysWhy) {
  std::string bytes;
  server_frame::add_header(bytes, 1, 0);
  server_frame::add_closing(bytes, {.code = errors::kSessionLost, .message = "gone"});
  server_frame::FromShard frame;
  ASSERT_TRUE(server_frame::decode(bytes, frame));
  EXPECT_TRUE(frame.closing);
}

TEST(FramesBetweenShards, TruncatedOrDamagedFramesAreReadOrRefusedWithoutACrash) {
  std::string bytes;
  client_frame::add_header(bytes, 7, 6, 99);
  client_frame::add_hello(bytes, "shard 3", 3);
  client_frame::add_inquiry(bytes, attempt_id(1), 512);
  client_frame::add_wound(bytes, attempt_id(3), 41);
  for (std::size_t end = 0; end < bytes.size(); ++end) {
    ClientFrame frame;
    decode(std::string_view(bytes).substr(0, end), frame);
    for (const char flip : {'\x01', '\x80', '\xFF'}) {
      std::string damaged = bytes;
      damaged[end] ^= flip;
      ClientFrame other;
      decode(damaged, other);
    }
  }
}

}  // namespace
}  // namespace claret
