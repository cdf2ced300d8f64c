// The law of joins: in every state, the result that a rule derives from a held call equals the result of executing the call. A void call
// that joins commutes with the held call in every state.
#include <rapidcheck.h>

#include <ostream>

#include "adt/join.h"
#include "adt/laws.h"

namespace claret::laws {

// A state, a call that holds the record, and a call that would join it.
struct Joining {
  Scenario before;
  Call held;
  Call call;
};

std::ostream& operator<<(std::ostream& out, const Joining& joining) {
  return out << joining.before.type->name() << "\n  history: " << joining.before.history << "\n  holds: " << joining.held
             << "\n  joins: " << joining.call;
}

namespace {

// Often the same call, or a call with some of the same arguments: otherwise hardly any would join.
Call draw_joiner(const OperationSpec& joiner, const DataType& type, const Call& held) {
  Call call = draw_call(joiner, type);
  if (held.operation != &joiner) return call;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (*rc::gen::inRange(0, 3) > 0) call.arguments[i] = held.arguments[i];
  }
  return call;
}

Joining draw_joining(const DataType& type, const JoinRule& rule) {
  const OperationSpec& holder = *type.find(rule.holder);
  const OperationSpec& joiner = *type.find(rule.joiner);
  Joining joining{draw_scenario(type, holder, joiner), draw_call(holder, type), {}};
  joining.before.steps.clear();
  joining.call = draw_joiner(joiner, type, joining.held);
  return joining;
}

void check_join(const JoinRule& rule, const Joining& joining, JoinTally& tally) {
  const DataType& type = *joining.before.type;
  const auto& [before, held_call, call] = joining;
  const OperationSpec& holder = *held_call.operation;
  const OperationSpec& joiner = *call.operation;
  if (joiner.reserves || joiner.fresh) RC_FAIL("join: only the shard can reserve, or give what is fresh");
  const std::unique_ptr<State> state = build_state(before);
  const Context context{1};
  const Outcome held_outcome = type.execute(*state, held_call, {}, context);
  if (held_outcome.refused()) return;
  const Held held{&held_call, &held_outcome.result()};

  const std::optional<Value> result = joined_result(rule, held, call);
  ++(result ? tally.joined : tally.asked);
  if (!result) return;
  const Outcome outcome = type.execute(*state, call, {}, context);
  if (outcome.refused()) RC_FAIL("join: a call joins that is refused when executed");
  if (*result != outcome.result()) RC_FAIL("join: another result of " + std::string(joiner.name));
  const Held joined{&call, &outcome.result()};
  const Relation relation = type.relation(holder.mode, joiner.mode);
  const bool together = relation == Relation::kAlways || (relation == Relation::kDepends && type.commutes(held, joined, *state));
  if (!together) RC_FAIL("join: the two may not hold the record together");
}

}  // namespace

std::string find_join_counterexample(const DataType& type, const JoinRule& rule, const Effort& effort, JoinTally& tally) {
  const std::string name =
      std::string(type.name()) + ": " + std::string(type.find(rule.joiner)->name) + " joins " + std::string(type.find(rule.holder)->name);
  const auto joinings = rc::gen::exec([&] { return draw_joining(type, rule); });
  return find_failure(name, effort, [&] { check_join(rule, *rc::gen::resize(rc::kNominalSize, joinings), tally); });
}

}  // namespace claret::laws
