// For tests: what is kept of a World's shards. Written is what a shard has handed out, entries of its log and pieces of
// checkpoints, in this order; durable what it was told is safe; a crash keeps what is durable and any part of the rest.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "shard/test_client.h"
#include "wire/checkpoint.h"
#include "wire/log_entry.h"

namespace claret::testing {

// Bytes of a checkpoint piece that holds all of a small shard.
inline constexpr std::size_t kEverything = 1 << 20;

// The entries of a log as strings of their own, each a log again.
inline std::vector<std::string> entries_of(const std::string& log) {
  std::vector<std::string_view> views;
  EXPECT_TRUE(split_log(log, views));
  std::vector<std::string> entries;
  for (const std::string_view view : views) {
    protozero::pbf_writer writer(entries.emplace_back());
    writer.add_bytes(1, view.data(), view.size());
  }
  return entries;
}

// What is read back of a number of writes.
struct Kept {
  std::map<std::string, std::string> pairs;
  std::vector<std::string> entries;  // all of them
  std::uint64_t position = 0;  // of the last checkpoint that was finished

  std::size_t of_kind(KeyKind kind) const {
    return static_cast<std::size_t>(
        std::count_if(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair.first.front() == static_cast<char>(kind); }));
  }
};

class Disks {
 public:
  Disks(World& world, ShardOptions options) : world_(world), options_(options), disks_(world.shards.size()) {}

  // Everything so far is durable.
  void sync(std::uint32_t shard) {
    write(shard);
    Disk& disk = disks_[shard];
    disk.durable = disk.writes.size();
    world_.shards[shard]->durable(world_.shards[shard]->log_position(), world_.now());
  }
  void sync_all() {
    for (std::uint32_t shard = 0; shard < disks_.size(); ++shard) sync(shard);
  }

  // Writes so far; without checkpoints: entries.
  std::size_t written(std::uint32_t shard) {
    write(shard);
    return disks_[shard].writes.size();
  }
  const std::string& written_bytes(std::uint32_t shard, std::size_t number) const { return disks_[shard].writes[number].bytes; }
  std::vector<std::string> entries(std::uint32_t shard) { return kept(shard, written(shard)).entries; }

  // The next piece of a checkpoint, which begins with the first. True when that was the last.
  bool checkpoint(std::uint32_t shard, std::size_t bytes_max) {
    write(shard);
    Disk& disk = disks_[shard];
    if (!std::exchange(disk.taking, true)) {
      const auto problem = world_.shards[shard]->begin_checkpoint();
      EXPECT_FALSE(problem) << *problem;
    }
    CheckpointPiece piece;
    const auto problem = world_.shards[shard]->take_checkpoint(bytes_max, piece);
    EXPECT_FALSE(problem) << *problem;
    if (piece.position != 0) disk.taking = false;
    if (!piece.pairs.empty()) disk.writes.push_back({.bytes = piece.pairs, .piece = true, .position = piece.position});
    return piece.position != 0;
  }

  // What a start finds, of the first so many writes.
  Kept kept(std::uint32_t shard, std::size_t writes) const {
    Kept kept;
    for (std::size_t i = 0; i < writes; ++i) {
      const Write& one = disks_[shard].writes[i];
      if (one.piece) {
        apply(one.bytes, kept.pairs);
        kept.position = std::max(kept.position, one.position);
      } else {
        kept.entries.push_back(one.bytes);
      }
    }
    return kept;
  }

  // What would stand again if the first `writes` were all there is.
  std::unique_ptr<Shard> rebuilt(std::uint32_t shard, std::size_t writes) { return rebuilt(shard, kept(shard, writes)); }
  std::unique_ptr<Shard> rebuilt(std::uint32_t shard, const Kept& kept) {
    ShardOptions options = options_;
    options.participant.place = {shard, static_cast<std::uint32_t>(disks_.size())};
    options.participant.incarnation = disks_[shard].incarnation + 1;
    auto made = std::make_unique<Shard>(options);
    for (const auto& [key, value] : kept.pairs) {
      std::string pair;
      {
        const Put put(pair, key);
        pair += value;
      }
      const auto problem = made->restore_checkpoint(pair);
      EXPECT_FALSE(problem) << *problem;
    }
    // Those before the checkpoint are gone, but for a few that were written together with the next.
    const std::size_t first = kept.position < kEntriesTogether ? 0 : kept.position - kEntriesTogether;
    for (std::size_t i = first; i < kept.entries.size(); ++i) {
      const auto problem = made->restore(kept.entries[i]);
      EXPECT_FALSE(problem) << *problem;
    }
    const auto problem = made->restored(world_.now());
    EXPECT_FALSE(problem) << *problem;
    return made;
  }

  // The shard dies, and stands again with `unsafe` writes beyond the durable ones.
  void crash(std::uint32_t shard, std::size_t unsafe) {
    write(shard);
    Disk& disk = disks_[shard];
    disk.writes.resize(std::min(disk.writes.size(), disk.durable + unsafe));
    auto fresh = rebuilt(shard, disk.writes.size());
    ++disk.incarnation;
    disk.taking = false;
    // Its clients still refer to the old one, until they notice.
    graves_.push_back(std::exchange(world_.shards[shard], std::move(fresh)));
    sync(shard);
  }

 private:
  static constexpr std::size_t kEntriesTogether = 3;

  struct Write {
    std::string bytes;
    bool piece = false;  // of a checkpoint; else an entry
    std::uint64_t position = 0;  // of the checkpoint, of its last piece
  };
  struct Disk {
    std::vector<Write> writes;
    std::size_t durable = 0;
    std::uint64_t incarnation = 1;
    bool taking = false;  // a checkpoint is under way
  };

  static void apply(std::string_view pairs, std::map<std::string, std::string>& kept) {
    while (!pairs.empty()) {
      Pair pair;
      ASSERT_TRUE(take_pair(pairs, pair));
      const std::string key(pair.key), value(pair.value);
      if (pair.kind == PairKind::kPut) {
        kept.insert_or_assign(key, value);
      } else {
        kept.erase(kept.lower_bound(key), kept.lower_bound(value));
      }
    }
  }

  void write(std::uint32_t shard) {
    std::string bytes;
    if (!world_.shards[shard]->take_log(bytes)) return;
    for (std::string& entry : entries_of(bytes)) disks_[shard].writes.push_back({.bytes = std::move(entry)});
  }

  World& world_;
  ShardOptions options_;
  std::vector<Disk> disks_;
  std::vector<std::unique_ptr<Shard>> graves_;
};

inline ShardOptions logged_options() {
  ShardOptions options;
  options.participant.logged = true;
  return options;
}

}  // namespace claret::testing
