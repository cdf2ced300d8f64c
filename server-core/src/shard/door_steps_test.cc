// A Redis command, or what EXEC runs, is one step: for readers of the past, for a cut, and after a restart.
#include <gtest/gtest.h>

#include "shard/test_disk.h"
#include "shard/test_redis.h"

namespace claret::testing {
namespace redis_steps {

Op get_as_of(std::string key, Timestamp at) {
  Op op{std::move(key), "Register.get", {}};
  op.at = at;
  return op;
}

struct Logged {
  World world{1, logged_options()};
  Disks disks{world, logged_options()};
};

const std::vector<std::string> kTransaction = {"MULTI", "SET a 1", "INCR a", "EXPIRE a 100", "SET b 2", "EXEC"};

TEST(DoorSteps, ReadersOfThePastSeeATransactionWholeOrNotAtAll) {
  ShardOptions options;
  options.engine.past = {.keep_ms = 5000, .bytes_max = 1U << 20U};
  World world(1, options);
  TestClient reader(world, 1);
  RedisClient redis(world, 2);
  redis.say_all({"SET a 0", "MSET b 0 a 1"});
  const auto now = [&] { return reader.natives[reader.send_natives({{"nothing", "Register.get", {}}})].at; };
  const Timestamp before = now();
  redis.say_all(kTransaction);
  const Timestamp after = now();
  ASSERT_EQ(HybridClock::ticks_between(before, after), 2u) << "all of it has one time";
  const auto seen = [&](const std::string& key, Timestamp at) {
    const std::uint64_t number = reader.send_natives({get_as_of(key, at)});
    return reader.natives[number].result;
  };
  for (Timestamp at = before; at <= after; at = HybridClock::after(at, 1)) {
    const bool has_run = at > before;
    EXPECT_EQ(seen("a", at).integer(), has_run ? 2 : 1);
    EXPECT_EQ(seen("b", at).integer(), has_run ? 2 : 0);
  }
}

TEST(DoorSteps, ACutDividesNoTransaction) {
  Logged one;
  RedisClient redis(one.world, 1);
  redis.say("SET warm up");
  Shard& shard = *one.world.shards[0];
  ASSERT_TRUE(shard.set_cut(HybridClock::later(shard.prepare_cut(), 1000)));
  const std::uint64_t before = shard.log_position();
  redis.say_all(kTransaction);
  EXPECT_EQ(shard.log_position(), before + 1);
  redis.say_all({"SET a 1", "SET b 1"});
  EXPECT_EQ(shard.log_position(), before + 3) << "each command is on one side";
}

TEST(DoorSteps, ARestartFindsTheTimesAsTheyWere) {
  Logged one;
  RedisClient redis(one.world, 1);
  redis.say_all({"SET a 5", "MSET a 1 b 1"});
  redis.say_all(kTransaction);
  one.disks.sync(0);
  const auto time_of = [&](const std::string& key) { return one.world.shards[0]->engine().ground.records.find(key)->last_commit; };
  const Timestamp a = time_of("a"), b = time_of("b");
  EXPECT_EQ(a, b);
  one.disks.crash(0, 0);
  EXPECT_EQ(time_of("a"), a);
  EXPECT_EQ(time_of("b"), b);
}

}  // namespace redis_steps
}  // namespace claret::testing
