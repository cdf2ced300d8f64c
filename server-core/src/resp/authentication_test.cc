#include <gtest/gtest.h>

#include <string>

#include "resp/test_client.h"

namespace claret::resp {
namespace {

const std::string kWrong = "-WRONGPASS invalid username-password pair or user is disabled.\r\n";
const std::string kStranger = "-NOAUTH Authentication required.\r\n";
const std::string kStrangersHello =
    "-NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO AUTH <user> <pass> option can be used to "
    "authenticate the client and select the RESP protocol version at the same time\r\n";

std::string greeting(int protocol, std::string_view mode = "standalone") {
  return (protocol == 3 ? "%7" : "*14") +
         std::string("\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nversion\r\n$6\r\n7.0.15\r\n$5\r\nproto\r\n:") + std::to_string(protocol) +
         "\r\n$2\r\nid\r\n:1\r\n$4\r\nmode\r\n$" + std::to_string(mode.size()) + "\r\n" + std::string(mode) +
         "\r\n$4\r\nrole\r\n$6\r\nmaster\r\n$7\r\nmodules\r\n*0\r\n";
}

TEST(RespAuthentication, IsAskedForBeforeAnythingElse) {
  TestClient client("token");
  EXPECT_EQ(client.ask("PING\nGET a\nMULTI\nCLIENT ID\n"), kStranger + kStranger + kStranger + kStranger);
  EXPECT_EQ(client.ask("foo\nGET\n"),
            "-ERR unknown command 'foo', with args beginning with: \r\n-ERR wrong number of arguments for 'get' command\r\n");
  EXPECT_EQ(client.ask("EXEC\n"), "-EXECABORT Transaction discarded because of: NOAUTH Authentication required.\r\n");
  EXPECT_EQ(client.ask("RESET\n"), "+RESET\r\n");
  EXPECT_TRUE(client.backend.ran.empty());
  EXPECT_EQ(client.ask("QUIT\n"), "+OK\r\n");
}

TEST(RespAuthentication, TakesATokenWithOrWithoutTheUser) {
  for (const auto line : {"AUTH token\n", "AUTH default token\n"}) {
    TestClient client("token");
    EXPECT_EQ(client.ask(std::string(line) + "PING\n"), "+OK\r\n+PONG\r\n");
    EXPECT_EQ(client.ask("AUTH x\nPING\n"), kWrong + "+PONG\r\n");
    EXPECT_EQ(client.ask("RESET\nPING\n"), "+RESET\r\n" + kStranger);
  }
  TestClient client("token");
  EXPECT_EQ(client.ask("AUTH x\nAUTH default x\nAUTH other token\nAUTH a b c\nPING\n"),
            kWrong + kWrong + kWrong + "-ERR syntax error\r\n" + kStranger);
}

TEST(RespAuthentication, IsForEverybodyWithoutAPassword) {
  TestClient client;
  EXPECT_EQ(
      client.ask("AUTH x\n"),
      "-ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?\r\n");
  EXPECT_EQ(client.ask("AUTH default x\nAUTH other x\n"), "+OK\r\n" + kWrong);
}

TEST(RespAuthentication, LiftsTheLimitsOfStrangers) {
  TestClient client("token");
  EXPECT_EQ(client.ask("AUTH token\n*11\r\n"), "+OK\r\n");
  EXPECT_FALSE(client.connection->closing());
  EXPECT_EQ(TestClient("token").ask("*11\r\n"), "-ERR Protocol error: unauthenticated multibulk length\r\n");
}

TEST(RespAuthentication, OfHelloChoosesTheProtocolToo) {
  TestClient client("token");
  EXPECT_EQ(client.ask("HELLO\nHELLO 3\n"), kStrangersHello + kStrangersHello);
  EXPECT_EQ(client.ask("HELLO 3 AUTH default x\nGET a\n"), kWrong + kStranger);
  EXPECT_EQ(client.ask("HELLO 3 AUTH default token SETNAME me\nCLIENT GETNAME\nGET a\n"), greeting(3) + "$2\r\nme\r\n_\r\n");
  EXPECT_EQ(client.ask("HELLO\nHELLO 2\nGET a\n"), greeting(3) + greeting(2) + "$-1\r\n");
}

TEST(RespAuthentication, OfHelloRefusesWhatRedisRefuses) {
  TestClient client;
  EXPECT_EQ(client.ask("HELLO 4\n"), "-NOPROTO unsupported protocol version\r\n");
  EXPECT_EQ(client.ask("HELLO x\n"), "-ERR Protocol version is not an integer or out of range\r\n");
  EXPECT_EQ(client.ask("HELLO 3 AUTH default\n"), "-ERR Syntax error in HELLO option 'AUTH'\r\n");
  EXPECT_EQ(client.ask("HELLO 3 foo\n"), "-ERR Syntax error in HELLO option 'foo'\r\n");
  EXPECT_EQ(client.ask("HELLO 3 SETNAME 'a b'\n"), "-ERR Client names cannot contain spaces, newlines or special characters.\r\n");
  EXPECT_EQ(client.ask("GET a\n"), "$-1\r\n");
}

TEST(RespAuthentication, OfHelloTellsOfACluster) {
  TestClient client;
  client.backend.in_cluster = true;
  EXPECT_EQ(client.ask("HELLO 2\n"), greeting(2, "cluster"));
}

}  // namespace
}  // namespace claret::resp
