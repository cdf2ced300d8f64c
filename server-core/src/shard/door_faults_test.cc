// What a client must not be able to do at the Redis door, whatever it sends and however slowly it reads.
#include <gtest/gtest.h>

#include "shard/test_disk.h"
#include "shard/test_redis.h"

namespace claret::testing {
namespace redis_faults {

struct Doors {
  explicit Doors(DoorOptions options = {}, std::uint32_t shards = 2)
      : world(shards), links(world, options), here(key_on(0, "here", shards)), there(key_on(1, "there", shards)) {
    world.after_input = [this] { links.pump(); };
  }
  std::string say(RedisClient& redis, const std::vector<std::string>& lines) {
    std::string replies = redis.say_all(lines);
    world.tick(0);
    world.tick(0);
    return replies + redis.read();
  }

  World world;
  DoorLinks links;
  std::string here, there;  // keys of the shards 0 and 1
};

// A client that has stopped at the limit of its output, and takes all of it once something waits.
template <typename Next>
std::string after_full_output(World& world, Next next) {
  Shard& shard = *world.shards[0];
  shard.door().open({.spreads = true});
  shard.connect_resp(1, "127.0.0.1:1", "127.0.0.1:2", world.now());
  const auto take = [&](const std::vector<std::string>& lines) {
    std::string bytes;
    for (const std::string& line : lines) resp::append_request(bytes, words_of(line));
    shard.begin(world.now());
    shard.take(1, bytes);
    shard.finish();
  };
  const std::string key = key_on(0);
  take({"SET " + key + " " + std::string(60'000, 'x')});
  take(std::vector<std::string>(150, "GET " + key));
  std::string bytes;
  std::size_t read = 0;
  while (shard.drain(1, bytes)) read += bytes.size();  // from here on it is to go on
  take(next());
  std::string all;
  for (int i = 0; i < 4; ++i) {
    while (shard.drain(1, bytes)) all += bytes;
    shard.begin(world.now());
    shard.finish();
  }
  return all.substr(150 * 60'010 + 5 - read);
}

TEST(DoorFaults, ClientsThatDoNotReadAreLimitedInAll) {
  World world;
  Shard& shard = *world.shards[0];
  RedisClient writer(world, 1);
  writer.say("SET big " + std::string(60'000, 'x'));
  constexpr std::uint32_t kClients = 40;
  constexpr std::size_t kGets = 150;
  std::string gets;
  for (std::size_t i = 0; i < kGets; ++i) resp::append_request(gets, {"GET", "big"});
  for (std::uint32_t peer = 2; peer < 2 + kClients; ++peer) {
    shard.connect_resp(peer, "127.0.0.1:1", "127.0.0.1:2", world.now());
    shard.begin(world.now());
    shard.take(peer, gets);
    shard.finish();
  }
  std::string bytes;
  std::size_t unread = 0;
  std::map<std::uint32_t, std::size_t> read;
  for (std::uint32_t peer = 2; peer < 2 + kClients; ++peer) {
    shard.drain(peer, bytes);
    unread += read[peer] = bytes.size();
  }
  EXPECT_LT(unread, 90U << 20U);
  for (int i = 0; i < 3000; ++i) {
    for (auto& [peer, all] : read) {
      shard.begin(world.now());
      shard.finish();
      while (shard.drain(peer, bytes)) all += bytes.size();
    }
  }
  for (const auto& [peer, all] : read) EXPECT_EQ(all, kGets * 60'010) << "whoever reads gets all";
}

TEST(DoorFaults, WhatBecomesReadyWhileACommandWaitsDoesNotAnswerIt) {
  World world;
  EXPECT_EQ(after_full_output(world, [] { return std::vector<std::string>{"BLPOP nothing 0", "PING"}; }), "") << "PING is behind BLPOP";
}

TEST(DoorFaults, WhatBecomesReadyWhileExecWaitsDoesNotEndIt) {
  Doors doors;
  const std::vector<std::string> transaction = {"MULTI", "SET " + doors.here + " 1", "SET " + doors.there + " 1", "EXEC",
                                                "SET " + doors.here + " 2"};
  EXPECT_EQ(after_full_output(doors.world, [&] { return transaction; }), "+OK\r\n+QUEUED\r\n+QUEUED\r\n");
  Door& door = doors.world.shards[0]->door();
  const std::vector<std::uint32_t> wanted = door.wanted_spreads();
  ASSERT_EQ(wanted.size(), 1u);
  EXPECT_FALSE(door.spread(wanted[0])->step().empty());
}

TEST(DoorFaults, ExecDoesNothingOnceTheDoorThatKnowsTheVersionsIsLost) {
  Doors doors;
  RedisClient redis(doors.world, 1), neighbour(doors.world, 2, 1);
  EXPECT_EQ(doors.say(redis, {"WATCH " + doors.there}), "+OK\r\n");
  doors.links.cut();
  neighbour.say("SET " + doors.there + " 2");
  EXPECT_EQ(doors.say(redis, {"MULTI", "SET " + doors.there + " 3", "EXEC"}), "+OK\r\n+QUEUED\r\n*-1\r\n");
  EXPECT_EQ(neighbour.say("GET " + doors.there), "$1\r\n2\r\n");
  EXPECT_EQ(doors.say(redis, {"WATCH " + doors.there, "MULTI", "SET " + doors.there + " 3", "EXEC"}),
            "+OK\r\n+OK\r\n+QUEUED\r\n*1\r\n+OK\r\n");
}

TEST(DoorFaults, FlushallTakesNoOtherWordsAndDeletesNothingThen) {
  Doors doors;
  RedisClient redis(doors.world, 1);
  doors.say(redis, {"SET " + doors.here + " 1", "SET " + doors.there + " 1"});
  EXPECT_EQ(doors.say(redis, {"FLUSHALL NOW", "FLUSHALL ASYNC SYNC"}), "-ERR syntax error\r\n-ERR syntax error\r\n");
  EXPECT_EQ(doors.say(redis, {"EXISTS " + doors.here, "EXISTS " + doors.there}), ":1\r\n:1\r\n");
  EXPECT_EQ(doors.say(redis, {"FLUSHALL ASYNC", "EXISTS " + doors.here, "EXISTS " + doors.there}), "+OK\r\n:0\r\n:0\r\n");
}

TEST(DoorFaults, FlushallDeletesNothingWhileTheDiskIsFull) {
  World world(1, logged_options());
  Disks disks(world, logged_options());
  RedisClient redis(world, 1);
  redis.say("SET a 1");
  disks.sync(0);
  redis.read();
  world.shards[0]->refuse_changes(LogTrouble::kDiskFull, world.now());
  EXPECT_EQ(redis.say("FLUSHALL").substr(0, 8), "-MISCONF");
  EXPECT_EQ(redis.say("EXISTS a"), ":1\r\n");
}

// What it waits for would come after a reply that it will never get.
TEST(DoorFaults, AClientWhoseReplyWasDroppedGetsNoOtherInItsPlace) {
  World world(1, logged_options());
  Disks disks(world, logged_options());
  RedisClient waiting(world, 1), other(world, 2);
  EXPECT_EQ(waiting.say_all({"SET a 1", "BLPOP list 0"}), "") << "the one waits for the log, the other for an element";
  world.shards[0]->refuse_changes(LogTrouble::kUnavailable, world.now());
  world.shards[0]->refuse_changes(LogTrouble::kNone, world.now());
  other.say("RPUSH list x");
  disks.sync_all();
  EXPECT_EQ(other.read(), ":1\r\n");
  EXPECT_EQ(waiting.read(), "");
  EXPECT_TRUE(waiting.closed());
  EXPECT_EQ(other.say("LLEN list"), ":1\r\n") << "nobody has taken it";
}

TEST(DoorFaults, AFlushallThatGivesUpLeavesTheNextCommandAlone) {
  Doors doors({}, 3);
  const std::string far = key_on(2, "far", 3);
  TestClient other(doors.world, 3);
  RedisClient redis(doors.world, 1);
  doors.say(redis, {"SET " + doors.here + " 1", "SET " + doors.there + " 1"});
  doors.say(redis, {"SET " + far + " 1"});
  other.step({.attempt = 1, .begin_with_priority = 10, .operations = {{doors.here, "Register.set", {Value("new")}}}, .prepare = kBoth});
  EXPECT_EQ(doors.say(redis, {"FLUSHALL"}), "");
  for (int i = 0; i < 12; ++i) doors.world.tick(100);
  EXPECT_EQ(redis.read().substr(0, 9), "-TRYAGAIN");
  for (const std::string& key : {doors.there, far}) EXPECT_EQ(doors.say(redis, {"GET " + key}), "$1\r\n1\r\n") << key;
}

TEST(DoorFaults, AskingForTheConnectionInATransactionElsewhereIsRefused) {
  Doors doors;
  RedisClient redis(doors.world, 1);
  for (const std::string own : {"CLIENT ID", "HELLO 3"}) {
    const std::string replies = doors.say(redis, {"MULTI", own, "GET " + doors.there, "EXEC"});
    EXPECT_EQ(replies.substr(0, 36), "+OK\r\n+QUEUED\r\n+QUEUED\r\n-CROSSSLOT CL") << own;
  }
  EXPECT_EQ(doors.say(redis, {"MULTI", "PING", "GET " + doors.there, "EXEC"}), "+OK\r\n+QUEUED\r\n+QUEUED\r\n*2\r\n+PONG\r\n$-1\r\n");
}

TEST(DoorFaults, AReplyThatIsToBeSkippedIsSkippedEvenIfItComesFromElsewhere) {
  Doors doors;
  RedisClient redis(doors.world, 1);
  EXPECT_EQ(doors.say(redis, {"CLIENT REPLY SKIP", "GET " + doors.there, "PING"}), "+PONG\r\n");
}

TEST(DoorFaults, ALinkIsReadNoFurtherThanItsClientReads) {
  Doors doors;
  RedisClient neighbour(doors.world, 2, 1);
  neighbour.say("SET " + doors.there + " " + std::string(60'000, 'x'));
  Shard& shard = *doors.world.shards[0];
  shard.connect_resp(1, "127.0.0.1:1", "127.0.0.1:2", doors.world.now());
  std::string bytes;
  for (int i = 0; i < 150; ++i) resp::append_request(bytes, {"GET", doors.there});
  shard.begin(doors.world.now());
  shard.take(1, bytes);
  shard.finish();
  doors.links.pump();
  const std::uint32_t link = 1001;
  EXPECT_FALSE(shard.door().wants_input(link));
  std::size_t read = 0;
  for (int i = 0; i < 3; ++i) {
    while (shard.drain(1, bytes)) read += bytes.size();
    doors.world.tick(0);
    doors.links.pump();
  }
  EXPECT_EQ(read, 150u * 60'010);
  EXPECT_TRUE(shard.door().wants_input(link));
}

TEST(DoorFaults, ScanStopsAfterSomeRecordsWhateverItHasFound) {
  World world;
  RedisClient redis(world, 1);
  for (int i = 0; i < 5000; ++i) redis.say("SET key:" + std::to_string(i) + " x");
  std::string cursor = "0";
  int calls = 0;
  do {
    const std::string reply = redis.say("SCAN " + cursor + " MATCH nothing*");
    EXPECT_TRUE(reply.ends_with("*0\r\n")) << reply;
    const std::size_t begin = reply.find("\r\n", 4) + 2;
    cursor = reply.substr(begin, reply.find("\r\n", begin) - begin);
    ++calls;
  } while (cursor != "0" && calls < 100);
  EXPECT_GE(calls, 5);
  EXPECT_LT(calls, 20);
  EXPECT_EQ(redis.say("SCAN 0 MATCH " + std::string(1025, '*')), "-ERR a pattern has at most 1024 bytes\r\n");
}

TEST(DoorFaults, WhatNamesKeysWaitsForTheLogThatMadeThem) {
  World world(1, logged_options());
  Disks disks(world, logged_options());
  RedisClient writer(world, 1), reader(world, 2);
  writer.say("SET new 1");
  EXPECT_EQ(reader.say_all({"SCAN 0", "KEYS *", "DBSIZE"}), "");
  disks.sync(0);
  EXPECT_NE(reader.read().find("new"), std::string::npos);
}

TEST(DoorFaults, ATransactionOfManyOperationsOnSeveralShardsIsRefused) {
  Doors doors({.spreads = true});
  RedisClient redis(doors.world, 1);
  std::vector<std::string> lines = {"MULTI", "GET " + doors.there};
  for (int command = 0; command < 10; ++command) {
    std::string line = "MGET";
    for (int key = 0; key < 500; ++key) line += " {" + doors.here + "}" + std::to_string(500 * command + key);
    lines.push_back(line);
  }
  lines.push_back("EXEC");
  redis.say_all(lines);
  Door& door = doors.world.shards[0]->door();
  Spread* spread = door.spread(door.wanted_spreads().at(0));
  EXPECT_TRUE(spread->step().empty());
  EXPECT_EQ(spread->failure(), "CROSSSLOT A transaction on several shards has at most 4096 operations");
}

TEST(DoorFaults, ATransactionOnSeveralShardsMayReadFields) {
  Doors doors({.spreads = true});
  RedisClient redis(doors.world, 1);
  redis.say_all(
      {"MULTI", "HGET " + doors.here + " f", "HGET " + doors.here + " g", "HMGET " + doors.here + " f g", "GET " + doors.there, "EXEC"});
  Door& door = doors.world.shards[0]->door();
  Spread* spread = door.spread(door.wanted_spreads().at(0));
  std::vector<WantedOperation> wanted;
  for (int steps = 0; !(wanted = spread->step()).empty(); ++steps) {
    ASSERT_LT(steps, 5);
    std::vector<Value> results;
    for (const WantedOperation& one : wanted) {
      Value::List values;
      const bool has_fields = !one.arguments.empty() && one.arguments[0].is_list();
      if (has_fields) {
        for (const Value& field : one.arguments[0].list()) values.emplace_back(field.text() + "!");
      }
      const bool is_type_of_dict = one.operation->name == "type" && one.key == doors.here;
      results.push_back(has_fields ? Value(std::move(values)) : is_type_of_dict ? Value("Dict") : Value());
    }
    spread->know(std::move(results));
  }
  EXPECT_EQ(spread->failure(), "");
  EXPECT_EQ(spread->reply(), "*4\r\n$2\r\nf!\r\n$2\r\ng!\r\n*2\r\n$2\r\nf!\r\n$2\r\ng!\r\n$-1\r\n");
}

TEST(DoorFaults, ACommandWaitsForWhoDecidesOfWhichTypeARecordIs) {
  World world(2);
  TestClient other(world, 1);
  RedisClient redis(world, 2), counting(world, 3);
  const std::string key = key_on(0);
  const Timestamp voted =
      other.step({.attempt = 1, .begin_with_priority = 10, .operations = {{key, "Register.set", {Value("x")}}}, .prepare = kBoth}).voted_at;
  ASSERT_NE(voted, 0u);
  EXPECT_EQ(redis.say("SADD " + key + " member"), "") << "it may be a set, if the transaction aborts";
  EXPECT_EQ(counting.say("SCARD " + key), "");
  other.abort_outcome(1).send();
  world.tick(0);
  EXPECT_EQ(redis.read(), ":1\r\n");
  EXPECT_EQ(counting.read(), ":1\r\n");
}

}  // namespace redis_faults
}  // namespace claret::testing
