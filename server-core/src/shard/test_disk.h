// For tests: the logs of a World's shards. Written is what a shard has handed out, durable what it was told is safe; a
// crash keeps what is durable and any part of the rest, in whole entries.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "shard/test_client.h"
#include "wire/log_entry.h"

namespace claret::testing {

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

class Disks {
 public:
  Disks(World& world, ShardOptions options) : world_(world), options_(options), disks_(world.shards.size()) {}

  // Everything so far is durable.
  void sync(std::uint32_t shard) {
    write(shard);
    Disk& disk = disks_[shard];
    disk.durable = disk.entries.size();
    world_.shards[shard]->durable(world_.shards[shard]->log_position(), world_.now());
  }
  void sync_all() {
    for (std::uint32_t shard = 0; shard < disks_.size(); ++shard) sync(shard);
  }

  std::size_t written(std::uint32_t shard) {
    write(shard);
    return disks_[shard].entries.size();
  }
  const std::vector<std::string>& entries(std::uint32_t shard) {
    write(shard);
    return disks_[shard].entries;
  }
  std::size_t durable(std::uint32_t shard) const { return disks_[shard].durable; }

  // What would stand again if the first `entries` were all there is.
  std::unique_ptr<Shard> rebuilt(std::uint32_t shard, std::size_t entries) {
    ShardOptions options = options_;
    options.participant.place = {shard, static_cast<std::uint32_t>(disks_.size())};
    options.participant.incarnation = disks_[shard].incarnation + 1;
    auto made = std::make_unique<Shard>(options);
    for (std::size_t i = 0; i < entries; ++i) {
      const auto problem = made->restore(disks_[shard].entries[i]);
      EXPECT_FALSE(problem) << *problem;
    }
    const auto problem = made->restored(world_.now());
    EXPECT_FALSE(problem) << *problem;
    return made;
  }

  // The shard dies, and stands again with `unsafe` entries beyond the durable ones.
  void crash(std::uint32_t shard, std::size_t unsafe) {
    write(shard);
    Disk& disk = disks_[shard];
    disk.entries.resize(std::min(disk.entries.size(), disk.durable + unsafe));
    auto fresh = rebuilt(shard, disk.entries.size());
    ++disk.incarnation;
    // Its clients still refer to the old one, until they notice.
    graves_.push_back(std::exchange(world_.shards[shard], std::move(fresh)));
    sync(shard);
  }

 private:
  struct Disk {
    std::vector<std::string> entries;
    std::size_t durable = 0;
    std::uint64_t incarnation = 1;
  };

  void write(std::uint32_t shard) {
    std::string bytes;
    if (!world_.shards[shard]->take_log(bytes)) return;
    for (std::string& entry : entries_of(bytes)) disks_[shard].entries.push_back(std::move(entry));
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
