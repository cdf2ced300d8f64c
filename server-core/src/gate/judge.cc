#include "gate/judge.h"

#include <algorithm>

#include "gate/agree.h"
#include "gate/record_operations.h"
#include "gate/warranty.h"
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

bool others_hold(const Gate* gate, const Party& party) {
  if (gate == nullptr) return false;
  const auto holders = gate->holders();
  return std::any_of(holders.begin(), holders.end(), [&](const Visit* holder) { return holder->party != &party; });
}

// Does the visit pass all holders of `mode`, although the modes may conflict?
bool passes_all_in_mode(const Gate& gate, Mode mode, const Visit& visit) {
  if (!passes(asker_of(visit), Standing::kSoft)) return false;
  const auto holders = gate.holders();
  return std::all_of(holders.begin(), holders.end(), [&](const Visit* holder) { return holder->mode != mode || passes(visit, *holder); });
}

// A native that has waited for long keeps the claim out. Without this rule, readers that come and vote without end could keep a writing native waiting
// for ever. A party that already holds the record is not kept out, nor one that is older than a voted holder, for which natives wait: that holder may
// wait for it elsewhere, the wound rules know nothing of natives, and there are only so many older parties. Nor is a claim that passes attempts that have
// yet to vote: natives never wait for it.
bool is_kept_out(const Claim& claim, const Gate& gate, const GateRules& rules, double now_ms) {
  if (gate.natives().empty() || gate.held_by_party_of(claim) || passes(asker_of(claim), Standing::kQueue)) return false;
  // A younger holder may wait for this party elsewhere: a wound has to see that the party waits for it.
  const auto may_wait_elsewhere = [&](const Visit* holder) { return holder->voted() && older(*claim.party, *holder->party); };
  const auto holders = gate.holders();
  if (std::any_of(holders.begin(), holders.end(), may_wait_elsewhere)) return false;
  return first_native_against(claim, rules.locks, now_ms - rules.patience.native_ms) != nullptr;
}

Verdict judge_queue(const Claim& claim, const Gate& gate, const GateRules& rules, double now_ms) {
  const bool is_early = now_ms - gate.phase_began_ms() < rules.patience.phase_cap_ms;
  if (gate.waiters().empty() || is_early || passes(asker_of(claim), Standing::kQueue)) return verdicts::kPass;
  for (const Claim* waiter : gate.waiters()) {
    if (!older(*waiter->party, *claim.party)) break;
    if (waiter == &claim || waiter->is_passed() || !incompatible(claim, *waiter, rules.locks)) continue;
    if (gate.held_by_party_of(claim)) break;
    return verdicts::wait(Why::kQueue, waiter->mode != claim.mode && waiter->verdict.why != Why::kSum);
  }
  return verdicts::kPass;
}

// Whether it is the claim's turn, whatever the holders are.
Verdict judge_turn(const Claim& claim, const GateRules& rules, bool heed_queue, double now_ms) {
  if (rules.drain.covers(*claim.record)) {
    if (rules.drain.is_inside(*claim.party)) return verdicts::kPass;
    if (!passes(asker_of(claim), Standing::kDrain)) return verdicts::wait(Why::kDrain);
  }
  const Gate* gate = claim.record->gate.get();
  if (gate == nullptr) return verdicts::kPass;
  if (is_kept_out(claim, *gate, rules, now_ms)) return verdicts::wait(Why::kNative);
  return heed_queue ? judge_queue(claim, *gate, rules, now_ms) : verdicts::kPass;
}

}  // namespace

Why kept_out_by_promise(const Visit& visit, const LockRule& rule) {
  if (visit.call.operation->operation_class == OperationClass::kObserve) return Why::kNothing;
  if (rule.quarantined) return Why::kQuarantine;
  return !passes(asker_of(visit), Standing::kWarranty) && first_violated(visit, rule) != nullptr ? Why::kWarranty : Why::kNothing;
}

Verdict admit(Visit& visit, const LockRule& rule, const Context& context, Refusal& refusal) {
  Record& record = *visit.record;
  const DataType& type = *visit.type;
  if (visit.call.operation->reserves && follows_deletion(visit)) {
    refusal = {errors::kInvalidAttempt, "an operation that may be refused cannot follow the record's deletion in one transaction"};
    return verdicts::kRefuse;
  }
  const Gate* gate = record.gate.get();

  std::uint32_t depends_on = 0;  // a bit for each mode
  if (gate != nullptr && !gate->holders().empty()) {
    for (Mode mode = 0; mode < kAllModes; ++mode) {
      if (gate->others_in_mode(mode, visit) == 0) continue;
      const Relation relation = agree(rule, type, visit.mode, mode);
      if (relation == Relation::kAlways || passes_all_in_mode(*gate, mode, visit)) continue;
      if (relation == Relation::kNever && !mutated(Mutation::kSkipConflict)) {
        return verdicts::wait(Why::kHolder, visit.claim != nullptr && visit.mode == visit.claim->mode);
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
        return verdicts::wait(Why::kHolder);
      }
      refusal = outcome.refusal();
      return verdicts::kRefuse;
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
      if (!agree(newcomer, *holder)) return verdicts::wait(Why::kHolder);
    }
  }
  if (const Why why = kept_out_by_promise(visit, rule); why != Why::kNothing) return verdicts::sleep(why);
  if (!visit.intent && type.reserve(*record.state, visit.call, visit.result, own) == DataType::Reservation::kWait) {
    if (others_hold(gate, *visit.party)) {
      if (visit.claim != nullptr) visit.claim->changed = true;
      return verdicts::wait(Why::kSum);
    }
    // There is no other party to wait for: the transaction's own operations together leave the range.
    refusal = {errors::kOutOfRange, "the transaction's operations on this record leave its range together"};
    return verdicts::kRefuse;
  }
  visit.admitted = true;
  return verdicts::kPass;
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
      return waiter.verdict.why == Why::kSum && reserves(claim);
    case Relation::kNever:
      return true;
    case Relation::kDepends:
      if (claim.mode != waiter.mode || claim.visits.size() * waiter.visits.size() > kPairsComparedMax) return true;
      if (waiter.verdict.why == Why::kSum && reserves(claim)) return true;
      return std::any_of(claim.visits.begin(), claim.visits.end(), [&](const Visit* visit) {
        return std::any_of(waiter.visits.begin(), waiter.visits.end(), [&](const Visit* other) { return !surely_commute(*visit, *other); });
      });
  }
  return true;
}

Verdict judge(Claim& claim, const GateRules& rules, bool heed_queue, double now_ms, Refusal& refusal, const Visit*& refused) {
  claim.changed = false;
  // Recomputed at each try: the rule may have changed while a whole request waited on other records only.
  for (Visit* visit : claim.visits) visit->mode = rules.locks.mode_of(*visit);
  claim.mode = queue_mode(claim);
  if (const Verdict turn = judge_turn(claim, rules, heed_queue, now_ms); !turn.passes()) return turn;
  if (claim.record->run() != nullptr && !passes(asker_of(claim), Standing::kTip)) return verdicts::wait(Why::kRun, true);
  for (Visit* visit : claim.visits) {
    const Verdict verdict = admit(*visit, rules.locks, rules.context, refusal);
    if (verdict.passes()) continue;
    if (verdict.kind == Verdict::Kind::kRefuse) refused = visit;
    return verdict;
  }
  return verdicts::kPass;
}

const WaitingNative* first_native_against(const Claim& claim, const LockRule& rule, double since_ms) {
  const auto natives = claim.record->gate->natives();
  const auto found = std::find_if(natives.begin(), natives.end(), [&](const WaitingNative* native) {
    return native->since_ms <= since_ms && !native->sleeps &&
           agree(rule, *claim.record->type, claim.mode, rule.mode_of(*native->call.operation)) != Relation::kAlways;
  });
  return found == natives.end() ? nullptr : *found;
}

}  // namespace claret
