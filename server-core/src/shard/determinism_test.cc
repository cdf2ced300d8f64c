// The core is deterministic: the same inputs give the same outputs in any process. Two processes run the same seeded storm (with
// differently seeded hash tables). Every byte that they output must be equal, and so must be the frames for watchers. Being watched changes
// no byte of the other output.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "shard/dice.h"
#include "shard/test_client.h"

namespace claret::testing {
namespace {

constexpr const char* kSeedVariable = "CLARET_DETERMINISM_SEED";

Op any_operation(Dice& dice) {
  const std::string member = "m" + std::to_string(dice.below(5));
  const auto n = static_cast<std::int64_t>(dice.below(9)) - 4;
  switch (dice.below(10)) {
    case 0:
      return {"counter" + std::to_string(dice.below(3)), "Counter.add", {Value(n)}};
    case 1:
      return {"counter" + std::to_string(dice.below(3)), "Counter.value", {}};
    case 2:
      return {"set" + std::to_string(dice.below(3)), "Set.add", {Value(member)}};
    case 3:
      return {"set" + std::to_string(dice.below(3)), "Set.remove", {Value(member)}};
    case 4:
      return {"set" + std::to_string(dice.below(3)), "Set.size", {}};
    case 5:
      return {"top", "TopK.add", {Value(member), Value(static_cast<double>(n))}};
    case 6:
      return {"top", "TopK.top", {Value(std::int64_t{3})}};
    case 7:
      return {"dict", "Dict.increment", {Value(member), Value(n)}};
    case 8:
      return {"ids", "UIdGenerator.next", {}};
    default:
      return {"dict", "Dict.all", {}};
  }
}

std::uint64_t fnv(const std::string& bytes) {
  std::uint64_t hash = 14695981039346656037ull;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ull;
  return hash;
}

struct Outcome {
  std::string sent;  // to all clients
  std::string told;  // to the watcher
  std::uint64_t commits;
};

// A client that sends members of chains, looks at boards and peeks. Some words are wrong, so that chains are broken.
class Crowd {
 public:
  Crowd(World& world, std::uint32_t peer) : client(world, peer) { client.want_boards().send(); }

  void act(Dice& dice) {
    for (; broken_ < client.seen.broken.size(); ++broken_) {
      open_.clear();
      ++chain_;
      n_ = 0;
    }
    std::erase_if(open_, [&](std::uint64_t n) { return !client.seen.reply(n, chain_).error.empty(); });
    const auto waits = [&](std::uint64_t n) { return client.seen.replies(n, chain_) == 0; };
    const auto answered = static_cast<std::size_t>(std::find_if(open_.begin(), open_.end(), waits) - open_.begin());
    const std::size_t some = dice.below(20) == 0 ? open_.size() : dice.below(answered + 1);
    switch (dice.below(8)) {
      case 0:
        if (some == open_.size()) break;
        client.withdraw(open_[some], chain_);
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(some));
        break;
      case 1:
      case 2:
        client.word({open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(some)}, chain_);
        open_.erase(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(some));
        break;
      case 4:
        client.peek(++tickets_, any_operation(dice));
        break;
      default: {
        std::vector<Op> operations;
        const char* whose = dice.below(4) == 0 ? "" : " of the crowd";
        for (std::uint64_t left = 1 + dice.below(4); left > 0; --left) {
          operations.push_back(any_operation(dice));
          operations.back().key += whose;
        }
        const bool ends = dice.below(4) == 0;
        client.member(++n_, operations, {.chain = chain_, .ends = ends});
        if (!ends) open_.push_back(n_);
      }
    }
    client.send();
  }

  TestClient client;

 private:
  std::uint64_t chain_ = 1;
  std::uint64_t n_ = 0;
  std::uint64_t tickets_ = 0;
  std::size_t broken_ = 0;
  std::vector<std::uint64_t> open_;
};

// Twelve clients of one shard, interactive and one-shot, and six that send chains; some connections are lost.
Outcome storm(std::uint64_t seed, bool watched) {
  constexpr std::uint32_t kClients = 12;
  Dice dice(seed);
  World world;
  std::vector<std::unique_ptr<TestClient>> clients;
  std::vector<std::uint64_t> attempts(kClients, 0);
  std::vector<std::uint32_t> sent(kClients, 0);  // operations of the running interactive attempt
  for (std::uint32_t i = 0; i < kClients; ++i) {
    clients.push_back(std::make_unique<TestClient>(world, i + 1));
    clients.back()->watch(1, {"top", "TopK.max", {}}).send();
  }
  std::vector<std::unique_ptr<Crowd>> crowd;
  for (std::uint32_t i = 0; i < 6; ++i) crowd.push_back(std::make_unique<Crowd>(world, 100 + i));
  std::string told;
  for (int turn = 0; turn < 4000; ++turn) {
    crowd[dice.below(crowd.size())]->act(dice);
    const auto i = static_cast<std::uint32_t>(dice.below(kClients));
    TestClient::Step step{.attempt = attempts[i], .label = "L" + std::to_string(dice.below(3)), .sent_before = sent[i]};
    if (sent[i] == 0) {
      step.attempt = ++attempts[i];
      step.begin_with_priority = 1 + dice.below(1000);
    }
    const std::uint64_t operations = 1 + dice.below(3);
    for (std::uint64_t n = 0; n < operations; ++n) step.operations.push_back(any_operation(dice));
    const bool ends = dice.below(3) == 0;
    if (ends) step.prepare = std::vector<std::uint32_t>{};
    const Reply reply = clients[i]->step(step);
    sent[i] = ends || !reply.error.empty() ? 0 : sent[i] + static_cast<std::uint32_t>(operations);
    if (dice.below(50) == 0) {
      clients[i]->abort_outcome(attempts[i]).send();
      sent[i] = 0;
    }
    if (dice.below(4) == 0) world.tick(static_cast<double>(dice.below(4)));
    for (auto& client : clients) client->read();
    for (auto& one : crowd) one->client.read();
    if (!watched) continue;
    if (turn == 100) world.shards[0]->observe(true, world.now());
    if (turn > 100 && turn % 50 == 0) told += to_json(world.shards[0]->take_telemetry(world.now()));
  }
  std::string bytes_sent;
  for (auto& client : clients) bytes_sent += client->bytes_seen;
  std::size_t boards = 0;
  const std::size_t again = world.shards[0]->counters().totals.answered_again;
  for (auto& one : crowd) {
    bytes_sent += one->client.bytes_seen;
    boards += one->client.seen.boards.size();
  }
  EXPECT_GT(std::min(boards, again), 5u) << boards << " boards, answered again " << again;
  return {bytes_sent, told, world.shards[0]->counters().totals.commits};
}

std::string digest_of(const Outcome& outcome) {
  const std::string all = outcome.sent + outcome.told;
  char line[64];
  std::snprintf(line, sizeof line, "%zu bytes, digest %016llx, %llu commits", all.size(), static_cast<unsigned long long>(fnv(all)),
                static_cast<unsigned long long>(outcome.commits));
  return line;
}

std::string storm_in_another_process(std::uint64_t seed) {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return "cannot find this program";
  path[length] = '\0';
  // The child plays the whole storm, whatever share of the tests is this process's.
  const std::string command = "env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX " + std::string(kSeedVariable) + '=' + std::to_string(seed) +
                              " '" + path + "' --gtest_filter=Determinism.TwoProcessesGiveTheSameBytes --gtest_brief=1";
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "cannot start";
  std::string digest;
  char line[256];
  while (std::fgets(line, sizeof line, pipe) != nullptr) {
    if (std::string(line).starts_with("storm: ")) digest = line;
  }
  EXPECT_EQ(pclose(pipe), 0);
  return digest;
}

// Runs this program twice as a child process; the child only plays the storm.
TEST(Determinism, TwoProcessesGiveTheSameBytes) {
  if (const char* seed = std::getenv(kSeedVariable)) {
    std::printf("storm: %s\n", digest_of(storm(std::strtoull(seed, nullptr, 10), true)).c_str());
    return;
  }
  for (const std::uint64_t seed : {1ull, 2ull, 3ull}) {
    const std::string first = storm_in_another_process(seed);
    EXPECT_EQ(first, storm_in_another_process(seed)) << "seed " << seed;
    EXPECT_NE(first.find("digest"), std::string::npos) << first;
    EXPECT_EQ(first.find(" 0 commits"), std::string::npos) << first;
  }
}

TEST(Determinism, BeingWatchedChangesNoByteThatClientsAreSent) {
  for (const std::uint64_t seed : {1ull, 2ull, 3ull}) {
    const Outcome watched = storm(seed, true);
    EXPECT_EQ(watched.sent, storm(seed, false).sent) << "seed " << seed;
    EXPECT_NE(watched.told.find("\"conflicts\":[{"), std::string::npos) << "seed " << seed;
  }
}

}  // namespace
}  // namespace claret::testing
