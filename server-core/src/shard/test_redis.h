// For tests: a Redis client of a shard's door, and the links between the doors of a World.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resp/request_writer.h"
#include "shard/test_world.h"

namespace claret::testing {

inline std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    if (end > 0) words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

class RedisClient {
 public:
  RedisClient(World& world, std::uint32_t peer, std::uint32_t shard = 0) : world_(world), shard_(*world.shards[shard]), peer_(peer) {
    if (!shard_.door().is_open()) shard_.door().open({});
    shard_.connect_resp(peer_, "127.0.0.1:1", "127.0.0.1:2", world_.now());
  }

  // Sends commands, each a line of words, in one chunk, and returns what is answered at once.
  std::string say_all(const std::vector<std::string>& lines) {
    std::string bytes;
    for (const std::string& line : lines) resp::append_request(bytes, words_of(line));
    return send(bytes);
  }
  std::string say(const std::string& line) { return say_all({line}); }
  std::string send(std::string_view bytes) {
    shard_.begin(world_.now());
    shard_.take(peer_, bytes);
    for (const std::uint32_t peer : shard_.finish()) world_.ready[{&shard_, peer}] = true;
    world_.after_input();
    return read();
  }
  // What has come since.
  std::string read() {
    std::string all, bytes;
    while (shard_.drain(peer_, bytes)) all += bytes;
    return all;
  }
  bool closed() const { return shard_.closed(peer_); }
  void leave() { shard_.disconnect(peer_, world_.now()); }

 private:
  World& world_;
  Shard& shard_;
  std::uint32_t peer_;
};

// The streams between the doors of two shards: all that is sent on arrives at once, or when asked for.
class DoorLinks {
 public:
  explicit DoorLinks(World& world, DoorOptions options = {}) : world_(world) {
    std::vector<resp::ClusterNode> nodes;
    for (std::uint32_t shard = 0; shard < world.shards.size(); ++shard) {
      resp::ClusterNode node{
          .id = std::string(40, static_cast<char>('a' + shard)), .host = "host", .port = static_cast<std::uint16_t>(7000 + shard)};
      for (const OwnedRun& run : world.shards[shard]->slots()) node.slots.push_back(run.slots);
      nodes.push_back(std::move(node));
    }
    for (std::uint32_t shard = 0; shard < world.shards.size(); ++shard) {
      world.shards[shard]->door().open(options);
      world.shards[shard]->door().set_nodes(nodes, shard);
    }
  }

  // Connects what is wanted, and carries bytes until there are none.
  void pump() {
    for (bool any = true; any;) {
      any = false;
      for (auto& shard : world_.shards) {
        for (const WantedLink& wanted : shard->door().wanted_links()) connect(*shard, wanted);
      }
      for (const auto& [here, there] : ends_) any = carry(here, there) || any;
    }
  }
  // The streams break.
  void cut() {
    for (const auto& [here, there] : std::exchange(ends_, {})) here.first->disconnect(here.second, world_.now());
  }

 private:
  using End = std::pair<Shard*, std::uint32_t>;

  void connect(Shard& from, const WantedLink& wanted) {
    Shard& to = *world_.shards[wanted.port - 7000u];
    const std::uint32_t peer = ++peers_;
    if (!from.connect_link(peer, wanted.number, world_.now())) return;
    to.connect_resp(peer, "127.0.0.1:3", "127.0.0.1:4", world_.now());
    ends_.insert({{&from, peer}, {&to, peer}});
    ends_.insert({{&to, peer}, {&from, peer}});
  }
  bool carry(const End& here, const End& there) {
    std::string bytes;
    if (!here.first->drain(here.second, bytes)) return false;
    there.first->begin(world_.now());
    there.first->take(there.second, bytes);
    there.first->finish();
    return true;
  }

  World& world_;
  std::uint32_t peers_ = 1000;
  std::map<End, End> ends_;
};

}  // namespace claret::testing
