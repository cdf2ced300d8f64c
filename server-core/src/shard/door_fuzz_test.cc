// The Redis door and bytes that no client has chosen with care.
#include <gtest/gtest.h>

#include <random>

#include "door/door.h"
#include "shard/test_redis.h"

namespace claret::testing {
namespace redis_fuzz {

class Fuzz {
 public:
  explicit Fuzz(unsigned seed) : dice_(seed) {}

  std::size_t below(std::size_t limit) { return dice_() % limit; }
  const std::string& any(const std::vector<std::string>& words) { return words[below(words.size())]; }

  // A request for a command of the table, with arguments that may or may not make sense.
  std::string request() {
    const auto entries = door_commands().entries();
    std::string name(entries[below(entries.size())].spec->name);
    // CLIENT tells how much input there is, and mutes replies; the others count what is deleted at the end of a turn.
    if (name.starts_with("client|") || name == "quit" || name == "dbsize" || name == "info") name = "ping";
    std::string bytes;
    std::vector<std::string_view> words;
    if (const auto bar = name.find('|'); bar != std::string::npos) {
      words = {std::string_view(name).substr(0, bar), std::string_view(name).substr(bar + 1)};
    } else {
      words = {name};
    }
    const std::size_t count = below(6);
    for (std::size_t i = 0; i < count; ++i) words.push_back(any(kWords));
    if (below(8) == 0) {  // as a person types it
      for (const std::string_view word : words) bytes.append(word).append(" ");
      return bytes.append("\r\n");
    }
    resp::append_request(bytes, words);
    return bytes;
  }

  // A request with some bytes that are others.
  std::string damaged() {
    std::string bytes = request();
    for (std::size_t i = below(4); i > 0 && !bytes.empty(); --i) bytes[below(bytes.size())] = static_cast<char>(dice_());
    return bytes;
  }

 private:
  const std::vector<std::string> kWords = {"k1",     "k2",  "k3",    "0",          "1",     "-1",   "2",  "9223372036854775807",
                                           "x",      "1.5", "count", "limit",      "left",  "nx",   "ex", "with",
                                           "match",  "*",   "[a-",   "$",          "\xff",  "+inf", "(1", "type",
                                           "before", "get", "3",     "withscores", "right", "\r\n"};
  std::mt19937 dice_;
};

// What the door answers if the bytes come in pieces of at most that many.
std::string answers(std::string_view bytes, std::size_t piece) {
  World world;
  RedisClient redis(world, 1);
  std::string answers;
  while (!bytes.empty() && !redis.closed()) {
    answers += redis.send(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
  }
  return answers;
}

TEST(DoorFuzz, TheSameBytesGiveTheSameAnswersHoweverTheyAreCut) {
  const unsigned seed = std::random_device()();
  Fuzz fuzz(seed);
  for (int round = 0; round < 20; ++round) {
    std::string bytes;
    for (int i = 0; i < 40; ++i) bytes += fuzz.request();
    const std::string whole = answers(bytes, bytes.size());
    for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{3}, 4 + fuzz.below(60)}) {
      ASSERT_EQ(answers(bytes, piece), whole) << "seed " << seed << ", round " << round << ", pieces of " << piece;
    }
  }
}

TEST(DoorFuzz, DamagedRequestsAreAnsweredOrEndTheConnectionAndHarmNobodyElse) {
  const unsigned seed = std::random_device()();
  Fuzz fuzz(seed);
  World world;
  RedisClient other(world, 1);
  for (std::uint32_t peer = 2; peer < 1'500; ++peer) {
    RedisClient redis(world, peer);
    for (int i = 0; i < 10 && !redis.closed(); ++i) redis.send(fuzz.damaged());
    redis.leave();
    ASSERT_EQ(other.say("PING"), "+PONG\r\n") << "seed " << seed << ", peer " << peer;
  }
}

}  // namespace redis_fuzz
}  // namespace claret::testing
