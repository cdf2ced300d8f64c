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
  const Timestamp voted = other.step({.attempt = 1, .begin_with_priority = 10, .operations = {set(second, "new")}, .prepare = kBoth}).voted_at;
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
  const Timestamp voted = other.step({.attempt = 1, .begin_with_priority = 10, .operations = {set(second, "x")}, .prepare = kBoth}).voted_at;
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

TEST(Door, WhatIsNoTextAndWhatIsTooLongIsRefused) {
  World world;
  RedisClient redis(world, 1);
  EXPECT_EQ(redis.say("SET a \xff"), "-ERR Claret stores UTF-8 text, and an argument is not\r\n");
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
  shard.finish();
  EXPECT_FALSE(shard.door().wants_input(1));
  std::size_t read = redis.read().size();
  EXPECT_LT(read, 10u << 20);
  for (int i = 0; i < 5; ++i) {
    world.tick(1);
    read += redis.read().size();
  }
  EXPECT_EQ(read, 400 * (60'000 + std::string("$60000\r\n\r\n").size()));
  EXPECT_TRUE(shard.door().wants_input(1));
}

// ---- keys of other shards ---------------------------------------------------------------------------------------------------

struct Doors {
  explicit Doors(DoorOptions options = {}) : links(world, options) {
    world.after_input = [this] { links.pump(); };
  }
  World world{2};
  DoorLinks links;
  std::string here = key_on(0, "here");
  std::string there = key_on(1, "there");

  std::string say(RedisClient& redis, const std::vector<std::string>& lines) {
    std::string replies = redis.say_all(lines);
    world.tick(0);
    world.tick(0);
    return replies + redis.read();
  }
};

TEST(DoorLink, ACommandOnAnotherShardsKeyIsSentOnAndAnsweredInOrder) {
  Doors doors;
  RedisClient redis(doors.world, 1);
  EXPECT_EQ(doors.say(redis, {"SET " + doors.there + " x", "PING", "GET " + doors.there, "GET " + doors.here}),
            "+OK\r\n+PONG\r\n$1\r\nx\r\n$-1\r\n");
  RedisClient neighbour(doors.world, 2, 1);
  EXPECT_EQ(neighbour.say("GET " + doors.there), "$1\r\nx\r\n");
  EXPECT_EQ(doors.say(redis, {"HELLO 3", "GET " + doors.there + "0"}).substr(0, 2), "%7");
  EXPECT_EQ(doors.say(redis, {"HSET {" + doors.there + "} a 1", "HGETALL {" + doors.there + "}"}), ":1\r\n%1\r\n$1\r\na\r\n$1\r\n1\r\n");
}

TEST(DoorLink, ATransactionOnAnotherShardsKeysRunsThereWithItsWatchedKeys) {
  Doors doors;
  RedisClient redis(doors.world, 1), neighbour(doors.world, 2, 1);
  const std::string key = doors.there;
  EXPECT_EQ(doors.say(redis, {"MULTI", "INCR " + key, "INCR " + key, "EXEC"}), "+OK\r\n+QUEUED\r\n+QUEUED\r\n*2\r\n:1\r\n:2\r\n");
  EXPECT_EQ(doors.say(redis, {"WATCH " + key}), "+OK\r\n");
  neighbour.say("SET " + key + " 7");
  EXPECT_EQ(doors.say(redis, {"MULTI", "INCR " + key, "EXEC"}), "+OK\r\n+QUEUED\r\n*-1\r\n");
  EXPECT_EQ(doors.say(redis, {"WATCH " + key, "UNWATCH"}), "+OK\r\n+OK\r\n");
  neighbour.say("SET " + key + " 8");
  EXPECT_EQ(doors.say(redis, {"MULTI", "INCR " + key, "EXEC"}), "+OK\r\n+QUEUED\r\n*1\r\n:9\r\n");
}

TEST(DoorLink, WhatNeedsKeysOfSeveralShardsIsRefused) {
  Doors doors;
  RedisClient redis(doors.world, 1);
  const std::string refused = "-CROSSSLOT Keys in request are on several shards\r\n";
  EXPECT_EQ(doors.say(redis, {"MSET " + doors.here + " 1 " + doors.there + " 2"}), refused);
  EXPECT_EQ(doors.say(redis, {"MULTI", "SET " + doors.here + " 1", "SET " + doors.there + " 2", "EXEC"}),
            "+OK\r\n+QUEUED\r\n+QUEUED\r\n" + refused);
  EXPECT_EQ(doors.say(redis, {"WATCH " + doors.here + " " + doors.there}), refused);
  EXPECT_EQ(doors.say(redis, {"GET " + doors.here, "GET " + doors.there}), "$-1\r\n$-1\r\n");
}

TEST(DoorLink, AClientToBeRedirectedIsToldWhereTheKeyIs) {
  Doors doors({.redirect = true});
  RedisClient redis(doors.world, 1);
  const std::string moved = "-MOVED " + std::to_string(slot_of(doors.there)) + " host:7001\r\n";
  EXPECT_EQ(doors.say(redis, {"GET " + doors.there}), moved);
  EXPECT_EQ(doors.say(redis, {"MULTI", "GET " + doors.there, "EXEC"}),
            "+OK\r\n" + moved + "-EXECABORT Transaction discarded because of previous errors.\r\n");
}

TEST(DoorLink, ALinkGivesThePasswordOfTheDoors) {
  Doors doors({.password = "secret"});
  RedisClient redis(doors.world, 1);
  EXPECT_EQ(doors.say(redis, {"GET " + doors.there}), "-NOAUTH Authentication required.\r\n");
  EXPECT_EQ(doors.say(redis, {"AUTH secret", "SET " + doors.there + " x", "GET " + doors.there}), "+OK\r\n+OK\r\n$1\r\nx\r\n");
}

TEST(DoorLink, ABrokenLinkFailsWhatReadsAndClosesTheConnectionOfWhatMayHaveChangedSomething) {
  Doors doors;
  RedisClient reader(doors.world, 1), writer(doors.world, 2);
  doors.say(reader, {"GET " + doors.there});
  doors.say(writer, {"GET " + doors.there});
  doors.world.after_input = [] {};
  EXPECT_EQ(reader.say("GET " + doors.there), "");
  EXPECT_EQ(writer.say("SET " + doors.there + " x"), "");
  doors.links.cut();
  doors.world.tick(0);
  EXPECT_EQ(reader.read(), "-TRYAGAIN The shard of the key cannot be reached\r\n");
  EXPECT_FALSE(reader.closed());
  EXPECT_EQ(writer.read(), "");
  EXPECT_TRUE(writer.closed());
  doors.world.after_input = [&] { doors.links.pump(); };
  EXPECT_EQ(doors.say(reader, {"GET " + doors.there}), "$-1\r\n") << "over a new link";
}

}  // namespace redis_door
}  // namespace claret::testing
