#include "resp/reply_writer.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

namespace claret::resp {
namespace {

std::string written(int protocol, const std::function<void(ReplyWriter&)>& write) {
  std::string out;
  ReplyWriter reply(out);
  reply.speak(protocol);
  write(reply);
  return out;
}

// What is the same in both versions.
std::string written(const std::function<void(ReplyWriter&)>& write) {
  EXPECT_EQ(written(2, write), written(3, write));
  return written(2, write);
}

TEST(RespReplies, AreTheSameInBothVersionsWhereTheyCanBe) {
  EXPECT_EQ(written([](auto& reply) { reply.ok(); }), "+OK\r\n");
  EXPECT_EQ(written([](auto& reply) { reply.integer(0); }), ":0\r\n");
  EXPECT_EQ(written([](auto& reply) { reply.integer(std::numeric_limits<std::int64_t>::min()); }), ":-9223372036854775808\r\n");
  EXPECT_EQ(written([](auto& reply) { reply.bulk(""); }), "$0\r\n\r\n");
  EXPECT_EQ(written([](auto& reply) { reply.bulk("a\r\nb"); }), "$4\r\na\r\nb\r\n");
  EXPECT_EQ(written([](auto& reply) { reply.bulk_integer(-120); }), "$4\r\n-120\r\n");
  EXPECT_EQ(written([](auto& reply) { reply.array(2); }), "*2\r\n");
  EXPECT_EQ(written([](auto& reply) { reply.raw(":1\r\n:2\r\n"); }), ":1\r\n:2\r\n");
}

TEST(RespReplies, OfVersionThreeHaveKindsOfTheirOwn) {
  const auto both = [](const std::function<void(ReplyWriter&)>& write) { return written(2, write) + "|" + written(3, write); };
  EXPECT_EQ(both([](auto& reply) { reply.null(); }), "$-1\r\n|_\r\n");
  EXPECT_EQ(both([](auto& reply) { reply.null_array(); }), "*-1\r\n|_\r\n");
  EXPECT_EQ(both([](auto& reply) { reply.map(3); }), "*6\r\n|%3\r\n");
  EXPECT_EQ(both([](auto& reply) { reply.unordered(3); }), "*3\r\n|~3\r\n");
  EXPECT_EQ(both([](auto& reply) { reply.push(3); }), "*3\r\n|>3\r\n");
  EXPECT_EQ(both([](auto& reply) { reply.boolean(true); }), ":1\r\n|#t\r\n");
  EXPECT_EQ(both([](auto& reply) { reply.boolean(false); }), ":0\r\n|#f\r\n");
  EXPECT_EQ(both([](auto& reply) { reply.real(0.1); }), "$19\r\n0.10000000000000001\r\n|,0.10000000000000001\r\n");
  EXPECT_EQ(both([](auto& reply) { reply.real(-std::numeric_limits<double>::infinity()); }), "$4\r\n-inf\r\n|,-inf\r\n");
  EXPECT_EQ(both([](auto& reply) { reply.verbatim("txt", "a\r\n"); }), "$3\r\na\r\n\r\n|=7\r\ntxt:a\r\n\r\n");
}

TEST(RespReplies, ThatAreErrorsHaveOneLine) {
  EXPECT_EQ(written([](auto& reply) { reply.error("ERR a\r\nb\nc\r\n"); }), "-ERR a  b c\r\n");
}

TEST(RespReplies, AreDroppedWhileMuted) {
  EXPECT_EQ(written([](auto& reply) {
              reply.mute(true);
              reply.ok();
              reply.error("ERR a");
              reply.bulk("b");
              reply.map(1);
              reply.mute(false);
              reply.integer(1);
            }),
            ":1\r\n");
}

}  // namespace
}  // namespace claret::resp
