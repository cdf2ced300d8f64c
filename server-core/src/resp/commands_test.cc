#include <gtest/gtest.h>

#include <string>

#include "resp/command_keys.h"
#include "resp/test_client.h"

namespace claret::resp {
namespace {

TEST(RespCommands, AreFoundInAnyCase) {
  const CommandTable& table = TestBackend::table();
  const auto name = [&table](std::vector<std::string_view> words) {
    const CommandTable::Entry* container = nullptr;
    const auto* entry = table.find(words, &container);
    if (entry != nullptr) return std::string(entry->spec->name);
    return container == nullptr ? "none" : "none of " + std::string(container->spec->name);
  };
  EXPECT_EQ(name({"GeT"}), "get");
  EXPECT_EQ(name({"client", "ID"}), "client|id");
  EXPECT_EQ(name({"client"}), "client");
  EXPECT_EQ(name({"client", "foo"}), "none of client");
  EXPECT_EQ(name({"client|id"}), "none");
  EXPECT_EQ(name({"get", "id"}), "get");
  EXPECT_EQ(name({""}), "none");
  EXPECT_EQ(table.find_named("Client|Id")->spec->name, "client|id");
  EXPECT_EQ(table.find_named("get|id"), nullptr);
  EXPECT_EQ(table.find_named("client|"), nullptr);
}

TEST(RespCommands, OfTheProtocolAreWellFormed) {
  for (const auto& entry : TestBackend::table().entries()) {
    if (!entry.own) continue;
    const CommandSpec& spec = *entry.spec;
    EXPECT_FALSE(spec.summary.empty() || spec.group.empty() || spec.since.empty()) << spec.name;
    EXPECT_EQ(spec.runner == nullptr, !entry.in_order.empty() && spec.arity == -2) << spec.name;
    for (const char letter : spec.name) EXPECT_EQ(letter, lower(letter)) << spec.name;
  }
}

TEST(RespCommands, TellTheirKeys) {
  TestClient client;
  EXPECT_EQ(client.ask("COMMAND GETKEYS get a\n"), "*1\r\n$1\r\na\r\n");
  EXPECT_EQ(client.ask("COMMAND GETKEYS mset a 1 b 2\n"), "*2\r\n$1\r\na\r\n$1\r\nb\r\n");
  EXPECT_EQ(client.ask("COMMAND GETKEYS zunionstore d 2 a b weights 1 2\n"), "*3\r\n$1\r\nd\r\n$1\r\na\r\n$1\r\nb\r\n");
  EXPECT_EQ(client.ask("COMMAND GETKEYS sintercard 2 a b limit 1\n"), "*2\r\n$1\r\na\r\n$1\r\nb\r\n");
  EXPECT_EQ(client.ask("COMMAND GETKEYS object encoding a\n"), "*1\r\n$1\r\na\r\n");
  EXPECT_EQ(client.ask("COMMAND GETKEYSANDFLAGS zunionstore d 1 a\n"),
            "*2\r\n*2\r\n$1\r\nd\r\n*2\r\n+OW\r\n+update\r\n*2\r\n$1\r\na\r\n*2\r\n+RO\r\n+access\r\n");
  EXPECT_EQ(client.ask("COMMAND GETKEYS foo a\n"), "-ERR Invalid command specified\r\n");
  EXPECT_EQ(client.ask("COMMAND GETKEYS ping a\n"), "-ERR The command has no key arguments\r\n");
  EXPECT_EQ(client.ask("COMMAND GETKEYS get a b\n"), "-ERR Invalid number of arguments specified for command\r\n");
  for (const auto count : {"0", "-1", "x", "3", "99999999999999999999"}) {
    EXPECT_EQ(client.ask("COMMAND GETKEYS zunionstore d " + std::string(count) + " a b\n"),
              "-ERR Invalid arguments specified for command\r\n");
  }
}

TEST(RespCommands, AreDescribedAsByRedis) {
  TestClient client;
  const std::string get =
      "*10\r\n$3\r\nget\r\n:2\r\n*2\r\n+readonly\r\n+fast\r\n:1\r\n:1\r\n:1\r\n*3\r\n+@read\r\n+@string\r\n+@fast\r\n*0\r\n*1\r\n*6\r\n"
      "$5\r\nflags\r\n*2\r\n+RO\r\n+access\r\n$12\r\nbegin_search\r\n*4\r\n$4\r\ntype\r\n$5\r\nindex\r\n$4\r\nspec\r\n*2\r\n$"
      "5\r\nindex\r\n:1\r\n"
      "$9\r\nfind_keys\r\n*4\r\n$4\r\ntype\r\n$5\r\nrange\r\n$4\r\nspec\r\n*6\r\n$7\r\nlastkey\r\n:0\r\n$7\r\nkeystep\r\n:1\r\n$"
      "5\r\nlimit\r\n"
      ":0\r\n*0\r\n";
  EXPECT_EQ(client.ask("COMMAND INFO GET foo client|foo\n"), "*3\r\n" + get + "$-1\r\n$-1\r\n");
  EXPECT_EQ(client.ask("COMMAND INFO client|id\n"),
            "*1\r\n*10\r\n$9\r\nclient|id\r\n:2\r\n*3\r\n+noscript\r\n+loading\r\n+stale\r\n:0\r\n:0\r\n:0\r\n*2\r\n+@slow\r\n+@"
            "connection\r\n*0\r\n"
            "*0\r\n*0\r\n");
  const std::string count = client.ask("COMMAND COUNT\n");
  EXPECT_TRUE(client.ask("COMMAND\n").starts_with("*" + count.substr(1)));
  EXPECT_TRUE(client.ask("COMMAND INFO\n").starts_with("*" + count.substr(1)));
  client.ask("HELLO 3\n");
  EXPECT_EQ(client.ask("COMMAND INFO ping\n"),
            "*1\r\n*10\r\n$4\r\nping\r\n:-1\r\n~1\r\n+fast\r\n:0\r\n:0\r\n:0\r\n~2\r\n+@fast\r\n+@connection\r\n~2\r\n"
            "$25\r\nrequest_policy:all_shards\r\n$29\r\nresponse_policy:all_succeeded\r\n~0\r\n~0\r\n");
}

TEST(RespCommands, AreListed) {
  TestClient client;
  EXPECT_EQ(client.ask("COMMAND LIST FILTERBY PATTERN C*|I?\n"), "*1\r\n$9\r\nclient|id\r\n");
  EXPECT_EQ(client.ask("COMMAND LIST FILTERBY ACLCAT keyspace\n"), "*2\r\n$6\r\ndbsize\r\n$15\r\nobject|encoding\r\n");
  EXPECT_EQ(client.ask("COMMAND LIST FILTERBY ACLCAT foo\nCOMMAND LIST FILTERBY MODULE foo\n"), "*0\r\n*0\r\n");
  EXPECT_EQ(client.ask("COMMAND LIST x\nCOMMAND LIST FILTERBY foo x\n"), "-ERR syntax error\r\n-ERR syntax error\r\n");
}

TEST(RespCommands, HaveDocs) {
  TestClient client;
  EXPECT_EQ(client.ask("COMMAND DOCS client|id foo\n"),
            "*2\r\n$9\r\nclient|id\r\n*6\r\n$7\r\nsummary\r\n$29\r\nThe number of this "
            "connection\r\n$5\r\nsince\r\n$5\r\n5.0.0\r\n$5\r\ngroup\r\n"
            "$10\r\nconnection\r\n");
  EXPECT_NE(client.ask("COMMAND DOCS client\n").find("$11\r\nsubcommands\r\n*22\r\n$9\r\nclient|id\r\n"), std::string::npos);
}

TEST(RespCommands, OfAClientThatWantsAnotherDatabaseReachNoData) {
  TestClient client;
  const std::string refused = "-ERR there is no database 1, only 0: nothing is read or changed until SELECT 0\r\n";
  EXPECT_EQ(client.ask("SELECT 1\nSET a 1\nGET a\nPING\n"), "-ERR DB index is out of range\r\n" + refused + refused + "+PONG\r\n");
  EXPECT_EQ(client.ask("MULTI\nSET a 1\nEXEC\n"), "+OK\r\n" + refused + "-EXECABORT Transaction discarded because of previous errors.\r\n");
  EXPECT_TRUE(client.backend.ran.empty());
  EXPECT_EQ(client.ask("SELECT 0\nSET a 1\nSELECT 1\nRESET\nGET a\n"),
            "+OK\r\n+OK\r\n-ERR DB index is out of range\r\n+RESET\r\n$1\r\n1\r\n");
}

TEST(RespCommands, OfTheServerAnswerAsRedisDoes) {
  TestClient client;
  const std::string no_integer = "-ERR value is not an integer or out of range\r\n";
  EXPECT_EQ(client.ask("SELECT 0\nSELECT 1\nSELECT x\n"), "+OK\r\n-ERR DB index is out of range\r\n" + no_integer);
  client.ask("SELECT 0\n");
  EXPECT_EQ(client.ask("SELECT 99999999999\n"), "-ERR value is out of range, value must between -2147483648 and 2147483647\r\n");
  EXPECT_EQ(client.ask("TIME\n"), "*2\r\n$10\r\n1700000000\r\n$6\r\n123456\r\n");
  EXPECT_EQ(client.ask("SET a 1\nDBSIZE\n"), "+OK\r\n:1\r\n");
  EXPECT_EQ(client.ask("WAIT 1 0\nWAIT x 0\nWAIT 1 x\nWAIT 1 -1\n"),
            ":0\r\n" + no_integer + "-ERR timeout is not an integer or out of range\r\n-ERR timeout is negative\r\n");
  EXPECT_EQ(client.ask("INFO server all\n"), "$25\r\n# Sections\r\nserver\r\nall\r\n\r\n");
  EXPECT_EQ(client.ask("CONFIG GET save\nCONFIG GET foo\nCONFIG GET SAVE MAX*\n"),
            "*2\r\n$4\r\nsave\r\n$0\r\n\r\n*0\r\n"
            "*6\r\n$9\r\nmaxmemory\r\n$1\r\n0\r\n$16\r\nmaxmemory-policy\r\n$10\r\nnoeviction\r\n$4\r\nSAVE\r\n$0\r\n\r\n");
}

TEST(RespCommands, OfTheClientAnswerAsRedisDoes) {
  TestClient client;
  EXPECT_EQ(client.ask("CLIENT ID\nCLIENT GETNAME\nCLIENT SETNAME me\nCLIENT GETNAME\nCLIENT SETNAME ''\nCLIENT GETNAME\n"),
            ":1\r\n$-1\r\n+OK\r\n$2\r\nme\r\n+OK\r\n$-1\r\n");
  EXPECT_EQ(client.ask("CLIENT SETNAME 'a b'\n"), "-ERR Client names cannot contain spaces, newlines or special characters.\r\n");
  EXPECT_EQ(client.ask("CLIENT SETINFO lib-name redis-py\nCLIENT SETINFO LIB-VER 'a b'\nCLIENT SETINFO foo a\n"),
            "+OK\r\n-ERR lib-ver cannot contain spaces, newlines or special characters.\r\n-ERR Unrecognized option 'foo'\r\n");
  EXPECT_EQ(client.ask("CLIENT NO-EVICT on\nCLIENT NO-TOUCH OFF\nCLIENT NO-EVICT x\n"), "+OK\r\n+OK\r\n-ERR syntax error\r\n");
  EXPECT_EQ(client.ask("CLIENT LIST ID 2 3\nCLIENT LIST TYPE master\nCLIENT LIST TYPE x\nCLIENT LIST ID x\nCLIENT LIST x\n"),
            "$0\r\n\r\n$0\r\n\r\n-ERR Unknown client type 'x'\r\n-ERR Invalid client ID\r\n-ERR syntax error\r\n");
}

TEST(RespCommands, OfTheClientDescribeIt) {
  TestClient client;
  client.backend.now += 5'000'000;
  client.ask("CLIENT SETNAME me\nMULTI\nPING\n");
  client.backend.now += 2'000'000;
  EXPECT_EQ(
      client.connection->describe(),
      "id=1 addr=127.0.0.1:5000 laddr=127.0.0.1:6379 fd=0 name=me age=7 idle=2 flags=x db=0 sub=0 psub=0 ssub=0 multi=1 qbuf=0 qbuf-free=0 "
      "argv-mem=0 multi-mem=20 rbs=0 rbp=0 obl=0 oll=0 omem=0 tot-mem=20 events=r cmd=ping user=default redir=-1 resp=2 lib-name= "
      "lib-ver=\n");
  client.ask("DISCARD\n");
  const std::string info = client.ask("CLIENT INFO\n");
  EXPECT_NE(info.find("cmd=client|info"), std::string::npos) << info;
  EXPECT_EQ(client.ask("CLIENT LIST ID 7 1\n").find("\r\nid=1 "), 4u);
}

TEST(RespCommands, OfTheClusterNeedOne) {
  TestClient client;
  const std::string none = "-ERR This instance has cluster support disabled\r\n";
  EXPECT_EQ(client.ask("CLUSTER INFO\nCLUSTER SLOTS\nREADONLY\nASKING\n"), none + none + none + none);
}

TEST(RespCommands, OfTheClusterShowIt) {
  TestClient client;
  client.backend.in_cluster = true;
  const std::string first(40, 'a');
  const std::string second(40, 'b');
  client.backend.view = {
      .nodes = {{first, "h", 1, true, {{8192, 16383}}}, {second, "i", 2, true, {{0, 0}, {1, 8191}}}}, .own = 1, .epoch = 3};
  EXPECT_EQ(client.ask("CLUSTER MYID\n"), "$40\r\n" + second + "\r\n");
  EXPECT_EQ(client.ask("CLUSTER KEYSLOT {a}x\nCLUSTER COUNTKEYSINSLOT 1\nCLUSTER COUNTKEYSINSLOT 16384\n"),
            ":15495\r\n:0\r\n-ERR Invalid slot\r\n");
  const std::string lines =
      first + " h:1@10001 master - 0 0 3 connected 8192-16383\n" + second + " i:2@10002 myself,master - 0 0 3 connected 0 1-8191\n";
  EXPECT_EQ(client.ask("CLUSTER NODES\n"), "$" + std::to_string(lines.size()) + "\r\n" + lines + "\r\n");
  const auto node = [](const std::string& host, const std::string& port, const std::string& id) {
    return "*4\r\n$1\r\n" + host + "\r\n:" + port + "\r\n$40\r\n" + id + "\r\n*0\r\n";
  };
  EXPECT_EQ(client.ask("CLUSTER SLOTS\n"), "*3\r\n*3\r\n:0\r\n:0\r\n" + node("i", "2", second) + "*3\r\n:1\r\n:8191\r\n" +
                                               node("i", "2", second) + "*3\r\n:8192\r\n:16383\r\n" + node("h", "1", first));
  EXPECT_TRUE(
      client.ask("CLUSTER SHARDS\n")
          .starts_with("*2\r\n*4\r\n$5\r\nslots\r\n*2\r\n:8192\r\n:16383\r\n$5\r\nnodes\r\n*1\r\n*14\r\n$2\r\nid\r\n$40\r\n" + first));
  EXPECT_NE(client.ask("CLUSTER INFO\n").find("cluster_state:ok\r\ncluster_slots_assigned:16384\r\n"), std::string::npos);
  EXPECT_EQ(client.ask("READONLY\nREADWRITE\nASKING\nSELECT 1\n"), "+OK\r\n+OK\r\n+OK\r\n-ERR SELECT is not allowed in cluster mode\r\n");
}

}  // namespace
}  // namespace claret::resp
