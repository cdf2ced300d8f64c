#include "gate/native.h"

#include <algorithm>

#include "gate/agree.h"
#include "gate/record_operations.h"
#include "gate/warranty.h"

namespace claret {

namespace {

// What a native meets at the holders with which it does not commute, one by one.
class Obstacles {
 public:
  Obstacles(const Native& native, const LockRule& rule, bool heeds_guards, NativeJudgement& judgement)
      : native_(native), rule_(rule), heeds_guards_(heeds_guards), judgement_(judgement) {}

  void meet(Visit& holder) {
    switch (met_at(holder)) {
      case Cell::kPass:
        return;
      case Cell::kBreak:
        return break_party_of(holder);
      default:
        wait_for(holder);
    }
  }

  // Would the native wait for the holder, rather than pass or break it?
  bool keeps_waiting(const Visit& holder) const {
    const Cell met = met_at(holder);
    return met != Cell::kPass && met != Cell::kBreak;
  }

  void wait_for(const Visit& holder) {
    judgement_.verdict = verdicts::wait(Why::kHolder);
    if (judgement_.blocker == nullptr) judgement_.blocker = &holder;
  }

  void break_party_of(Visit& holder) {
    if (!is_broken(holder)) judgement_.broken.push_back(&holder);
  }

  bool is_guarded(const Visit& holder) const { return heeds_guards_ && holder.party->guarded; }

  bool is_broken(const Visit& holder) const {
    const auto& broken = judgement_.broken;
    return std::any_of(broken.begin(), broken.end(), [&](const Visit* one) { return one->party == holder.party; });
  }

 private:
  Cell met_at(const Visit& holder) const {
    const Cell found = cell(native_.asker(), standing_of(holder));
    if (found != Cell::kBreak) return found;
    if (holder.intent || will_overwrite(holder)) return Cell::kPass;
    return is_guarded(holder) ? Cell::kWait : Cell::kBreak;
  }

  // The holder's effect comes later and does not depend on the state. What the other parties were promised beside it may depend on it,
  // unless their operations commute with it whatever the state (the proof in docs/decisions/0023-natives.md needs the modes).
  bool will_overwrite(const Visit& holder) const {
    const OperationSpec& operation = *holder.call.operation;
    if (is_of_record(*native_.type)) return false;  // the reservations that the holder has taken go with the state
    if (operation.operation_class != OperationClass::kBlind || operation.result != Kind::kVoid) return false;
    const auto holders = native_.record->gate->holders();
    return std::all_of(holders.begin(), holders.end(), [&](const Visit* other) {
      return other->party == holder.party || agree(rule_, *native_.record->type, *other->call.operation, operation) == Relation::kAlways;
    });
  }

  const Native& native_;
  const LockRule& rule_;
  const bool heeds_guards_;
  NativeJudgement& judgement_;
};

// The relation of the operations themselves: a holder that wants the record exclusively is judged by what it does there.
Relation relation(const Native& native, const Visit& holder, const LockRule& rule) {
  return agree(rule, *native.record->type, *native.call.operation, *holder.call.operation);
}

// True if the native commutes with every holder by their modes alone. There may be hundreds of holders, but few modes.
bool all_commute(const Native& native, const Gate& gate, const LockRule& rule) {
  const Mode own = rule.mode_of(*native.call.operation);
  for (Mode mode = 0; mode < kAllModes; ++mode) {
    if (gate.holders_in_mode(mode) != 0 && agree(rule, *native.record->type, own, mode) != Relation::kAlways) return false;
  }
  return true;
}

// Adds the reservation of the native to those of the holders. The gate has refused it as long as the unvoted holders keep theirs: the
// youngest of these is to be broken, and the native judged again.
void meet_reservations(const Native& native, Obstacles& obstacles) {
  Visit* youngest = nullptr;
  const Visit* other = native.record->gate->holders().front();
  for (Visit* holder : native.record->gate->holders()) {
    if (!holder->call.operation->reserves || holder->intent) continue;
    other = holder;
    if (standing_of(*holder) == Standing::kHard || obstacles.is_guarded(*holder)) continue;
    if (youngest == nullptr || older(*youngest->party, *holder->party)) youngest = holder;
  }
  if (youngest != nullptr) {
    obstacles.break_party_of(*youngest);
  } else {
    obstacles.wait_for(*other);
  }
}

NativeJudgement judge_beside_holders(const Native& native, const LockRule& rule, bool heeds_guards, const Context& context) {
  Record& record = *native.record;
  const DataType& type = *native.type;
  NativeJudgement judgement;
  Obstacles obstacles(native, rule, heeds_guards, judgement);
  const std::span<Visit* const> holders = record.gate == nullptr ? std::span<Visit* const>{} : record.gate->holders();

  if (const Run* run = record.run(); run != nullptr && !passes(native.asker(), Standing::kTip)) {
    obstacles.wait_for(*run->entries.front().visit);
    judgement.verdict = verdicts::wait(Why::kRun);
    return judgement;
  }

  absl::InlinedVector<Visit*, 8> dependent;
  const bool go_together = holders.empty() || all_commute(native, *record.gate, rule);
  for (Visit* holder : go_together ? std::span<Visit* const>{} : holders) {
    switch (relation(native, *holder, rule)) {
      case Relation::kAlways:
        break;
      case Relation::kDepends:
        dependent.push_back(holder);
        break;
      case Relation::kNever:
        obstacles.meet(*holder);
    }
  }
  if (judgement.verdict.waits()) return judgement;

  judgement.outcome = execute(record, type, native.call, {}, context);
  if (judgement.outcome.refused()) {
    // The change of a voted holder may lift the refusal, and its commit may have been reported already. A guarded one is waited for as if they did not
    // commute.
    const auto awaited =
        std::find_if(dependent.begin(), dependent.end(), [&](const Visit* holder) { return obstacles.keeps_waiting(*holder); });
    if (awaited != dependent.end()) {
      obstacles.wait_for(**awaited);
    } else {
      judgement.verdict = verdicts::kRefuse;
      judgement.broken.clear();
    }
    return judgement;
  }

  const Held own{&native.call, &judgement.outcome.result()};
  for (Visit* holder : dependent) {
    if (!agree(own, *holder)) obstacles.meet(*holder);
  }
  if (judgement.verdict.waits() || holders.empty() || !native.call.operation->reserves) return judgement;

  if (type.reserve(*record.state, native.call, judgement.outcome.result()) == DataType::Reservation::kYes) {
    type.release(*record.state, native.call, judgement.outcome.result());
  } else {
    judgement.verdict = {.kind = Verdict::Kind::kBreak, .why = Why::kSum};
    judgement.broken.clear();
    meet_reservations(native, obstacles);
  }
  return judgement;
}

Why kept_out_by_promise(const Native& native, const Value& result, const LockRule& rule) {
  if (native.observes()) return Why::kNothing;
  if (rule.quarantined) return Why::kQuarantine;
  if (native.record->gate == nullptr || passes(Asker::kNative, Standing::kWarranty)) return Why::kNothing;
  const auto warranties = native.record->gate->warranties();
  const auto is_violated = [&](const Warranty* warranty) { return violates(native.call, &result, *warranty, rule); };
  return std::any_of(warranties.begin(), warranties.end(), is_violated) ? Why::kWarranty : Why::kNothing;
}

}  // namespace

NativeJudgement judge(const Native& native, const GateRules& rules, bool heeds_guards) {
  if (rules.drain.covers(*native.record) && !passes(native.asker(), Standing::kDrain)) return {.verdict = verdicts::wait(Why::kDrain)};
  NativeJudgement judgement = judge_beside_holders(native, rules.locks, heeds_guards, rules.context);
  if (judgement.verdict.waits() || judgement.verdict.kind == Verdict::Kind::kRefuse) return judgement;
  const Why why = kept_out_by_promise(native, judgement.outcome.result(), rules.locks);
  if (why != Why::kNothing) judgement.verdict = verdicts::sleep(why);
  return judgement;
}

}  // namespace claret
