#include "gate/gate.h"

#include <algorithm>

#include "ground/check.h"

namespace claret {

void Gate::count(Visit& holder) {
  ++holders_by_mode_[holder.mode];
  ++holder.first->held_in_mode[holder.mode];
}

void Gate::add_holder(Visit& visit, double now_ms) {
  CLARET_CHECK(!visit.held);
  if (holders_.empty() && waiters_.empty()) begin_phase(now_ms);
  visit.held = true;
  visit.holder_index = static_cast<std::uint32_t>(holders_.size());
  holders_.push_back(&visit);
  count(visit);
}

void Gate::remove_holder(Visit& visit) {
  CLARET_CHECK(visit.held && holders_[visit.holder_index] == &visit);
  --holders_by_mode_[visit.mode];
  --visit.first->held_in_mode[visit.mode];
  Visit* last = holders_.back();
  holders_[visit.holder_index] = last;
  last->holder_index = visit.holder_index;
  holders_.pop_back();
  visit.held = false;
}

Run& Gate::run_of(std::uint64_t owner) {
  if (run_ == nullptr) {
    CLARET_CHECK(holders_.empty());
    run_ = std::make_unique<Run>(owner);
  }
  CLARET_CHECK(run_->owner == owner || passes(Asker::kRide, Standing::kTip));
  return *run_;
}

double Gate::waited_for_since_ms() const {
  double since_ms = natives_.empty() ? std::numeric_limits<double>::infinity() : natives_.front()->since_ms;
  for (const Claim* waiter : waiters_) since_ms = std::min(since_ms, waiter->waiting_since_ms);
  return since_ms;
}

void Gate::add_waiter(Claim& claim, double now_ms) {
  CLARET_CHECK(!claim.waiting);
  const auto place = std::upper_bound(waiters_.begin(), waiters_.end(), &claim,
                                      [](const Claim* a, const Claim* b) { return older(*a->party, *b->party); });
  waiters_.insert(place, &claim);
  claim.party->waiting.push_back(&claim);
  claim.waiting = true;
  claim.waiting_since_ms = now_ms;
}

void Gate::remove_waiter(Claim& claim) {
  CLARET_CHECK(claim.waiting);
  const auto place = std::lower_bound(waiters_.begin(), waiters_.end(), &claim,
                                      [](const Claim* a, const Claim* b) { return older(*a->party, *b->party); });
  waiters_.erase(std::find(place, waiters_.end(), &claim));
  auto& waiting = claim.party->waiting;
  waiting.erase(std::find(waiting.begin(), waiting.end(), &claim));
  claim.waiting = false;
}

bool Gate::held_by_party_of(const Claim& claim) const {
  const auto& held = claim.visits.front()->first->held_in_mode;
  return std::any_of(held.begin(), held.end(), [](std::uint16_t count) { return count != 0; });
}

std::uint32_t Gate::others_in_mode(Mode mode, const Visit& visit) const { return holders_by_mode_[mode] - visit.first->held_in_mode[mode]; }

void Gate::change_rule(const LockRule& rule) {
  holders_by_mode_.fill(0);
  for (Visit* holder : holders_) holder->first->held_in_mode.fill(0);
  for (Visit* holder : holders_) {
    holder->mode = rule.mode_of(*holder);
    count(*holder);
  }
  for (Claim* claim : waiters_) {
    for (Visit* visit : claim->visits) visit->mode = rule.mode_of(*visit);
    claim->mode = queue_mode(*claim);
  }
}

Mode queue_mode(const Claim& claim) {
  const Mode mode = claim.visits.front()->mode;
  for (const Visit* visit : claim.visits) {
    if (visit->mode != mode) return kExclusiveMode;
  }
  return mode;
}

}  // namespace claret
