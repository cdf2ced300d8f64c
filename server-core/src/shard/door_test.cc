// The Redis door of a shard: commands as natives, beside transactions and the log, and on keys of other shards.
#include <gtest/gtest.h>

#include "shard/test_disk.h"
#include "shard/test_redis.h"

namespace claret::testing {
namespace redis_door {

Op get(std::string key) { return {std::move(key), "Register.get", {}}; }
Op set(std::string key, std::string text) { return {std::move(key), "Register.set", {Value(std::move(text))}}; }

TEST(Door, CommandsRunOnTheRecordsThatAllOthersSee) {
  World world;
  TestClient other(world, 1);
  RedisClient redis(world, 2);
  EXPECT_EQ(redis.say("SET a hello"), "+OK\r\n");
  EXPECT_EQ(other.native(get("a")).text(), "hello");
  other.send_natives({set("a", "again")});
  EXPECT_EQ(redis.say("GET a"), "$5\r\nagain\r\n");
  EXPECT_EQ(redis.say_all({"GET b", "STRLEN a", "PING"}), "$-1\r\n:5\r\n+PONG\r\n");
}

TEST(Door, CommandsOfOneChunkAreOneEntryAndAreAnsweredOnceItIsDurable) {
  World world(1, logged_options());
  Disks disks(world, logged_options());
  world.tick(0);
  disks.sync_all();
  RedisClient redis(world, 1);
  redis.say("SET warm up");  // takes a ceiling for timestamps
  disks.sync(0);
  EXPECT_EQ(redis.read(), "+OK\r\n");
  const std::uint64_t before = world.shards[0]->log_position();
  EXPECT_EQ(redis.say_all({"SET a 1", "INCR a", "INCR a"}), "");
  EXPECT_EQ(world.shards[0]->log_position(), before + 1);
  EXPECT_EQ(redis.say("PING"), "") << "replies leave in order";
  disks.sync(0);
  EXPECT_EQ(redis.read(), "+OK\r\n:2\r\n:3\r\n+PONG\r\n");
  EXPECT_EQ(redis.say("GET a"), "$1\r\n3\r\n") << "what is read is durable";
}

TEST(Door, CountsTheKeysThatAreThereAndThoseThatExpire) {
  World world(1, logged_options());
  Disks disks(world, logged_options());
  world.after_input = [&] { disks.sync_all(); };
  disks.sync_all();
  RedisClient redis(world, 1);
  redis.say_all({"MSET a 1 b 2 c 3", "SADD s x", "SREM s x", "DEL a nothing", "PEXPIRE b 100", "EXISTS other", "SREM none x"});
  EXPECT_EQ(redis.say("DBSIZE"), ":2\r\n");
  EXPECT_NE(redis.say("INFO keyspace").find("db0:keys=2,expires=1,avg_ttl=0\r\n"), std::string::npos);
  world.tick(200);
  EXPECT_EQ(redis.say("DBSIZE"), ":1\r\n");
  EXPECT_NE(redis.say("INFO keyspace").find("db0:keys=1,expires=0,avg_ttl=0\r\n"), std::string::npos);
  EXPECT_EQ(redis.say("FLUSHALL"), "+OK\r\n");
  EXPECT_EQ(redis.say("DBSIZE"), ":0\r\n");
  EXPECT_EQ(redis.say("INFO keyspace").find("db0"), std::string::npos);
}

TEST(Door, TellsTheMemoryOfItsProcess) {
  World world;
  world.shards[0]->door().open({.memory = [] { return std::uint64_t{123'456}; }});
  RedisClient redis(world, 1);
  EXPECT_NE(redis.say("INFO memory").find("used_memory:123456\r\n"), std::string::npos);
}

TEST(Door, WhoIsBrokenByACommandIsToldItsName) {
  World world;
  TestClient other(world, 1);
  RedisClient redis(world, 2);
  std::uint64_t attempt = 0;
  const auto blocking = [&](const std::vector<std::string>& lines) {
    other.step({.attempt = ++attempt, .begin_with_priority = 10, .operations = {get("a")}});
    redis.say_all(lines);
    other.read();
    return other.replies.empty() ? "" : other.replies.back().blocking_operation;
  };
  EXPECT_EQ(blocking({"DEL a"}), "DEL");
  EXPECT_EQ(blocking({"SET a 1"}), "SET");
  EXPECT_EQ(blocking({"MULTI", "SET a 1", "EXEC"}), "EXEC");
}

TEST(Door, ACommandWaitsForWhoHasVotedAndThoseBehindItForTheCommand) {
  World world(2);
  TestClient other(world, 1);
  RedisClient redis(world, 2), stranger(world, 3);
  const std::string key = key_on(0);
  const Timestamp voted = other.step({.attempt = 1, .begin_with_priority = 10, .operations = {set(key, "new")}, .prepare = kBoth}).voted_at;
  ASSERT_NE(voted, 0u);
  EXPECT_EQ(redis.say_all({"GET " + key, "PING"}), "");
  EXPECT_EQ(stranger.say("PING"), "+PONG\r\n");
  other.commit_outcome(1, voted).send();
  world.tick(0);
  EXPECT_EQ(redis.read(), "$3\r\nnew\r\n+PONG\r\n");
}

TEST(Door, ACommandThatWaitsForTooLongFailsAndTheConnectionGoesOn) {
  World world(2);
  TestClient other(world, 1);
  RedisClient redis(world, 2);
  const std::string key = key_on(0);
  other.step({.attempt = 1, .begin_with_priority = 10, .operations = {set(key, "new")}, .prepare = kBoth});
  EXPECT_EQ(redis.say_all({"APPEND " + key + " x", "PING"}), "");
  for (int i = 0; i < 12; ++i) world.tick(100);
  EXPECT_EQ(redis.read(), "-TRYAGAIN the operation has waited too long for a transaction that holds the record\r\n+PONG\r\n");
}

TEST(Door, ACommandWhoseClientLeavesWhileItWaitsIsNotRun) {
  World world(2);
  TestClient other(world, 1);
  RedisClient redis(world, 2);
  const std::string key = key_on(0);
  const Timestamp voted = other.step({.attempt = 1, .begin_with_priority = 10, .operations = {set(key, "new")}, .prepare = kBoth}).voted_at;
  redis.say("SET " + key + " late");
  redis.leave();
  other.commit_outcome(1, voted).send();
  world.tick(0);
  EXPECT_EQ(other.native(get(key)).text(), "new");
}

TEST(Door, ACommandWithSeveralChangesIsRunWholeOrNotAtAll) {
  World world(2);
  TestClient other(world, 1);
  RedisClient redis(world, 2);
  const std::string first = key_on(0, "a"), second = key_on(0, "b");
  const Timestamp voted =
      other.step({.attempt = 1, .begin_with_priority = 10, .operations = {set(second, "new")}, .prepare = kBoth}).voted_at;
  EXPECT_EQ(redis.say("MSET " + first + " 1 " + second + " 2"), "");
  EXPECT_TRUE(other.native(get(first)).absent()) << "nothing has happened yet";
  other.commit_outcome(1, voted).send();
  world.tick(0);
  EXPECT_EQ(redis.read(), "+OK\r\n");
  EXPECT_EQ(other.native(get(second)).integer(), 2);
}

TEST(Door, CommandsEndTransactionsThatHaveNotVoted) {
  World world;
  TestClient other(world, 1);
  RedisClient redis(world, 2);
  EXPECT_EQ(other.step({.attempt = 1, .begin_with_priority = 10, .operations = {get("a")}}).results.size(), 1u);
  EXPECT_EQ(redis.say("SET a x"), "+OK\r\n");
  EXPECT_EQ(other.step({.attempt = 1, .prepare = kAlone}).committed_at, 0u);
}

TEST(Door, LaterCommandsOfExecSeeEarlierOnesAndErrorsFillTheirPlaces) {
  World world;
  RedisClient redis(world, 1);
  EXPECT_EQ(redis.say_all({"SET text x", "MULTI", "INCR a", "INCR text", "INCR a", "PING", "EXEC"}),
            "+OK\r\n+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n"
            "*4\r\n:1\r\n-ERR value is not an integer or out of range\r\n:2\r\n+PONG\r\n");
}

TEST(Door, ExecWaitsAsAWholeForWhoHasVoted) {
  World world(2);
  TestClient other(world, 1);
  RedisClient redis(world, 2);
  const std::string first = key_on(0, "a"), second = key_on(0, "b");
  const Timestamp voted =
      other.step({.attempt = 1, .begin_with_priority = 10, .operations = {set(second, "x")}, .prepare = kBoth}).voted_at;
  EXPECT_EQ(redis.say_all({"MULTI", "SET " + first + " 1", "GET " + second, "EXEC", "PING"}), "+OK\r\n+QUEUED\r\n+QUEUED\r\n");
  EXPECT_TRUE(other.native(get(first)).absent());
  other.commit_outcome(1, voted).send();
  world.tick(0);
  EXPECT_EQ(redis.read(), "*2\r\n+OK\r\n$1\r\nx\r\n+PONG\r\n");
}

TEST(Door, ExecDoesNothingIfAWatchedKeyWasChangedEvenToTheSameValue) {
  World world;
  TestClient other(world, 1);
  RedisClient redis(world, 2);
  const auto exec = [&](const std::function<void()>& meanwhile) {
    redis.say_all({"WATCH a", "GET a"});
    meanwhile();
    return redis.say_all({"MULTI", "SET b done", "EXEC"});
  };
  const std::string ran = "+OK\r\n+QUEUED\r\n*1\r\n+OK\r\n", refused = "+OK\r\n+QUEUED\r\n*-1\r\n";
  redis.say("SET a x");
  EXPECT_EQ(exec([] {}), ran);
  EXPECT_EQ(exec([&] { other.send_natives({set("a", "x")}); }), refused);
  EXPECT_EQ(exec([&] { redis.say("SET a x"); }), refused);
  EXPECT_EQ(exec([&] { redis.say("SET other x"); }), ran);
  EXPECT_EQ(exec([&] { redis.say("DEL a"); }), refused);
  EXPECT_EQ(exec([&] { redis.say_all({"UNWATCH", "SET a y"}); }), ran);
}

TEST(Door, WhatHasExpiredIsGoneForTheNextCommandOfTheSameChunk) {
  World world;
  RedisClient redis(world, 1);
  redis.say("SET a x");
  const std::string past = std::to_string(static_cast<std::int64_t>(world.now().wall_ms) - 1);
  EXPECT_EQ(redis.say_all({"PEXPIREAT a " + past, "EXISTS a", "GET a"}), ":1\r\n:0\r\n$-1\r\n");
  EXPECT_EQ(redis.say_all({"SET b x PX 50", "PTTL b"}), "+OK\r\n:50\r\n");
  world.tick(49);
  EXPECT_EQ(redis.say("GET b"), "$1\r\nx\r\n");
  world.tick(1);
  EXPECT_EQ(redis.say_all({"GET b", "EXISTS b"}), "$-1\r\n:0\r\n");
}

TEST(Door, BytesThatAreNoTextComeBackAsTheyWere) {
  World world;
  RedisClient redis(world, 1);
  redis.say_all({"SET a x\xff\xfe", "SADD s \x80 y", "HSET h \xf4\x8f\xbe\x80 \xc3", "RPUSH l \xff"});
  EXPECT_EQ(redis.say_all({"GET a", "STRLEN a", "SISMEMBER s \x80", "HGETALL h", "LRANGE l 0 -1"}),
            "$3\r\nx\xff\xfe\r\n:3\r\n:1\r\n*2\r\n$4\r\n\xf4\x8f\xbe\x80\r\n$1\r\n\xc3\r\n*1\r\n$1\r\n\xff\r\n");
  EXPECT_EQ(redis.say_all({"APPEND a \x41", "SETRANGE a 1 \x42", "GET a"}), ":4\r\n:4\r\n$4\r\nxB\xfe\x41\r\n");
}

TEST(Door, KeysThatAreNoTextAndWhatIsTooLongIsRefused) {
  World world;
  RedisClient redis(world, 1);
  EXPECT_EQ(redis.say("SET \xff a"), "-ERR keys of Claret are UTF-8 text\r\n");
  EXPECT_EQ(redis.say("GET " + std::string(1025, 'k')), "-ERR a key has 1 to 1024 bytes\r\n");
  EXPECT_EQ(redis.say("SET a " + std::string(65'537, 'x')), "-ERR string exceeds maximum allowed size (64 KiB)\r\n");
  EXPECT_EQ(redis.say("GET a"), "$-1\r\n");
}

TEST(Door, AClientThatDoesNotReadGetsTheRestOnceItDoes) {
  World world;
  RedisClient redis(world, 1);
  redis.say("SET a " + std::string(60'000, 'x'));
  std::string bytes;
  for (int i = 0; i < 400; ++i) resp::append_request(bytes, {"GET", "a"});
  Shard& shard = *world.shards[0];
  shard.begin(world.now());
  shard.take(1, bytes);
  const std::uint64_t commands = shard.counters().totals.redis_commands;
  shard.take(1, bytes);
  shard.finish();
  EXPECT_EQ(shard.counters().totals.redis_commands, commands) << "nothing runs while its client does not read";
  EXPECT_FALSE(shard.door().wants_input(1));
  std::size_t read = redis.read().size();
  EXPECT_LT(read, 10u << 20);
  for (int i = 0; i < 10; ++i) {
    world.tick(1);
    read += redis.read().size();
  }
  EXPECT_EQ(read, 800 * (60'000 + std::string("$60000\r\n\r\n").size()));
  EXPECT_TRUE(shard.door().wants_input(1));
}

TEST(Door, WhatWaitsForAnElementIsServedInOrderOnceThereIsOne) {
  World world;
  RedisClient first(world, 1), second(world, 2), pusher(world, 3);
  EXPECT_EQ(first.say_all({"BLPOP none list 0", "PING"}), "");
  EXPECT_EQ(second.say("BRPOP list 0"), "");
  EXPECT_EQ(pusher.say("RPUSH list a b c"), ":3\r\n");
  EXPECT_EQ(first.read(), "*2\r\n$4\r\nlist\r\n$1\r\na\r\n+PONG\r\n");
  EXPECT_EQ(second.read(), "*2\r\n$4\r\nlist\r\n$1\r\nc\r\n");
  EXPECT_EQ(first.say("BLPOP list 0"), "*2\r\n$4\r\nlist\r\n$1\r\nb\r\n");
}

TEST(Door, WhatWaitsForAnElementSeesWhatATransactionCommits) {
  World world(2);
  TestClient other(world, 1);
  RedisClient redis(world, 2);
  const std::string key = key_on(0);
  EXPECT_EQ(redis.say("BLPOP " + key + " 0"), "");
  const Op push{key, "List.append", {Value(Value::List{Value("a")})}};
  const Timestamp voted = other.step({.attempt = 1, .begin_with_priority = 10, .operations = {push}, .prepare = kBoth}).voted_at;
  EXPECT_EQ(redis.read(), "");
  other.commit_outcome(1, voted).send();
  EXPECT_EQ(redis.read(), "*2\r\n$" + std::to_string(key.size()) + "\r\n" + key + "\r\n$1\r\na\r\n");
}

TEST(Door, AWaitEndsAfterItsTimeOrOnRequestAndNothingWaitsInExec) {
  World world;
  RedisClient redis(world, 1), other(world, 2);
  EXPECT_EQ(redis.say("BLMOVE from to left right 0.05"), "");
  EXPECT_LE(world.shards[0]->next_deadline_ms(), world.ms + 50);
  world.tick(49);
  EXPECT_EQ(redis.read(), "");
  world.tick(1);
  EXPECT_EQ(redis.read(), "$-1\r\n");
  redis.say("BLPOP list 0");
  EXPECT_EQ(other.say("CLIENT UNBLOCK 1"), ":1\r\n");
  EXPECT_EQ(redis.read(), "*-1\r\n");
  redis.say("BLPOP list 0");
  EXPECT_EQ(other.say("CLIENT UNBLOCK 1 ERROR"), ":1\r\n");
  EXPECT_EQ(redis.read(), "-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n");
  EXPECT_EQ(other.say("CLIENT UNBLOCK 1"), ":0\r\n");
  EXPECT_EQ(redis.say_all({"MULTI", "BLPOP list 0", "EXEC"}), "+OK\r\n+QUEUED\r\n*1\r\n*-1\r\n");
}

TEST(Door, WhoLeavesWhileItWaitsForAnElementTakesNone) {
  World world;
  RedisClient redis(world, 1), other(world, 2);
  redis.say("BLPOP list 0");
  redis.leave();
  EXPECT_EQ(other.say_all({"RPUSH list a", "LLEN list"}), ":1\r\n:1\r\n");
}

}  // namespace redis_door
}  // namespace claret::testing
