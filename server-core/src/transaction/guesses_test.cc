// Operations with a guess of their result (OperationMessage::guess): it is compared as the request is granted, and left out of the reply.
#include <gtest/gtest.h>

#include "transaction/test_warranted.h"

namespace claret::testing {
namespace {

class Guesses : public ::testing::Test {
 protected:
  static Op guessed(Op op, Value guess) {
    op.guess = std::move(guess);
    return op;
  }
  // The reply to an attempt that adds to "e", if the guess is right.
  Reply reply_to(Op op) { return client_.run(++attempt_, {std::move(op), add("e")}); }

  WarrantingShard shard_;
  TestClient client_ = shard_.client();
  TestClient other_ = shard_.client();
  std::uint64_t attempt_ = 0;
};

TEST_F(Guesses, AreComparedWithTheResultAndLeftOutOfTheReply) {
  other_.run(1, {add("c", 7)});
  const Reply reply = client_.run(++attempt_, {guessed(value("c"), std::int64_t{7}), value("d"), add("e")});
  EXPECT_NE(reply.committed_at, 0u);
  EXPECT_EQ(reply.results.size(), 1u);
}

TEST_F(Guesses, EndTheAttemptWithoutATraceIfTheyAreWrong) {
  other_.run(1, {add("c", 7)});
  for (const Value& wrong : {Value(std::int64_t{6}), Value(7.0), Value("7"), Value(true), Value(), Value(Value::List{std::int64_t{7}})}) {
    const Reply reply = reply_to(guessed(value("c"), wrong));
    EXPECT_EQ(reply.error, "warranty_changed");
    EXPECT_TRUE(reply.retryable);
  }
  EXPECT_EQ(client_.native(value("e")).integer(), 0);
}

TEST_F(Guesses, AreOfTheStateBeforeTheirAttempt) {
  const Reply reply = client_.run(++attempt_, {add("c", 5), guessed(value("c"), std::int64_t{0})});
  EXPECT_NE(reply.committed_at, 0u);
}

TEST_F(Guesses, AreOfOperationsThatChangeNothing) { EXPECT_EQ(reply_to(guessed(add("c"), Value())).error, "invalid_attempt"); }

}  // namespace
}  // namespace claret::testing
