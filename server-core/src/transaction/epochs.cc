#include "transaction/epochs.h"

#include <algorithm>

#include "ground/check.h"
#include "ground/mutation.h"
#include "wire/limits.h"

namespace claret {

namespace {

bool contains(const ShardList& shards, std::uint32_t shard) { return std::find(shards.begin(), shards.end(), shard) != shards.end(); }

Error missed(std::string message) {
  return {.code = errors::kEpochMissed, .message = std::move(message), .retryable = true, .cause = causes::kEpochMissed};
}

EpochMember& membership(const Attempt& member) { return *member.member_of_epoch; }

// `shards`: those of the epoch that is listed.
bool all_take_part(const Attempt& member, const ShardList& shards) {
  const ShardList& participants = membership(member).prepare.participants;
  return std::all_of(participants.begin(), participants.end(), [&](std::uint32_t shard) { return contains(shards, shard); });
}

}  // namespace

// ---- members ----------------------------------------------------------------------------------------------------------------

std::optional<Error> Epochs::check(std::size_t operations) const {
  if (gathered_.size() < limits::kEpochMembersMax && gathered_operations_ + operations <= limits::kEpochOperationsMax) return std::nullopt;
  Error error = claret::refuse(errors::kOverloaded, "the shard has gathered too many members of epochs", true);
  error.cause = causes::kOverloaded;
  return error;
}

// What is refused for the state's sake reserves, and is judged when it is listed.
const Visit* Epochs::refused(Attempt& member, Refusal& refusal) const {
  for (Visit& visit : member.visits) {
    if (visit.call.operation->reserves || visit.call.arguments.empty()) continue;
    const Outcome outcome = visit.type->execute(*visit.record->state, visit.call, {}, shard_.context);
    if (!outcome.refused()) continue;
    refusal = outcome.refusal();
    return &visit;
  }
  return nullptr;
}

void Epochs::gather(Attempt& member) {
  gathered_.emplace(member.serial, &member);
  gathered_operations_ += member.visits.size();
  ++gathered_for_[membership(member).manager];
}

void Epochs::leave_gathered(Attempt& member) {
  gathered_.erase(member.serial);
  gathered_operations_ -= member.visits.size();
  const auto of = gathered_for_.find(membership(member).manager);
  if (--of->second == 0) gathered_for_.erase(of);
}

void Epochs::ended(Attempt& member) {
  if (gathered_.contains(member.serial)) leave_gathered(member);
}

void Epochs::restore(Attempt& member) {
  Epoch& epoch = epochs_[member.epoch];
  epoch.told = epoch.settling = true;
  epoch.listed.push_back(&member);
  ++epoch.undecided;
  ++undecided_;
}

bool Epochs::may_cut() {
  paused_ = true;
  return (!listing_ && undecided_ == 0 && turns_.empty()) || mutated(Mutation::kCutAmongListed);
}

void Epochs::go_on() {
  if (!std::exchange(paused_, false)) return;
  for (const auto& [serial, member] : gathered_) membership(*member).considered_ms = shard_.clock.now_ms();
}

// Those whose manager closes epochs are looked at when those are listed.
void Epochs::end_forgotten() {
  if (paused_) return;
  ShardList silent;
  for (const auto& [manager, members] : gathered_for_) {
    const auto want = wants_.find(manager);
    if (want == wants_.end() || want->second.heard_ms + patience_of(shard_.locks).passed_over_ms <= shard_.clock.now_ms())
      silent.push_back(manager);
  }
  if (silent.empty()) return;
  for (auto next = gathered_.begin(); next != gathered_.end();) {
    Attempt& member = *next->second;
    if (!contains(silent, membership(member).manager)) {
      ++next;
      continue;
    }
    if (membership(member).considered_ms + patience_of(shard_.locks).passed_over_ms > shard_.clock.now_ms()) return;
    const std::uint64_t serial = member.serial;
    keeper_.end_member_of_epoch(member, missed("no epoch has taken the attempt in time"));
    next = gathered_.upper_bound(serial);
  }
}

// ---- listing ----------------------------------------------------------------------------------------------------------------

bool Epochs::refuses(EpochNumber epoch) const {
  const auto newest = newest_.find(manager_of(epoch));
  return newest != newest_.end() && !is_later(epoch, newest->second) && !mutated(Mutation::kEpochLateList);
}

void Epochs::close(const EpochCloseMessage& close) {
  closes_.push_back(close);
  wants_[manager_of(close.epoch)].told = false;
}

bool Epochs::begin_listing(const EpochCloseMessage& close) {
  if (refuses(close.epoch)) return false;
  newest_.insert_or_assign(manager_of(close.epoch), close.epoch);
  Listing listing{.close = close, .last = gathered_.empty() ? 0 : gathered_.rbegin()->first, .epoch = {}, .message = {}};
  // A clock that is so far ahead is not followed; the members go by locks.
  if (paused_ || close.floor > HybridClock::later(std::max(shard_.clock.wall(), shard_.clock.reached()), kFloorAheadMsMax) ||
      !shard_.clock.tells(close.floor)) {
    listing.last = 0;
  } else {
    shard_.clock.raise(close.floor);
    wants_[manager_of(close.epoch)].heard_ms = shard_.clock.now_ms();
  }
  listing.message.epoch = close.epoch;
  listing_ = std::move(listing);
  const double now_ms = shard_.clock.measured_ms();
  reports_.closed(close.epoch, gathered_.empty() ? now_ms : membership(*gathered_.begin()->second).gathered_ms, now_ms);
  return true;
}

bool Epochs::list_some(std::size_t& budget) {
  // Members of its kind are listed now.
  const auto is_due = [&](const Attempt& member) {
    const EpochMember& one = membership(member);
    return one.manager == manager_of(listing_->close.epoch) && one.prepare.observes_only != listing_->writers;
  };
  for (;;) {
    const auto found = gathered_.lower_bound(listing_->next);
    if (found == gathered_.end() || found->first > listing_->last) {
      if (!std::exchange(listing_->writers, false)) return true;
      listing_->next = 0;
      continue;
    }
    if (budget == 0) return false;
    Attempt& member = *found->second;
    listing_->next = member.serial + 1;
    if (!is_due(member)) continue;
    if (!all_take_part(member, listing_->close.shards)) {
      if (membership(member).considered_ms + patience_of(shard_.locks).passed_over_ms <= shard_.clock.now_ms())
        keeper_.end_member_of_epoch(member, missed("a shard of the attempt takes part in no epoch"));
      continue;
    }
    budget -= std::min(budget, member.visits.size());
    list(member);
  }
}

void Epochs::list(Attempt& member) {
  member.epoch = listing_->close.epoch;
  membership(member).considered_ms = shard_.clock.now_ms();
  Refusal refusal;
  const Visit* refused = nullptr;
  switch (shard_.locks.list(member, shard_.clock.now_ms(), refusal, refused)) {
    case Listed::kHeld:
      break;
    case Listed::kMissed:
      member.epoch = 0;
      ++shard_.counters.totals.epoch_contested;
      reports_.kept_out(listing_->close.epoch);
      if ((membership(member).misses += kMissesOfContested) >= kContestedMax * kMissesOfContested) {
        keeper_.end_member_of_epoch(member, missed("none of its epochs has taken the attempt"));
      }
      return;
    case Listed::kRefused:
      member.epoch = 0;
      keeper_.refuse_member_of_epoch(member, refusal, *refused);
      return;
  }
  leave_gathered(member);
  membership(member).shards = listing_->close.shards;
  if (!keeper_.vote_listed(member)) return;
  Epoch& epoch = listing_->epoch;
  if (member.participants.empty()) {
    epoch.alone.push_back(&member);
  } else {
    epoch.listed.push_back(&member);
    listing_->message.members.push_back({member.id, member.participants, member.voted_at});
  }
  ++epoch.undecided;
  ++undecided_;
  reports_.joined(member.epoch);
}

void Epochs::end_listing() {
  Listing& listing = *listing_;
  std::uint64_t position = 0;
  Timestamp last = 0;
  for (const Attempt* member : listing.epoch.listed) {
    position = std::max(position, member->vote_position);
    last = std::max(last, member->voted_at);
  }
  // A timestamp leaves only once its ceiling is durable. While nothing can be logged, only readers are listed, and their answers wait for that.
  if (last != 0) position = std::max(position, shard_.clock.ceiling_position());
  if (mutated(Mutation::kEpochListBeforeDurable)) position = 0;
  lists_.push_back({std::move(listing.message), position});
  reports_.listed(listing.close.epoch, shard_.clock.measured_ms());
  if (listing.epoch.undecided != 0) {
    ++shard_.counters.totals.epochs;
    listing.epoch.since_ms = shard_.clock.now_ms();
    epochs_.emplace(listing.close.epoch, std::move(listing.epoch));
  } else {
    // What is gathered waits for shards that did not take part.
    Want& want = wants_[manager_of(listing.close.epoch)];
    want.told = true;
    want.told_ms = shard_.clock.now_ms() - kWantAgainMs + kWantAfterNothingMs;
  }
  listing_.reset();
}

// Nobody was told of the list.
void Epochs::give_up_listing() {
  reports_.listed(listing_->close.epoch, shard_.clock.measured_ms());
  const Epoch epoch = std::move(listing_->epoch);
  listing_.reset();
  undecided_ -= epoch.undecided;
  for (const auto& members : {epoch.listed, epoch.alone}) {
    for (Attempt* member : members) miss(*member);
  }
}

// ---- decisions --------------------------------------------------------------------------------------------------------------

void Epochs::seal(const EpochSealMessage& seal) {
  if (seal.called_off) return call_off(seal.epoch, seal.late);
  const auto found = epochs_.find(seal.epoch);
  if (found == epochs_.end() || seal.committed.size() != found->second.listed.size()) return;
  const Epoch epoch = std::move(found->second);
  // What is decided one by one while a manager is silent is decided in the same way.
  epochs_.erase(found);
  undecided_ -= epoch.undecided;
  reports_.decided(seal.epoch, shard_.clock.measured_ms());
  for (std::size_t i = 0; i < epoch.listed.size(); ++i) {
    if (epoch.listed[i] == nullptr) continue;
    if (seal.committed[i] == 0) {
      miss(*epoch.listed[i]);
    } else {
      commit_in_turn(*epoch.listed[i], epoch.listed[i]->voted_at + seal.committed[i] - 1);
    }
  }
  for (Attempt* member : epoch.alone) {
    if (member != nullptr) commit_in_turn(*member, member->voted_at);
  }
}

void Epochs::call_off(EpochNumber number, const std::vector<std::uint32_t>& late) {
  const auto found = epochs_.find(number);
  if (found == epochs_.end()) {
    // It may come while the shard lists.
    if (listing_ && listing_->close.epoch == number) {
      reports_.listed(number, shard_.clock.measured_ms());
      reports_.called_off(number, late, shard_.clock.measured_ms());
      give_up_listing();
    }
    std::erase_if(closes_, [&](const EpochCloseMessage& close) { return close.epoch == number; });
    return;
  }
  if (found->second.told && !mutated(Mutation::kEpochOffAfterTold)) return settle(found->second);
  ++shard_.counters.totals.epochs_called_off;
  reports_.called_off(number, late, shard_.clock.measured_ms());
  const Epoch epoch = std::move(found->second);
  epochs_.erase(found);
  undecided_ -= epoch.undecided;
  for (const auto& members : {epoch.listed, epoch.alone}) {
    for (Attempt* member : members) {
      if (member != nullptr) miss(*member);
    }
  }
}

void Epochs::manager_lost(std::uint32_t manager) {
  wants_.erase(manager);
  std::erase_if(closes_, [&](const EpochCloseMessage& close) { return manager_of(close.epoch) == manager; });
  if (listing_ && manager_of(listing_->close.epoch) == manager) give_up_listing();
  for (auto& [number, epoch] : epochs_) {
    if (manager_of(number) == manager) settle(epoch);
  }
}

void Epochs::settle(Epoch& epoch) {
  epoch.told = true;
  if (std::exchange(epoch.settling, true)) return;
  for (const auto* members : {&epoch.listed, &epoch.alone}) {
    for (Attempt* member : *members) {
      if (member != nullptr) shard_.doubts.add(*member, shard_.clock.now_ms());
    }
  }
}

bool Epochs::asked(EpochNumber number) {
  if (listing_ && listing_->close.epoch == number && !mutated(Mutation::kEpochLateList)) give_up_listing();
  EpochNumber& newest = newest_.try_emplace(manager_of(number), number).first->second;
  if (is_later(number, newest)) newest = number;
  const auto found = epochs_.find(number);
  if (found == epochs_.end()) return false;
  found->second.told = true;
  return true;
}

void Epochs::decide(Attempt& member, Timestamp at) {
  const auto found = epochs_.find(member.epoch);
  if (found == epochs_.end() || membership(member).decided_at != 0) return;
  Epoch& epoch = found->second;
  std::vector<Attempt*>& members = member.participants.empty() ? epoch.alone : epoch.listed;
  *std::find(members.begin(), members.end(), &member) = nullptr;
  --undecided_;
  if (--epoch.undecided == 0) epochs_.erase(found);
  if (at != 0) {
    commit_in_turn(member, at);
  } else {
    miss(member);
  }
}

void Epochs::commit_in_turn(Attempt& member, Timestamp at) {
  shard_.doubts.remove(member);
  membership(member).decided_at = at;
  turns_.add(member, at);
}

// It holds nothing any more, and is gathered again.
void Epochs::miss(Attempt& member) {
  ++shard_.counters.totals.epoch_incomplete;
  reports_.came_back(member.epoch, shard_.clock.measured_ms());
  shard_.doubts.remove(member);
  // Whoever is told that it has failed relies on this entry.
  member.outcome_position = std::max(member.outcome_position, shard_.log.outcome(member, 0));
  member.logged = false;
  member.stage = Stage::kRunning;
  member.voted_at = 0;
  shard_.locks.unlist(member);
  member.epoch = 0;
  membership(member).considered_ms = shard_.clock.now_ms();
  turns_.stir();
  gather(member);
  if (membership(member).dropped || member.coordinator == nullptr) {
    keeper_.end_member_of_epoch(member, missed("its client has given the attempt up"));
  } else if (++membership(member).misses >= kContestedMax * kMissesOfContested) {
    keeper_.end_member_of_epoch(member, missed("none of its epochs has committed the attempt"));
  }
}

// ---- turns ------------------------------------------------------------------------------------------------------------------

void Epochs::give_turns(std::size_t& budget) {
  const auto is_open = [&](EpochNumber epoch) { return epochs_.contains(epoch); };
  turns_.run(budget, is_open, [&](Attempt& member) {
    const Turn turn{member.epoch, member.visits.size(), membership(member).prepare.observes_only};
    const bool committed = keeper_.commit_member_of_epoch(member, membership(member).decided_at);
    if (committed) {
      ++shard_.counters.totals.epoch_members;
      shard_.counters.totals.epoch_operations += turn.operations;
    }
    reports_.had_turn(turn, committed, shard_.clock.measured_ms());
  });
}

void Epochs::turn() {
  std::size_t budget = kOperationsPerStep;
  if (turns_.due()) give_turns(budget);
  while (budget > 0 && (listing_ || !closes_.empty())) {
    if (!listing_) {
      const EpochCloseMessage close = std::move(closes_.front());
      closes_.pop_front();
      if (!begin_listing(close)) continue;
    }
    if (list_some(budget)) end_listing();
  }
  for (auto& [number, epoch] : epochs_) {
    const bool is_silent =
        manager_of(number) != shard_.number && epoch.since_ms + patience_of(shard_.locks).silent_ms <= shard_.clock.now_ms();
    if (is_silent && !epoch.settling) settle(epoch);
  }
  end_forgotten();
}

double Epochs::next_ms() const {
  double next = std::numeric_limits<double>::infinity();
  if (!gathered_.empty() && !paused_) {
    const EpochMember& oldest = membership(*gathered_.begin()->second);
    const auto want = wants_.find(oldest.manager);
    next = std::max(oldest.considered_ms, want == wants_.end() ? 0 : want->second.heard_ms) + patience_of(shard_.locks).passed_over_ms;
  }
  for (const auto& [manager, want] : wants_) {
    if (want.told && gathered_for_.contains(manager)) next = std::min(next, want.told_ms + kWantAgainMs);
  }
  for (const auto& [number, epoch] : epochs_) {
    if (!epoch.settling && manager_of(number) != shard_.number) next = std::min(next, epoch.since_ms + patience_of(shard_.locks).silent_ms);
  }
  return next;
}

// ---- output -----------------------------------------------------------------------------------------------------------------

std::vector<std::pair<std::uint32_t, EpochWantMessage>> Epochs::take_wants(absl::FunctionRef<bool(std::uint32_t)> is_reached) {
  std::vector<std::pair<std::uint32_t, EpochWantMessage>> wants;
  // While turns are due the next list would be late, and others would wait for it.
  if (listing_ || turns_.due() || paused_) return wants;
  for (const auto& [manager, members] : gathered_for_) {
    Want& want = wants_[manager];
    if (!is_reached(manager) || (want.told && want.told_ms + kWantAgainMs > shard_.clock.now_ms())) continue;
    want.told = true;
    want.told_ms = shard_.clock.now_ms();
    EpochWantMessage message;
    message.urgent = gathered_operations_ > limits::kEpochOperationsMax / 2;
    for (const auto& [serial, member] : gathered_) {
      if (membership(*member).manager != manager) continue;
      for (const std::uint32_t shard : membership(*member).prepare.participants) {
        if (!contains(message.shards, shard)) message.shards.push_back(shard);
      }
    }
    wants.emplace_back(manager, std::move(message));
  }
  return wants;
}

ShardList Epochs::managers() const {
  ShardList managers;
  for (const auto& [manager, members] : gathered_for_) managers.push_back(manager);
  for (const auto& [number, epoch] : epochs_) {
    if (!contains(managers, manager_of(number))) managers.push_back(manager_of(number));
  }
  return managers;
}

}  // namespace claret
