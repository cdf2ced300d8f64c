#include "resp/connection.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "resp/test_client.h"

namespace claret::resp {
namespace {

TEST(RespConnection, RunsCommandsInOrder) {
  TestClient client;
  EXPECT_EQ(client.ask("GET a\nSET a 1\nGET a\nPING\nPING x\nECHO y\n"), "$-1\r\n+OK\r\n$1\r\n1\r\n+PONG\r\n$1\r\nx\r\n$1\r\ny\r\n");
}

TEST(RespConnection, SaysWhatIsWrongWithACommandAsRedisDoes) {
  TestClient client;
  EXPECT_EQ(client.ask("foo\n"), "-ERR unknown command 'foo', with args beginning with: \r\n");
  EXPECT_EQ(client.ask("foo a 'b c' \"d\\r\\n\"\n"), "-ERR unknown command 'foo', with args beginning with: 'a' 'b c' 'd  ' \r\n");
  EXPECT_EQ(client.ask("\"x\\x00y\" \"a\\x00b\"\n"), "-ERR unknown command 'x', with args beginning with: 'a' \r\n");
  EXPECT_EQ(client.ask("GeT\n"), "-ERR wrong number of arguments for 'get' command\r\n");
  EXPECT_EQ(client.ask("CLIENT\n"), "-ERR wrong number of arguments for 'client' command\r\n");
  EXPECT_EQ(client.ask("CLIENT SETNAME\n"), "-ERR wrong number of arguments for 'client|setname' command\r\n");
  EXPECT_EQ(client.ask("client Foo x\n"), "-ERR unknown subcommand 'Foo'. Try CLIENT HELP.\r\n");
  EXPECT_EQ(client.ask("ping a b\n"), "-ERR wrong number of arguments for 'ping' command\r\n");
}

TEST(RespConnection, QuotesAtMost128BytesOfAnUnknownCommand) {
  const auto quoted = [](const std::string& first) {
    TestClient client;
    return client.ask("foo " + first + " bcd e\n");
  };
  const std::string begin = "-ERR unknown command 'foo', with args beginning with: '";
  EXPECT_EQ(quoted(std::string(300, 'a')), begin + std::string(128, 'a') + "' \r\n");
  EXPECT_EQ(quoted(std::string(125, 'a')), begin + std::string(125, 'a') + "' \r\n");
  EXPECT_EQ(quoted(std::string(124, 'a')), begin + std::string(124, 'a') + "' 'b' \r\n");
  TestClient client;
  EXPECT_EQ(client.ask(std::string(200, 'y') + "\n"),
            "-ERR unknown command '" + std::string(128, 'y') + "', with args beginning with: \r\n");
}

TEST(RespConnection, GoesOnBehindACommandThatIsTooLarge) {
  TestClient client;
  std::string bytes = "MULTI\r\n*4097\r\n";
  for (int i = 0; i < 4097; ++i) bytes += "$1\r\na\r\n";
  EXPECT_EQ(client.ask(bytes + "EXEC\r\nPING\r\n"),
            "+OK\r\n-ERR more than 4096 arguments\r\n-EXECABORT Transaction discarded because of previous errors.\r\n+PONG\r\n");
  EXPECT_FALSE(client.connection->closing());
}

TEST(RespConnection, ClosesAfterABrokenProtocol) {
  TestClient client;
  EXPECT_EQ(client.ask("PING\n*1\r\nfoo\r\nPING\n"), "+PONG\r\n-ERR Protocol error: expected '$', got 'f'\r\n");
  EXPECT_TRUE(client.connection->closing());
  EXPECT_FALSE(client.connection->wants_input());
  EXPECT_EQ(client.ask("PING\n"), "");
}

TEST(RespConnection, ClosesWithoutAWordOnARequestOfABrowser) {
  for (const auto line : {"POST / HTTP/1.1\r\n", "Host: localhost\r\n", "*1\r\n$4\r\npost\r\n"}) {
    TestClient client;
    EXPECT_EQ(client.ask(std::string(line) + "PING\n"), "");
    EXPECT_TRUE(client.connection->closing()) << line;
  }
}

TEST(RespConnection, ClosesOnQuit) {
  TestClient client;
  EXPECT_EQ(client.ask("QUIT now\nPING\n"), "+OK\r\n");
  EXPECT_TRUE(client.connection->closing());
}

TEST(RespConnection, RunsNothingBehindACommandThatWaits) {
  TestClient client;
  client.backend.waits = true;
  EXPECT_EQ(client.ask("PING\nSET a 1\nPING\nGET a\nPI"), "+PONG\r\n");
  EXPECT_TRUE(client.connection->waits());
  EXPECT_EQ(client.ask("NG\n"), "");
  EXPECT_EQ(client.backend.ran, std::vector<std::string>{"set"});
  client.backend.answer_next();
  EXPECT_EQ(client.output(), "+OK\r\n+PONG\r\n");
  client.backend.answer_next();
  EXPECT_EQ(client.output(), "$1\r\n1\r\n+PONG\r\n");
  EXPECT_FALSE(client.connection->waits());
}

TEST(RespConnection, WantsNoInputOnceEnoughIsKept) {
  ConnectionOptions options;
  options.limits.kept_input = 20;
  TestClient client("", options);
  client.backend.waits = true;
  client.ask("SET a 1\nPING\n");
  EXPECT_TRUE(client.connection->wants_input());
  client.ask("ECHO abcdefghijkl\n");
  EXPECT_FALSE(client.connection->wants_input());
  client.backend.answer_next();
  EXPECT_TRUE(client.connection->wants_input());
  EXPECT_EQ(client.output(), "+OK\r\n+PONG\r\n$12\r\nabcdefghijkl\r\n");
}

TEST(RespConnection, RunsNothingWhileTooMuchOutputIsLeft) {
  ConnectionOptions options;
  options.limits.output = 10;
  TestClient client("", options);
  EXPECT_EQ(client.ask("ECHO a\nECHO b\nECHO c\n"), "$1\r\na\r\n$1\r\nb\r\n");
  client.connection->drained();
  EXPECT_EQ(client.output(), "$1\r\nc\r\n");
  client.connection->take("ECHO a\nECHO b\nECHO c\n");
  EXPECT_FALSE(client.connection->wants_input());
}

TEST(RespConnection, DropsRepliesThatAreNotWanted) {
  TestClient client;
  EXPECT_EQ(client.ask("CLIENT REPLY OFF\nPING\nfoo\nGET\nSET a 1\nCLIENT REPLY SKIP\nPING\nCLIENT REPLY ON\nGET a\n"),
            "+OK\r\n$1\r\n1\r\n");
  EXPECT_EQ(client.ask("CLIENT REPLY SKIP\nPING\nPING\n"), "+PONG\r\n");
  EXPECT_EQ(client.ask("CLIENT REPLY SKIP\nCLIENT REPLY SKIP\nPING\nPING\n"), "+PONG\r\n");
  EXPECT_EQ(client.ask("CLIENT REPLY OFF\nRESET\nPING\n"), "+RESET\r\n+PONG\r\n");
  EXPECT_EQ(client.ask("CLIENT REPLY maybe\n"), "-ERR syntax error\r\n");
  client.backend.waits = true;
  EXPECT_EQ(client.ask("CLIENT REPLY SKIP\nGET a\nGET a\n"), "");
  client.backend.answer_next();
  client.backend.answer_next();
  EXPECT_EQ(client.output(), "$1\r\n1\r\n");
}

TEST(RespConnection, LeavesCommandsToTheBackendThatReplaceItsOwn) {
  constexpr CommandSpec kData[] = {{.name = "dbsize", .arity = 1}, {.name = "get", .arity = 2}};
  const CommandTable table(kData);
  TestBackend backend;
  Connection connection(table, backend, {});
  connection.take("DBSIZE\nPING\n");
  EXPECT_EQ(backend.ran, std::vector<std::string>{"dbsize"});
}

TEST(RespConnection, LetsTheBackendRefuse) {
  TestClient client;
  client.backend.refused = "there";
  EXPECT_EQ(client.ask("GET there\nGET here\n"), "-MOVED 1 elsewhere:1\r\n$-1\r\n");
  EXPECT_EQ(client.ask("MULTI\nGET there\nEXEC\n"),
            "+OK\r\n-MOVED 1 elsewhere:1\r\n-EXECABORT Transaction discarded because of previous errors.\r\n");
  EXPECT_EQ(client.backend.ran, std::vector<std::string>{"get"});
}

TEST(RespConnection, SurvivesRandomCommands) {
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  constexpr std::string_view kWords[] = {"PING",    "MULTI", "EXEC",   "DISCARD", "WATCH",   "a",       "b",
                                         "GET",     "SET",   "CLIENT", "REPLY",   "ON",      "OFF",     "SKIP",
                                         "HELLO",   "2",     "3",      "AUTH",    "x",       "default", "RESET",
                                         "COMMAND", "DOCS",  "INFO",   "LIST",    "CONFIG",  "*",       "SETNAME",
                                         "ID",      "\r\n",  "WAIT",   "0",       "CLUSTER", "GETKEYS", "SLOTS",
                                         "HELP",    "TYPE",  "ECHO",   "",        "UNWATCH", "SELECT",  "object|encoding"};
  for (int round = 0; round < 300; ++round) {
    TestClient client(random() % 3 == 0 ? "x" : "");
    client.backend.in_cluster = random() % 2 == 0;
    client.backend.view.nodes.push_back({std::string(40, 'a'), "host", 1, true, {{0, 100}}});
    for (int i = 0; i < 60 && !client.connection->closing(); ++i) {
      client.backend.waits = random() % 4 == 0;
      std::string bytes;
      const std::size_t words = random() % 5 + 1;
      bytes += "*" + std::to_string(words) + "\r\n";
      for (std::size_t word = 0; word < words; ++word) {
        const auto text = kWords[random() % std::size(kWords)];
        bytes += "$" + std::to_string(text.size()) + "\r\n" + std::string(text) + "\r\n";
      }
      const std::size_t cut = random() % bytes.size();
      client.connection->take(bytes.substr(0, cut));
      client.connection->take(bytes.substr(cut));
      if (!client.backend.waiting.empty() && random() % 2 == 0) client.backend.answer_next();
      client.connection->describe();
    }
    while (!client.backend.waiting.empty()) client.backend.answer_next();
    EXPECT_FALSE(client.connection->waits());
  }
}

}  // namespace
}  // namespace claret::resp
