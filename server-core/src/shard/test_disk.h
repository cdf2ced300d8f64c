// For tests: the disks of a World's shards. Writes are what a shard has handed out, log entries and pieces of checkpoints, in this order.
// The durable ones were reported back to the shard; a crash keeps them and any prefix of the rest.
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

// Piece size that fits all of a small shard.
inline constexpr std::size_t kEverything = 1 << 20;

// Splits a log into its entries, each of which is a log itself.
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

// The data read back from a number of writes.
struct Kept {
  std::map<std::string, std::string> pairs;
  std::vector<std::string> entries;  // all of them
  std::uint64_t position = 0;  // of the last complete checkpoint

  std::size_t of_kind(KeyKind kind) const {
    return static_cast<std::size_t>(
        std::count_if(pairs.begin(), pairs.end(), [&](const auto& pair) { return pair.first.front() == static_cast<char>(kind); }));
  }
};

class Disks {
 public:
  Disks(World& world, ShardOptions options) : world_(world), options_(options), disks_(world.shards.size()) {}

  // Makes all writes so far durable.
  void sync(std::uint32_t shard) {
    write(shard);
    Disk& disk = disks_[shard];
    disk.durable = disk.writes.size();
    world_.shards[shard]->durable(world_.shards[shard]->log_position(), world_.now());
  }
  void sync_all() {
    for (std::uint32_t shard = 0; shard < disks_.size(); ++shard) sync(shard);
  }

  // The number of writes so far; without checkpoints, the number of entries.
  std::size_t written(std::uint32_t shard) {
    write(shard);
    return disks_[shard].writes.size();
  }
  bool is_piece(std::uint32_t shard, std::size_t number) const { return disks_[shard].writes[number].piece; }
  const std::string& written_bytes(std::uint32_t shard, std::size_t number) const { return disks_[shard].writes[number].bytes; }
  std::vector<std::string> entries(std::uint32_t shard) { return kept(shard, written(shard)).entries; }

  // Takes the next piece of a checkpoint; the first call begins the checkpoint. True if that was the last piece.
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

  // The data that a start finds after the first `writes` writes.
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

  // The shard restored from the first `writes` writes.
  std::unique_ptr<Shard> rebuilt(std::uint32_t shard, std::size_t writes) { return rebuilt(shard, kept(shard, writes)); }
  std::unique_ptr<Shard> rebuilt(std::uint32_t shard, const Kept& kept) {
    auto made = restored_from(shard, kept, disks_[shard].incarnation + 1);
    const auto problem = made->restored(world_.now());
    EXPECT_FALSE(problem) << *problem;
    return made;
  }

  // A shard that has read what there is, and follows.
  struct Follower {
    std::unique_ptr<Shard> shard;
    std::size_t writes = 0;  // that it has read
  };
  Follower follower(std::uint32_t shard) {
    const std::size_t writes = written(shard);
    return {restored_from(shard, kept(shard, writes), 0), writes};
  }

  // The shard dies, and its follower reads the entries that came since, and takes it over.
  void take_over(std::uint32_t shard, Follower follower) {
    write(shard);
    Disk& disk = disks_[shard];
    for (std::size_t i = follower.writes; i < disk.writes.size(); ++i) {
      if (disk.writes[i].piece) continue;
      const auto problem = follower.shard->restore(disk.writes[i].bytes);
      EXPECT_FALSE(problem) << *problem;
    }
    const auto problem = follower.shard->restored(world_.now(), ++disk.incarnation);
    EXPECT_FALSE(problem) << *problem;
    replace(shard, std::move(follower.shard));
  }

  // The shard crashes, and restarts with `unsafe` writes beyond the durable ones.
  void crash(std::uint32_t shard, std::size_t unsafe) {
    write(shard);
    Disk& disk = disks_[shard];
    disk.writes.resize(std::min(disk.writes.size(), disk.durable + unsafe));
    auto fresh = rebuilt(shard, disk.writes.size());
    ++disk.incarnation;
    replace(shard, std::move(fresh));
  }

 private:
  static constexpr std::size_t kEntriesTogether = 3;

  struct Write {
    std::string bytes;
    bool piece = false;  // part of a checkpoint; otherwise an entry
    std::uint64_t position = 0;  // of the checkpoint, in its last piece
  };
  struct Disk {
    std::vector<Write> writes;
    std::size_t durable = 0;
    std::uint64_t incarnation = 1;
    bool taking = false;  // a checkpoint is in progress
  };

  std::unique_ptr<Shard> restored_from(std::uint32_t shard, const Kept& kept, std::uint64_t incarnation) {
    ShardOptions options = options_;
    options.engine.place = {shard, world_.dealt};
    options.engine.incarnation = incarnation;
    auto made = std::make_unique<Shard>(options);
    made->set_shards(static_cast<std::uint32_t>(disks_.size()));
    for (const auto& [key, value] : kept.pairs) {
      std::string pair;
      {
        const Put put(pair, key);
        pair += value;
      }
      const auto problem = made->restore_checkpoint(pair);
      EXPECT_FALSE(problem) << *problem;
    }
    // Entries before the checkpoint are gone, except for a few that were written together with later ones.
    const std::size_t first = kept.position < kEntriesTogether ? 0 : kept.position - kEntriesTogether;
    for (std::size_t i = first; i < kept.entries.size(); ++i) {
      const auto problem = made->restore(kept.entries[i]);
      EXPECT_FALSE(problem) << *problem;
    }
    return made;
  }

  void replace(std::uint32_t shard, std::unique_ptr<Shard> fresh) {
    disks_[shard].taking = false;
    // Clients still refer to the old shard until they notice the restart.
    graves_.push_back(std::exchange(world_.shards[shard], std::move(fresh)));
    sync(shard);
  }

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
  options.engine.logged = true;
  return options;
}

}  // namespace claret::testing
