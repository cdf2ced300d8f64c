#include "shard/epoch_manager.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>

#include "ground/mutation.h"

namespace claret {

namespace {

constexpr double kUsualListMs = 25;  // of a shard that has not listed yet

struct VotesOnMember {
  std::size_t listed = 0;
  Timestamp greatest = 0;
};

}  // namespace

void EpochManager::want(std::uint32_t shard, const EpochWantMessage& want) {
  late_.erase(shard);
  wanting_.insert(shard);
  for (const std::uint32_t other : want.shards) wanting_.insert(other);
  urgent_ |= want.urgent;
}

void EpochManager::own_listed() {
  if (!open_ || std::exchange(open_->own_made, true) || mutated(Mutation::kEpochManagerListsLast)) return;
  for (const std::uint32_t shard : open_->close.shards) {
    if (shard != shard_) told_.push_back({shard, open_->close, std::nullopt});
  }
}

void EpochManager::listed(std::uint32_t shard, EpochListMessage list, double now_ms) {
  late_.erase(shard);
  if (!open_ || list.epoch != open_->number) return;
  double& usual = usual_list_ms_.try_emplace(shard, kUsualListMs).first->second;
  usual += kNewestShare * (now_ms - open_->closed_ms - usual);
  open_->lists.insert_or_assign(shard, std::move(list));
  if (open_->lists.size() == open_->close.shards.size()) seal(now_ms);
}

void EpochManager::lost(std::uint32_t shard) {
  wanting_.erase(shard);
  linked_.erase(shard);
  if (!open_ || open_->lists.contains(shard)) return;
  const auto& shards = open_->close.shards;
  if (std::find(shards.begin(), shards.end(), shard) != shards.end()) call_off({shard});
}

void EpochManager::asked(EpochNumber epoch) {
  if (open_ && open_->number == epoch) call_off();
}

void EpochManager::close(double now_ms, Timestamp floor, std::uint64_t incarnation) {
  absl::erase_if(wanting_, [&](std::uint32_t shard) { return !linked_.contains(shard) || late_.contains(shard); });
  wanting_.insert(shard_);
  Open open{.number = epoch_number(shard_, incarnation, ++count_), .close = {}, .closed_ms = now_ms, .lists = {}};
  open.close = {.epoch = open.number, .floor = floor, .shards = {wanting_.begin(), wanting_.end()}};
  if (mutated(Mutation::kEpochManagerListsLast)) {
    for (const std::uint32_t shard : open.close.shards) {
      if (shard != shard_) told_.push_back({shard, open.close, std::nullopt});
    }
  }
  told_.push_back({shard_, open.close, std::nullopt});
  open_ = std::move(open);
  wanting_.clear();
  urgent_ = false;
  closed_ms_ = now_ms;
}

void EpochManager::tell_seal(std::uint32_t shard, EpochSealMessage seal) { told_.push_back({shard, std::nullopt, std::move(seal)}); }

// A member commits if all that take part have listed it, at the greatest of its votes.
void EpochManager::seal(double now_ms) {
  absl::flat_hash_map<AttemptId, VotesOnMember> votes;  // looked up, never iterated
  for (const auto& [shard, list] : open_->lists) {
    for (const ListedMember& member : list.members) {
      VotesOnMember& of = votes[member.id];
      ++of.listed;
      of.greatest = std::max(of.greatest, member.voted_at);
    }
  }
  for (const std::uint32_t shard : open_->close.shards) {
    EpochSealMessage seal{.epoch = open_->number, .committed = {}};
    for (const ListedMember& member : open_->lists[shard].members) {
      const VotesOnMember& of = votes[member.id];
      const bool complete = of.listed == member.others.size() + 1 || mutated(Mutation::kEpochHalf);
      seal.committed.push_back(complete ? of.greatest - member.voted_at + 1 : 0);
    }
    tell_seal(shard, std::move(seal));
  }
  const double took_ms = now_ms - open_->closed_ms;
  usual_ms_ += (took_ms < usual_ms_ ? kFasterShare : kNewestShare) * (took_ms - usual_ms_);
  open_.reset();
}

void EpochManager::call_off(const std::vector<std::uint32_t>& late) {
  for (const std::uint32_t shard : open_->close.shards) {
    tell_seal(shard, {.epoch = open_->number, .committed = {}, .called_off = true, .late = late});
  }
  open_.reset();
  closed_ms_ = -std::numeric_limits<double>::infinity();  // the next one may follow at once
}

double EpochManager::interval_ms() const { return std::clamp(usual_ms_, kIntervalMsMin, kIntervalMsMax); }

double EpochManager::late_at_ms() const {
  double late_ms = 0;
  for (const std::uint32_t shard : open_->close.shards) {
    if (open_->lists.contains(shard)) continue;
    const auto usual = usual_list_ms_.find(shard);
    late_ms = std::max(late_ms, kStraggleTimes * (usual == usual_list_ms_.end() ? kUsualListMs : usual->second));
  }
  return open_->closed_ms + std::clamp(late_ms, kStraggleMsMin, kStraggleMsMax);
}

void EpochManager::tick(double now_ms, Timestamp floor, std::uint64_t incarnation) {
  if (open_ && late_at_ms() <= now_ms) {
    std::vector<std::uint32_t> late;
    for (const std::uint32_t shard : open_->close.shards) {
      if (open_->lists.contains(shard)) continue;
      late.push_back(shard);
      late_.insert(shard);
      // It takes longer than was known.
      double& usual = usual_list_ms_.try_emplace(shard, kUsualListMs).first->second;
      usual = std::min(2 * usual, kStraggleMsMax / kStraggleTimes);
    }
    if (mutated(Mutation::kEpochSealsWithout)) {
      for (const std::uint32_t shard : open_->close.shards) open_->lists.try_emplace(shard);
      seal(now_ms);
    } else {
      call_off(late);
    }
  }
  if (!open_ && !wanting_.empty() && (urgent_ || closed_ms_ + interval_ms() <= now_ms)) close(now_ms, floor, incarnation);
}

double EpochManager::next_ms() const {
  if (open_) return late_at_ms();
  return wanting_.empty() ? std::numeric_limits<double>::infinity() : closed_ms_ + interval_ms();
}

}  // namespace claret
