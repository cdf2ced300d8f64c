// The check of a scenario: admits its transactions as the gate would.
#include <rapidcheck.h>

#include <algorithm>

#include "adt/laws.h"

namespace claret::laws {

namespace {

struct Holder {
  const Transaction* transaction;
  std::vector<Value> results;

  // The first `count` calls of the transaction.
  std::vector<Held> held(std::size_t count) const {
    std::vector<Held> held;
    for (std::size_t i = 0; i < count; ++i) held.push_back({&transaction->calls[i], &results[i]});
    return held;
  }
};

class Trial {
 public:
  Trial(const Scenario& scenario, Tally& tally) : type_(*scenario.type), tally_(tally), state_(build_state(scenario)) {}

  void run(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (!come(step.transaction)) continue;
      check_every_ending();
      if (step.leave == Leave::kNobody) continue;
      leave(step.who % holders_.size(), step.leave == Leave::kCommit);
      check_every_ending();
    }
    while (!holders_.empty()) leave(0, false);
    for (const Step& step : steps) {
      if (come(step.transaction)) leave(0, false);
    }
  }

 private:
  // Admission, as in gate/. Returns false if the transaction would have to wait or was refused.
  bool come(const Transaction& transaction) {
    Holder newcomer{&transaction, {}};
    for (const Call& call : transaction.calls) {
      if (admit(newcomer, call)) continue;
      withdraw(newcomer);
      return false;
    }
    holders_.push_back(std::move(newcomer));
    return true;
  }

  bool admit(Holder& newcomer, const Call& call) {
    const std::vector<Held> own = newcomer.held(newcomer.results.size());
    Outcome outcome = type_.execute(*state_, call, own, context_);
    if (outcome.refused()) return false;
    fresh_.note(call, outcome.result());
    const Held visit{&call, &outcome.result()};
    bool joins = true;
    for (const Holder& holder : holders_) {
      for (const Held& other : holder.held(holder.results.size())) joins &= commute(visit, other);
    }
    if (!joins) return false;
    if (type_.reserve(*state_, call, outcome.result(), own) == DataType::Reservation::kWait) {
      if (!call.operation->reserves) RC_FAIL("reserves: " + std::string(call.operation->name) + " does not say so");
      if (holders_.empty()) RC_FAIL("liveness: a transaction that is alone has to wait");
      note_wait(*call.operation);
      return false;
    }
    newcomer.results.push_back(outcome.take_result());
    return true;
  }

  // Records that the operation has to wait for the reservations of others.
  void note_wait(const OperationSpec& operation) {
    std::size_t others = 0;
    const OperationSpec* summed = nullptr;
    for (const Holder& holder : holders_) {
      for (const Held& other : holder.held(holder.results.size())) {
        ++others;
        const CommutativityRule& rule = *rule_of(type_, operation, *other.call->operation);
        // A pair of a composed type may both depend on something and sum its reservations.
        const bool sums = rule.ruling() == Ruling::kSummed || rule.when.ends_with("waits for the others");
        if (sums) summed = other.call->operation;
      }
    }
    if (summed == nullptr) RC_FAIL("words: no holder is summed with the waiting " + std::string(operation.name));
    if (others == 1) ++tally_[std::minmax(operation.id, summed->id)].waited;
  }

  void withdraw(const Holder& holder) {
    for (const Held& held : holder.held(holder.results.size())) type_.release(*state_, *held.call, *held.result);
  }

  void leave(std::size_t index, bool commit) {
    const Holder holder = std::move(holders_[index]);
    holders_.erase(holders_.begin() + static_cast<std::ptrdiff_t>(index));
    withdraw(holder);
    if (!commit) return;
    for (const Held& held : holder.held(holder.results.size())) type_.commit(*state_, *held.call, *held.result);
  }

  bool commute(const Held& first, const Held& second) {
    const OperationSpec& a = *first.call->operation;
    const OperationSpec& b = *second.call->operation;
    const Relation relation = type_.relation(a.mode, b.mode);
    if (relation != type_.relation(b.mode, a.mode)) RC_FAIL("symmetry of relation" + names(a, b));
    bool answer = relation == Relation::kAlways;
    if (relation == Relation::kDepends) {
      answer = type_.commutes(first, second, *state_);
      if (answer != type_.commutes(second, first, *state_)) RC_FAIL("symmetry of commutes" + names(a, b));
    }
    const Ruling ruling = rule_of(type_, a, b)->ruling();
    if (answer && ruling == Ruling::kNever) RC_FAIL("words: never" + names(a, b));
    if (!answer && (ruling == Ruling::kAlways || ruling == Ruling::kSummed)) RC_FAIL("words: always" + names(a, b));
    Meetings& meetings = tally_[std::minmax(a.id, b.id)];
    ++(answer ? meetings.joined : meetings.denied);
    return answer;
  }

  static std::string names(const OperationSpec& a, const OperationSpec& b) {
    return ": " + std::string(a.name) + ", " + std::string(b.name);
  }

  void check_every_ending() {
    std::vector<Holding> holdings;
    for (const Holder& holder : holders_) holdings.push_back({holder.held(holder.results.size())});
    laws::check_every_ending(type_, *state_, holdings, context_, fresh_);
  }

  const DataType& type_;
  Tally& tally_;
  const Context context_{1};
  std::unique_ptr<State> state_;
  std::vector<Holder> holders_;
  FreshResults fresh_;
};

}  // namespace

void check_scenario(const Scenario& scenario, Tally& tally) { Trial(scenario, tally).run(scenario.steps); }

const CommutativityRule* rule_of(const DataType& type, const OperationSpec& first, const OperationSpec& second) {
  const CommutativityRule* found = nullptr;
  for (const CommutativityRule& rule : type.rules()) {
    const bool matches =
        (rule.first == first.name && rule.second == second.name) || (rule.first == second.name && rule.second == first.name);
    if (!matches) continue;
    if (found != nullptr) return nullptr;
    found = &rule;
  }
  return found;
}

std::string find_counterexample(const DataType& type, const OperationSpec& first, const OperationSpec& second, const Effort& effort,
                                Tally& tally) {
  const auto scenarios = rc::gen::exec([&] { return draw_scenario(type, first, second); });
  return find_failure(std::string(type.name()) + ": " + std::string(first.name) + ", " + std::string(second.name), effort,
                      // RapidCheck would shrink the pools too at its smaller sizes.
                      [&] { check_scenario(*rc::gen::resize(rc::kNominalSize, scenarios), tally); });
}

}  // namespace claret::laws
