// The Redis doors of several shards: commands that are sent on, and commands on several shards.
#include <gtest/gtest.h>

#include <set>

#include "shard/test_client.h"
#include "shard/test_redis.h"

namespace claret::testing {
namespace redis_doors {

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

TEST(DoorLink, CommandsForDifferentShardsDoNotWaitForEachOther) {
  Doors doors;
  RedisClient redis(doors.world, 1);
  doors.say(redis, {"SET " + doors.there + " 1", "SET " + doors.here + " 1"});
  doors.world.after_input = [] {};
  std::vector<std::string> lines;
  std::string expected, forwarded;
  for (int i = 2; i < 102; ++i) {
    lines.push_back("INCR " + doors.there);
    lines.push_back("INCR " + doors.here);
    expected += ":" + std::to_string(i) + "\r\n:" + std::to_string(i) + "\r\n";
    resp::append_request(forwarded, {"INCR", doors.there});
  }
  lines.push_back("PING");
  EXPECT_EQ(redis.say_all(lines), "") << "no reply leaves before an earlier one";
  std::string sent;
  doors.world.shards[0]->drain(1001, sent);
  EXPECT_EQ(sent, forwarded) << "all at once";
  RedisClient neighbour(doors.world, 2);
  EXPECT_EQ(neighbour.say("GET " + doors.here), "$3\r\n101\r\n") << "so have those that run here";
  Shard& other = *doors.world.shards[1];
  other.begin(doors.world.now());
  other.take(1001, sent);
  other.finish();
  doors.links.pump();
  doors.world.tick(0);
  EXPECT_EQ(redis.read(), expected + "+PONG\r\n");
}

TEST(DoorLink, ACommandThatWaitsHereKeepsItsPlaceAmongTheReplies) {
  Doors doors;
  TestClient other(doors.world, 3);
  RedisClient redis(doors.world, 1);
  doors.say(redis, {"SET " + doors.there + " 1", "SET " + doors.here + " 1"});
  const Op set{doors.here, "Register.set", {Value("new")}};
  const Timestamp voted = other.step({.attempt = 1, .begin_with_priority = 10, .operations = {set}, .prepare = kBoth}).voted_at;
  doors.world.after_input = [] {};
  redis.say_all({"INCR " + doors.there, "GET " + doors.here, "INCR " + doors.there, "PING"});
  doors.links.pump();
  EXPECT_EQ(redis.read(), ":2\r\n") << "the other one is behind a command that waits";
  other.commit_outcome(1, voted).send();
  for (int i = 0; i < 3; ++i) {
    doors.world.tick(0);
    doors.links.pump();
  }
  doors.world.tick(0);
  EXPECT_EQ(redis.read(), "$3\r\nnew\r\n:3\r\n+PONG\r\n");
}

TEST(DoorLink, NoReplyTakesThePlaceOfOneThatIsLost) {
  Doors doors;
  TestClient other(doors.world, 3);
  RedisClient redis(doors.world, 1);
  doors.say(redis, {"SET " + doors.there + " 1", "SET " + doors.here + " 1"});
  const Op set{doors.here, "Register.set", {Value("new")}};
  const Timestamp voted = other.step({.attempt = 1, .begin_with_priority = 10, .operations = {set}, .prepare = kBoth}).voted_at;
  doors.world.after_input = [] {};
  redis.say_all({"INCR " + doors.there, "GET " + doors.here});
  doors.links.cut();
  other.commit_outcome(1, voted).send();
  doors.world.tick(0);
  EXPECT_EQ(redis.read(), "");
  EXPECT_TRUE(redis.closed());
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
std::string run_spread(Doors& doors, RedisClient& redis, const std::vector<std::string>& lines, int* steps_taken = nullptr,
                       std::set<std::string>* executed = nullptr) {
  int steps = 0;
  std::string replies = doors.say(redis, lines);
  Door& door = doors.world.shards[0]->door();
  TestClient clients[] = {{doors.world, 90, 0}, {doors.world, 91, 1}};
  for (const std::uint32_t number : door.wanted_spreads()) {
    Spread& spread = *door.spread(number);
    spread.restart();
    for (auto wanted = spread.step(); !wanted.empty(); wanted = spread.step()) {
      std::vector<Value> results;
      for (const WantedOperation& one : wanted) {
        const std::string name = std::string(one.type->name()) + "." + std::string(one.operation->name);
        if (executed != nullptr) executed->insert(name + " " + one.key);
        results.push_back(clients[doors.world.owner(one.key)].native({one.key, name, one.arguments}));
      }
      spread.know(std::move(results));
      ++steps;
    }
    door.end_spread(number, spread.failure().empty() ? "" : "aborted", false);
  }
  if (steps_taken != nullptr) *steps_taken = steps;
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

TEST(DoorSpread, AsksForAllThatItCanForeseeAtOnce) {
  Doors doors({.spreads = true});
  RedisClient redis(doors.world, 1);
  std::string mset = "MSET", mget = "MGET", expected = "*40\r\n";
  for (int i = 0; i < 40; ++i) {
    mset += " k" + std::to_string(i) + " x";
    mget += " k" + std::to_string(i);
    expected += "$1\r\nx\r\n";
  }
  int steps = 0;
  EXPECT_EQ(run_spread(doors, redis, {mset}, &steps), "+OK\r\n");
  EXPECT_LE(steps, 3);
  EXPECT_EQ(run_spread(doors, redis, {mget}, &steps), expected);
  EXPECT_LE(steps, 2);
  EXPECT_EQ(
      run_spread(doors, redis, {"MULTI", "INCR " + doors.here, "INCR " + doors.there, "HSET {" + doors.here + "}h a 1", "EXEC"}, &steps),
      "+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n*3\r\n:1\r\n:1\r\n:1\r\n");
  EXPECT_LE(steps, 3);
}

TEST(DoorSpread, TakesAsManyStepsForManyKeysAsForFew) {
  Doors doors({.spreads = true});
  RedisClient redis(doors.world, 1);
  std::string mset = "MSET", keys;
  for (int i = 0; i < 40; ++i) {
    mset += " k" + std::to_string(i) + " x";
    keys += " k" + std::to_string(i);
  }
  run_spread(doors, redis, {mset});
  int steps = 0;
  EXPECT_EQ(run_spread(doors, redis, {"DEL" + keys + " nothing"}, &steps), ":40\r\n");
  EXPECT_EQ(steps, 1);
  for (int i = 0; i < 40; ++i) doors.say(redis, {"SADD k" + std::to_string(i) + " m" + std::to_string(i % 2)});
  EXPECT_EQ(run_spread(doors, redis, {"SUNION" + keys}, &steps), "*2\r\n$2\r\nm0\r\n$2\r\nm1\r\n");
  EXPECT_LE(steps, 2);
  EXPECT_EQ(run_spread(doors, redis, {"MULTI", "UNLINK" + keys, "SET " + doors.here + " 1", "DEL " + doors.there, "EXEC"}, &steps),
            "+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n*3\r\n:40\r\n+OK\r\n:0\r\n");
  EXPECT_LE(steps, 2);
}

TEST(DoorSpread, WhatIsNotThereIsOfNoType) {
  Doors doors({.spreads = true});
  RedisClient redis(doors.world, 1);
  const std::string queued = "+OK\r\n+QUEUED\r\n+QUEUED\r\n+QUEUED\r\n";
  std::set<std::string> executed;
  const auto exec = [&](const std::string& first, const std::string& second) {
    executed.clear();
    return run_spread(doors, redis, {"MULTI", first, second, "EXISTS " + doors.there, "EXEC"}, nullptr, &executed).substr(queued.size());
  };
  const std::set<std::string> looks = {"Record.type " + doors.here, "Record.exists " + doors.there};
  EXPECT_EQ(exec("SCARD " + doors.here, "GET " + doors.here), "*3\r\n:0\r\n$-1\r\n:0\r\n");
  EXPECT_EQ(executed, looks) << "an operation of a type would keep it from becoming one of another type";
  EXPECT_EQ(exec("LPOP " + doors.here, "ZSCORE " + doors.here + " m"), "*3\r\n$-1\r\n$-1\r\n:0\r\n");
  EXPECT_EQ(executed, looks);
  EXPECT_EQ(exec("HGETALL " + doors.here, "RPUSH " + doors.here + " x"), "*3\r\n*0\r\n:1\r\n:0\r\n");
  EXPECT_EQ(doors.say(redis, {"DEL " + doors.here}), ":1\r\n");
  EXPECT_TRUE(exec("ZADD " + doors.here + " 0 o", "APPEND " + doors.here + " x").starts_with("-CROSSSLOT"));
}

TEST(DoorSpread, TheSameKeyMayBeNamedTwiceByOneCommand) {
  Doors doors({.spreads = true});
  RedisClient redis(doors.world, 1);
  EXPECT_EQ(run_spread(doors, redis, {"MSET " + doors.here + " 1 " + doors.there + " 2 " + doors.here + " 3"}), "+OK\r\n");
  EXPECT_EQ(run_spread(doors, redis, {"MGET " + doors.here + " " + doors.there}), "*2\r\n$1\r\n3\r\n$1\r\n2\r\n");
  EXPECT_EQ(run_spread(doors, redis, {"DEL " + doors.here + " " + doors.there + " " + doors.here}), ":2\r\n");
}

TEST(DoorSpread, WhatNeedsWhatAnEarlierCommandChangesEndsAllOfThem) {
  Doors doors({.spreads = true});
  RedisClient redis(doors.world, 1);
  const std::string queued = "+OK\r\n+QUEUED\r\n+QUEUED\r\n";
  const std::string refused =
      "-CROSSSLOT A command needs a record that an earlier one changes, which a transaction over several shards cannot\r\n";
  EXPECT_EQ(run_spread(doors, redis, {"MULTI", "INCR " + doors.here, "GET " + doors.here, "INCR " + doors.there, "EXEC"}),
            queued + "+QUEUED\r\n" + refused);
  EXPECT_EQ(run_spread(doors, redis, {"MULTI", "SET " + doors.here + " x EX 10", "SET " + doors.there + " x", "EXEC"}), queued + refused);
  EXPECT_EQ(run_spread(doors, redis, {"MULTI", "MEMORY USAGE " + doors.here, "SET " + doors.there + " x", "EXEC"}),
            queued + "-CROSSSLOT A command of the transaction needs all keys on one shard\r\n");
  EXPECT_EQ(run_spread(doors, redis, {"MGET " + doors.here + " " + doors.there}), "*2\r\n$-1\r\n$-1\r\n") << "nothing has happened";
}

TEST(Door, WhatGoesOverAllKeysIsRefusedInMulti) {
  Doors doors({.spreads = true});
  RedisClient redis(doors.world, 1);
  for (const std::string command : {"KEYS *", "SCAN 0", "FLUSHALL"}) {
    EXPECT_EQ(doors.say(redis, {"MULTI", command, "DISCARD"}), "+OK\r\n-ERR Command not allowed inside a transaction\r\n+OK\r\n");
  }
}

TEST(DoorLink, NothingRunsBehindCommandsWhoseLinkBreaks) {
  Doors doors;
  RedisClient redis(doors.world, 1);
  doors.say(redis, {"GET " + doors.there});
  doors.world.after_input = [] {};
  redis.say_all({"INCR " + doors.there, "INCR " + doors.there, "MULTI", "SET " + doors.here + " x", "EXEC"});
  doors.links.cut();
  doors.world.tick(0);
  EXPECT_EQ(redis.read(), "");
  EXPECT_TRUE(redis.closed());
  RedisClient other(doors.world, 2);
  EXPECT_EQ(other.say("GET " + doors.here), "$-1\r\n");
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

}  // namespace redis_doors
}  // namespace claret::testing
