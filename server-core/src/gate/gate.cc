#include "gate/gate.h"

#include <algorithm>

#include "gate/agree.h"
#include "gate/record_operations.h"
#include "gate/warranty.h"
#include "ground/check.h"
#include "ground/errors.h"
#include "ground/mutation.h"

namespace claret {

namespace {

// The operations that the party holds, or is about to hold, on the record before `visit`, in order of issue. Only summed types need them.
std::vector<Held> own_visits(const Visit& visit) {
  std::vector<Held> own;
  if (!visit.call.operation->reserves) return own;
  for (const Visit* other = visit.previous; other != nullptr; other = other->previous) {
    if (other->admitted && !other->intent && !is_of_record(*other->type)) own.push_back({&other->call, &other->result});
  }
  std::reverse(own.begin(), own.end());
  return own;
}

// What limits the operation would be another state than the one that its execution sees.
bool follows_deletion(const Visit& visit) {
  for (const Visit* other = visit.previous; other != nullptr; other = other->previous) {
    if (is_of_record(*other->type) && other->call.operation->id == record_operation::kDelete) return true;
  }
  return false;
}

// Claims with more pairs of operations than this are not compared: they take turns.
constexpr std::size_t kPairsComparedMax = 256;

bool reserves(const Claim& claim) {
  return std::any_of(claim.visits.begin(), claim.visits.end(),
                     [](const Visit* visit) { return visit->call.operation->reserves && !visit->intent; });
}

// Two operations of one mode commute, whatever their results.
bool surely_commute(const Visit& first, const Visit& second) {
  return agree(*first.type, *first.record->state, {&first.call, nullptr}, {&second.call, nullptr});
}

bool has_to_sleep(const Visit& visit, const LockRule& rule) {
  if (visit.call.operation->operation_class == OperationClass::kObserve) return false;
  return rule.quarantined || (!passes(Asker::kHold, Standing::kWarranty) && first_violated(visit, rule) != nullptr);
}

bool others_hold(const Gate* gate, const Party& party) {
  if (gate == nullptr) return false;
  const auto holders = gate->holders();
  return std::any_of(holders.begin(), holders.end(), [&](const Visit* holder) { return holder->party != &party; });
}

}  // namespace

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

bool Gate::passes_queue(Claim& claim, const LockRule& rule, double now_ms, double cap_ms) const {
  if (waiters_.empty() || now_ms - phase_began_ms_ < cap_ms || passes(asker_of(claim), Standing::kQueue)) return true;
  for (const Claim* waiter : waiters_) {
    if (!older(*waiter->party, *claim.party)) break;
    if (waiter == &claim || waiter->is_passed() || !incompatible(claim, *waiter, rule)) continue;
    if (held_by_party_of(claim)) return true;
    claim.mode_blocked = waiter->mode != claim.mode && !waiter->awaits_sum;
    return false;
  }
  return true;
}

const WaitingNative* Gate::kept_out_by(const Claim& claim, const LockRule& rule, double now_ms, double patience_ms) const {
  if (natives_.empty() || held_by_party_of(claim) || passes(asker_of(claim), Standing::kQueue)) return nullptr;
  // A younger holder may wait for this party elsewhere: a wound has to see that the party waits for it.
  const auto may_wait_elsewhere = [&](const Visit* holder) { return holder->voted() && older(*claim.party, *holder->party); };
  if (std::any_of(holders_.begin(), holders_.end(), may_wait_elsewhere)) return nullptr;
  return first_native_against(claim, rule, now_ms - patience_ms);
}

const WaitingNative* Gate::first_native_against(const Claim& claim, const LockRule& rule, double since_ms) const {
  const auto found = std::find_if(natives_.begin(), natives_.end(), [&](const WaitingNative* native) {
    return native->since_ms <= since_ms && !native->sleeps &&
           agree(rule, *claim.record->type, claim.mode, rule.mode_of(*native->call.operation)) != Relation::kAlways;
  });
  return found == natives_.end() ? nullptr : *found;
}

std::uint32_t Gate::others_in_mode(Mode mode, const Visit& visit) const { return holders_by_mode_[mode] - visit.first->held_in_mode[mode]; }

bool Gate::passes_all_in_mode(Mode mode, const Visit& visit) const {
  if (!passes(asker_of(visit), Standing::kSoft)) return false;
  return std::all_of(holders_.begin(), holders_.end(), [&](const Visit* holder) { return holder->mode != mode || passes(visit, *holder); });
}

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

Admission admit(Visit& visit, const LockRule& rule, const Context& context, Refusal& refusal) {
  Record& record = *visit.record;
  const DataType& type = *visit.type;
  if (visit.call.operation->reserves && follows_deletion(visit)) {
    refusal = {errors::kInvalidAttempt, "an operation that may be refused cannot follow the record's deletion in one transaction"};
    return Admission::kRefused;
  }
  const Gate* gate = record.gate.get();

  std::uint32_t depends_on = 0;  // a bit for each mode
  if (gate != nullptr && !gate->holders().empty()) {
    for (Mode mode = 0; mode < kAllModes; ++mode) {
      if (gate->others_in_mode(mode, visit) == 0) continue;
      const Relation relation = agree(rule, type, visit.mode, mode);
      if (relation == Relation::kAlways || gate->passes_all_in_mode(mode, visit)) continue;
      if (relation == Relation::kNever && !mutated(Mutation::kSkipConflict)) {
        if (visit.claim != nullptr) visit.claim->mode_blocked = visit.mode == visit.claim->mode;
        return Admission::kBlocked;
      }
      if (relation == Relation::kDepends) depends_on |= 1u << mode;
    }
  }

  const std::vector<Held> own = own_visits(visit);
  if (!visit.intent) {
    Outcome outcome = execute(record, type, visit.call, own, context);
    if (outcome.refused()) {
      // A holder whose change would lift the refusal may have committed and been answered already.
      if (depends_on != 0 && !mutated(Mutation::kSkipDependent)) {
        visit.executed = false;
        return Admission::kBlocked;
      }
      refusal = outcome.refusal();
      return Admission::kRefused;
    }
    Value result = outcome.take_result();
    if (visit.executed && visit.claim != nullptr && visit.result != result) visit.claim->changed = true;
    visit.result = std::move(result);
  }
  visit.executed = true;

  if (depends_on != 0 && !mutated(Mutation::kSkipDependent)) {
    const Held newcomer{&visit.call, &visit.result};
    for (const Visit* holder : gate->holders()) {
      if (holder->party == visit.party || (depends_on >> holder->mode & 1) == 0 || passes(visit, *holder)) continue;
      if (!agree(newcomer, *holder)) return Admission::kBlocked;
    }
  }
  if (has_to_sleep(visit, rule)) {
    if (visit.claim != nullptr) visit.claim->sleeps = true;
    return Admission::kBlocked;
  }
  if (!visit.intent && type.reserve(*record.state, visit.call, visit.result, own) == DataType::Reservation::kWait) {
    if (others_hold(gate, *visit.party)) {
      if (visit.claim != nullptr) visit.claim->changed = visit.claim->awaits_sum = true;
      return Admission::kBlocked;
    }
    // There is no other party to wait for: the transaction's own operations together leave the range.
    refusal = {errors::kOutOfRange, "the transaction's operations on this record leave its range together"};
    return Admission::kRefused;
  }
  visit.admitted = true;
  return Admission::kGranted;
}

bool readmit(Visit& visit) {
  Record& record = *visit.record;
  const std::vector<Held> own = own_visits(visit);
  visit.admitted = visit.type->reserve(*record.state, visit.call, visit.result, own) == DataType::Reservation::kYes;
  return visit.admitted;
}

void withdraw(Visit& visit) {
  if (!visit.intent) visit.type->release(*visit.record->state, visit.call, visit.result);
  visit.admitted = false;
}

bool passes(const Visit& visit, const Visit& holder) { return passes(asker_of(visit), standing_of(holder)); }

bool conflicts(const Visit& visit, const Visit& holder, const LockRule& rule) {
  if (passes(visit, holder)) return false;
  const DataType& type = *visit.record->type;
  switch (agree(rule, type, visit.mode, holder.mode)) {
    case Relation::kAlways:
      return false;
    case Relation::kNever:
      return true;
    case Relation::kDepends:
      // An earlier operation of its party counted in the state when it was tried, and does not now.
      if (!visit.executed || visit.previous != nullptr) return true;
      return !agree({&visit.call, &visit.result}, holder);
  }
  return true;
}

bool incompatible(const Claim& claim, const Claim& waiter, const LockRule& rule) {
  switch (agree(rule, *claim.record->type, claim.mode, waiter.mode)) {
    case Relation::kAlways:
      return waiter.awaits_sum && reserves(claim);
    case Relation::kNever:
      return true;
    case Relation::kDepends:
      if (claim.mode != waiter.mode || claim.visits.size() * waiter.visits.size() > kPairsComparedMax) return true;
      if (waiter.awaits_sum && reserves(claim)) return true;
      return std::any_of(claim.visits.begin(), claim.visits.end(), [&](const Visit* visit) {
        return std::any_of(waiter.visits.begin(), waiter.visits.end(), [&](const Visit* other) { return !surely_commute(*visit, *other); });
      });
  }
  return true;
}

Mode queue_mode(const Claim& claim) {
  const Mode mode = claim.visits.front()->mode;
  for (const Visit* visit : claim.visits) {
    if (visit->mode != mode) return kExclusiveMode;
  }
  return mode;
}

}  // namespace claret
