// The Redis door of a shard: commands as natives, beside transactions and the log, and on keys of other shards.
#include <gtest/gtest.h>

#include <set>

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

TEST(DoorLink, CommandsForTheSameShardAreSentOnTogetherAndNoReplyOvertakesAnother) {
  Doors doors;
  RedisClient redis(doors.world, 1);
  doors.say(redis, {"SET " + doors.there + " 1", "SET " + doors.here + " h"});
  doors.world.after_input = [] {};
  const std::string long_key(1025, 'k');
  EXPECT_EQ(redis.say_all({"INCR " + doors.there, "INCR " + doors.there, "GET " + long_key, "INCR " + doors.there, "GET " + doors.here,
                           "NONSENSE", "INCR " + doors.there}),
            "");
  const std::string sent = [&] {
    std::string bytes;
    doors.world.shards[0]->drain(1001, bytes);
    return bytes;
  }();
  std::string two;
  for (int i = 0; i < 2; ++i) resp::append_request(two, {"INCR", doors.there});
  EXPECT_EQ(sent, two) << "both at once";
  Shard& other = *doors.world.shards[1];
  other.begin(doors.world.now());
  other.take(1001, sent);
  other.finish();
  doors.world.after_input = [&] { doors.links.pump(); };
  for (int i = 0; i < 4; ++i) doors.world.tick(0);
  EXPECT_EQ(redis.read(),
            ":2\r\n:3\r\n-ERR a key has 1 to 1024 bytes\r\n:4\r\n$1\r\nh\r\n"
            "-ERR unknown command 'NONSENSE', with args beginning with: \r\n:5\r\n");
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

TEST(DoorLink, ScanGoesOverTheKeysOfAllShardsAndFlushallDeletesThem) {
  Doors doors;
  RedisClient redis(doors.world, 1);
  std::set<std::string> expected, found;
  for (int i = 0; i < 40; ++i) {
    expected.insert("k" + std::to_string(i));
    doors.say(redis, {"SET k" + std::to_string(i) + " x"});
  }
  std::string cursor = "0";
  int calls = 0;
  do {
    const std::string reply = doors.say(redis, {"SCAN " + cursor + " MATCH k* COUNT 7"});
    std::vector<std::string> lines;
    for (std::size_t at = 0, end; (end = reply.find("\r\n", at)) != std::string::npos; at = end + 2)
      lines.push_back(reply.substr(at, end - at));
    ASSERT_GE(lines.size(), 4u) << reply;
    cursor = lines[2];
    for (std::size_t i = 5; i < lines.size(); i += 2) found.insert(lines[i]);
  } while (cursor != "0" && ++calls < 100);
  EXPECT_EQ(found, expected);
  EXPECT_GT(calls, 3);
  EXPECT_EQ(doors.say(redis, {"FLUSHALL", "EXISTS " + doors.there, "PING"}), "+OK\r\n:0\r\n+PONG\r\n");
  EXPECT_EQ(doors.say(redis, {"SCAN 0"}).substr(0, 8), "*2\r\n$4\r\n") << "a part of the slots";
  for (const std::string& key : expected) EXPECT_EQ(doors.say(redis, {"EXISTS " + key}), ":0\r\n");
}

// What the gateway's client does with a command on several shards: each operation is executed where its record is.
std::string run_spread(Doors& doors, RedisClient& redis, const std::vector<std::string>& lines) {
  std::string replies = doors.say(redis, lines);
  Door& door = doors.world.shards[0]->door();
  TestClient clients[] = {{doors.world, 90, 0}, {doors.world, 91, 1}};
  for (const std::uint32_t number : door.wanted_spreads()) {
    door.spread(number)->restart();
    while (const auto wanted = door.spread(number)->step()) {
      const std::string name = std::string(wanted->type->name()) + "." + std::string(wanted->operation->name);
      door.spread(number)->know(clients[doors.world.owner(wanted->key)].native({wanted->key, name, wanted->arguments}));
    }
    door.end_spread(number, "", false);
  }
  doors.world.tick(0);
  return replies + redis.read();
}

TEST(DoorSpread, ACommandOnSeveralShardsAsksForOneOperationAfterAnotherAndThenReplies) {
  Doors doors({.spreads = true});
  RedisClient redis(doors.world, 1);
  EXPECT_EQ(run_spread(doors, redis, {"MSET " + doors.here + " 1 " + doors.there + " 2"}), "+OK\r\n");
  EXPECT_EQ(run_spread(doors, redis, {"MGET " + doors.there + " " + doors.here}), "*2\r\n$1\r\n2\r\n$1\r\n1\r\n");
  EXPECT_EQ(run_spread(doors, redis, {"MULTI", "INCR " + doors.here, "PING", "GETSET " + doors.there + " 9", "LPOP", "EXEC", "PING"})
                .substr(0, 40),
            "+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n-ERR wro");
  EXPECT_EQ(run_spread(doors, redis, {"MULTI", "INCR " + doors.here, "PING", "GETSET " + doors.there + " 9", "EXEC", "PING"}),
            "+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n*3\r\n:2\r\n+PONG\r\n$1\r\n2\r\n+PONG\r\n");
  EXPECT_EQ(run_spread(doors, redis, {"DEL " + doors.here + " " + doors.there}), ":2\r\n");
}

TEST(DoorSpread, ACommandThatNeedsWhatAnEarlierOneHasChangedIsRefused) {
  Doors doors({.spreads = true});
  RedisClient redis(doors.world, 1);
  const std::string refused =
      "-CROSSSLOT A command needs a record that an earlier one changes, which a transaction over several shards cannot\r\n";
  EXPECT_EQ(run_spread(doors, redis, {"MULTI", "INCR " + doors.here, "GET " + doors.here, "INCR " + doors.there, "EXEC"}),
            "+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n*3\r\n:1\r\n" + refused + ":1\r\n");
}

TEST(DoorSpread, ItsErrorIsAnsweredAndAnUnknownOutcomeClosesTheConnection) {
  Doors doors({.spreads = true});
  RedisClient redis(doors.world, 1);
  Door& door = doors.world.shards[0]->door();
  doors.say(redis, {"MSET " + doors.here + " 1 " + doors.there + " 2"});
  door.end_spread(door.wanted_spreads().at(0), "TRYAGAIN no", false);
  doors.world.tick(0);
  EXPECT_EQ(redis.read(), "-TRYAGAIN no\r\n");
  doors.say(redis, {"MSET " + doors.here + " 1 " + doors.there + " 2"});
  const std::uint32_t number = door.wanted_spreads().at(0);
  door.end_spread(number, "", true);
  doors.world.tick(0);
  EXPECT_EQ(redis.read(), "");
  EXPECT_TRUE(redis.closed());
  EXPECT_EQ(door.spread(number), nullptr);
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
