#include <gtest/gtest.h>

#include <string>

#include "resp/test_client.h"

namespace claret::resp {
namespace {

const std::string kAborted = "-EXECABORT Transaction discarded because of previous errors.\r\n";

TEST(RespTransactions, RunWhatWasQueued) {
  TestClient client;
  EXPECT_EQ(client.ask("MULTI\nSET a 1\nGET a\nPING x\n"), "+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n");
  EXPECT_TRUE(client.backend.values.empty());
  EXPECT_EQ(client.ask("EXEC\nGET a\n"), "*3\r\n+OK\r\n$1\r\n1\r\n$1\r\nx\r\n$1\r\n1\r\n");
  EXPECT_EQ(client.ask("MULTI\nEXEC\nEXEC\n"), "+OK\r\n*0\r\n-ERR EXEC without MULTI\r\n");
}

TEST(RespTransactions, MayChangeTheirConnection) {
  TestClient client;
  const std::string replies = client.ask("MULTI\nGET a\nHELLO 3\nGET a\nCLIENT SETNAME me\nEXEC\nCLIENT GETNAME\n");
  EXPECT_NE(replies.find("*4\r\n$-1\r\n%7\r\n"), std::string::npos) << replies;
  EXPECT_TRUE(replies.ends_with("_\r\n+OK\r\n$2\r\nme\r\n")) << replies;
}

TEST(RespTransactions, AreDroppedByDiscard) {
  TestClient client;
  EXPECT_EQ(client.ask("MULTI\nSET a 1\nDISCARD\nGET a\nDISCARD\n"), "+OK\r\n+QUEUED\r\n+OK\r\n$-1\r\n-ERR DISCARD without MULTI\r\n");
}

TEST(RespTransactions, AreDroppedByReset) {
  TestClient client;
  EXPECT_EQ(client.ask("MULTI\nSET a 1\nRESET\nEXEC\nGET a\n"), "+OK\r\n+QUEUED\r\n+RESET\r\n-ERR EXEC without MULTI\r\n$-1\r\n");
}

TEST(RespTransactions, AreAbortedIfACommandCouldNotBeQueued) {
  for (const auto line : {"foo", "GET", "CLIENT foo", "DISCARD a", "MULTI a", "WATCH"}) {
    TestClient client;
    client.ask("MULTI\nSET a 1\n" + std::string(line) + "\n");
    EXPECT_EQ(client.ask("EXEC\nEXEC\nGET a\n"), kAborted + "-ERR EXEC without MULTI\r\n$-1\r\n") << line;
  }
}

TEST(RespTransactions, AreNotAbortedByMultiOrWatchInside) {
  TestClient client;
  EXPECT_EQ(client.ask("MULTI\nMULTI\nWATCH a\nPING\nEXEC\n"),
            "+OK\r\n-ERR MULTI calls can not be nested\r\n-ERR WATCH inside MULTI is not allowed\r\n+QUEUED\r\n*1\r\n+PONG\r\n");
}

TEST(RespTransactions, EndWithAnExecOfTheWrongArity) {
  TestClient client;
  EXPECT_EQ(client.ask("MULTI\nPING\nEXEC a\nEXEC\n"),
            "+OK\r\n+QUEUED\r\n-EXECABORT Transaction discarded because of: wrong number of arguments for 'exec' command\r\n"
            "-ERR EXEC without MULTI\r\n");
}

TEST(RespTransactions, DependOnWatchedKeys) {
  TestClient client;
  EXPECT_EQ(client.ask("WATCH a b\nSET b 1\nMULTI\nPING\nEXEC\n"), "+OK\r\n+OK\r\n+OK\r\n+QUEUED\r\n*-1\r\n");
  EXPECT_EQ(client.ask("MULTI\nPING\nEXEC\n"), "+OK\r\n+QUEUED\r\n*1\r\n+PONG\r\n") << "EXEC ends the watch";
  EXPECT_EQ(client.ask("WATCH a\nSET b 2\nMULTI\nPING\nEXEC\n"), "+OK\r\n+OK\r\n+OK\r\n+QUEUED\r\n*1\r\n+PONG\r\n");
  EXPECT_EQ(client.ask("WATCH b\nSET b 3\nUNWATCH\nMULTI\nPING\nEXEC\n"), "+OK\r\n+OK\r\n+OK\r\n+OK\r\n+QUEUED\r\n*1\r\n+PONG\r\n");
  EXPECT_EQ(client.ask("WATCH b\nSET b 4\nMULTI\nDISCARD\nMULTI\nEXEC\n"), "+OK\r\n+OK\r\n+OK\r\n+OK\r\n+OK\r\n*0\r\n");
  EXPECT_EQ(client.ask("WATCH b\nSET b 5\nWATCH b\nMULTI\nEXEC\n"), "+OK\r\n+OK\r\n+OK\r\n+OK\r\n*-1\r\n") << "the first version counts";
  client.ask("HELLO 3\n");
  EXPECT_EQ(client.ask("WATCH b\nSET b 6\nMULTI\nEXEC\n"), "+OK\r\n+OK\r\n+OK\r\n_\r\n");
}

TEST(RespTransactions, MayWait) {
  TestClient client;
  client.backend.waits = true;
  EXPECT_EQ(client.ask("WATCH a\nMULTI\nSET a 1\nPING\nEXEC\nPING\nEXEC\n"), "+OK\r\n+OK\r\n+QUEUED\r\n+QUEUED\r\n");
  client.backend.answer_next();
  EXPECT_EQ(client.output(), "*2\r\n+OK\r\n+PONG\r\n+PONG\r\n-ERR EXEC without MULTI\r\n");
}

TEST(RespTransactions, KeepNoViewsOfTheInput) {
  TestClient client;
  for (const std::string bytes : {"MULTI\n", "SET a 1234567890123456789012345678901234567890\n", "GET a\n"}) client.ask(bytes);
  EXPECT_EQ(client.ask("EXEC\n"), "*2\r\n+OK\r\n$40\r\n1234567890123456789012345678901234567890\r\n");
}

TEST(RespTransactions, HaveALimit) {
  ConnectionOptions options;
  options.limits.queued_commands = 2;
  options.limits.watched_keys = 2;
  TestClient client("", options);
  EXPECT_EQ(client.ask("MULTI\nPING\nPING\nPING\nEXEC\n"),
            "+OK\r\n+QUEUED\r\n+QUEUED\r\n-ERR too many commands queued by MULTI\r\n" + kAborted);
  EXPECT_EQ(client.ask("WATCH a b\nWATCH c\n"), "+OK\r\n-ERR too many keys watched\r\n");
}

TEST(RespTransactions, DropNoRepliesThatExecAnnounces) {
  TestClient client;
  for (const std::string mode : {"SKIP", "OFF", "ON"}) {
    EXPECT_EQ(client.ask("MULTI\nCLIENT REPLY " + mode + "\nPING\nEXEC\nPING\n"),
              "+OK\r\n-ERR Command not allowed inside a transaction\r\n+QUEUED\r\n" + kAborted + "+PONG\r\n");
  }
}

}  // namespace
}  // namespace claret::resp
