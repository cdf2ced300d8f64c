// The manager of epochs (transaction/epochs.h): says when they are, and puts the lists of their shards together. Any shard can be one; clients name
// the one that their members follow. Two at a time harm nobody.
//
// idle ──a shard wants an epoch, and the interval is over──▶ own: this shard lists first
//   ──its list is there──▶ open: the others were asked to list ──all lists are there, and durable──▶ sealed, idle
//                              └──a list is late, or somebody has asked──▶ called off, idle
//
// An epoch is closed as soon as one is wanted, but no sooner than the interval after the one before: as long as it usually takes to put the lists
// together. Longer intervals only make lists wait. A list is late after 4 times as long as that shard's usually take; the shard is asked again
// once it says something. Nothing here is durable: what was not sealed is settled by the shards. Pure, and not thread-safe.
#pragma once

#include <absl/container/btree_map.h>
#include <absl/container/btree_set.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "wire/epoch_fields.h"

namespace claret {

class EpochManager {
 public:
  explicit EpochManager(std::uint32_t shard) : shard_(shard) {}

  // ---- what shards say; this one too
  // A shard that wants nothing takes part if another one's members do, and it is linked.
  void want(std::uint32_t shard, const EpochWantMessage& want);
  void linked(std::uint32_t shard) {
    linked_.insert(shard);
    late_.erase(shard);
  }
  // This shard has made its list. The others may be asked.
  void own_listed();
  // The list is durable.
  void listed(std::uint32_t shard, EpochListMessage list, double now_ms);
  // The shard hears nothing and says nothing any more.
  void lost(std::uint32_t shard);
  // A shard has asked another one than this about the epoch: it does not wait for its seal.
  void asked(EpochNumber epoch);

  // ---- what they are to be told, in order
  struct Told {
    std::uint32_t shard;
    std::optional<EpochCloseMessage> close;
    std::optional<EpochSealMessage> seal;
  };
  std::vector<Told> take_told() { return std::exchange(told_, {}); }
  bool any_told() const { return !told_.empty(); }

  // Closes an epoch if one is due, and calls off one that a shard is late for. `floor`: what the shard's clock has reached. `incarnation`: of its
  // start.
  void tick(double now_ms, Timestamp floor, std::uint64_t incarnation);
  // Infinity if nothing is due.
  double next_ms() const;

 private:
  static constexpr double kIntervalMsMin = 1;
  static constexpr double kIntervalMsMax = 50;
  static constexpr double kStraggleMsMin = 10;
  static constexpr double kStraggleMsMax = 250;
  static constexpr double kStraggleTimes = 4;
  static constexpr double kNewestShare = 1.0 / 8;
  // Of an epoch that was faster than usual: a few slow ones are not to make all that follow wait.
  static constexpr double kFasterShare = 1.0 / 2;

  struct Open {
    EpochNumber number;
    EpochCloseMessage close;
    bool own_made = false;
    double closed_ms;
    absl::btree_map<std::uint32_t, EpochListMessage> lists;  // by shard
  };

  double interval_ms() const;
  double late_at_ms() const;
  void close(double now_ms, Timestamp floor, std::uint64_t incarnation);
  void seal(double now_ms);
  // `late`: the shards whose lists are.
  void call_off(const std::vector<std::uint32_t>& late = {});
  void tell_seal(std::uint32_t shard, EpochSealMessage seal);

  std::uint32_t shard_;
  absl::btree_set<std::uint32_t> linked_;  // those that hear what they are told
  absl::btree_set<std::uint32_t> late_;  // whose lists were, and that have said nothing since: no epoch waits for them again
  absl::btree_set<std::uint32_t> wanting_;  // shards to take part in the next epoch
  bool urgent_ = false;
  std::optional<Open> open_;
  std::uint64_t count_ = 0;
  double closed_ms_ = -std::numeric_limits<double>::infinity();  // the last one
  double usual_ms_ = kIntervalMsMin;  // from a close to its seal
  absl::btree_map<std::uint32_t, double> usual_list_ms_;  // by shard
  std::vector<Told> told_;
};

}  // namespace claret
