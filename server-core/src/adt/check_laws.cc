// The judge: admits a scenario's transactions as the gate would, and replays them in every way that they were promised.
#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <sstream>

#include "adt/laws.h"

namespace claret::laws {

namespace {

struct Holder {
  const Transaction* transaction;
  std::vector<Value> results;
  Timestamp at;

  // The first `count` of its calls.
  std::vector<Held> held(std::size_t count) const {
    std::vector<Held> held;
    for (std::size_t i = 0; i < count; ++i) held.push_back({&transaction->calls[i], &results[i]});
    return held;
  }
};

class Trial {
 public:
  Trial(const Scenario& scenario, Tally& tally)
      : type_(*scenario.type), tally_(tally), state_(build_state(scenario)) {}

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
  // Admission, as in gate/. False: it would have to wait, or was refused.
  bool come(const Transaction& transaction) {
    Holder newcomer{&transaction, {}, ++arrivals_};
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
    note_fresh(call, outcome.result());
    const Held visit{&call, &outcome.result()};
    bool joins = true;
    for (const Holder& holder : holders_) {
      for (const Held& other : holder.held(holder.results.size())) joins &= commute(visit, other);
    }
    if (!joins) return false;
    if (type_.reserve(*state_, call, outcome.result(), own) == DataType::Reservation::kWait) {
      if (holders_.empty()) RC_FAIL("liveness: a transaction that is alone has to wait");
      return false;
    }
    newcomer.results.push_back(outcome.take_result());
    return true;
  }

  void withdraw(const Holder& holder) {
    for (const Held& held : holder.held(holder.results.size())) type_.release(*state_, *held.call, *held.result);
  }

  void leave(std::size_t index, bool commit) {
    const Holder holder = std::move(holders_[index]);
    holders_.erase(holders_.begin() + static_cast<std::ptrdiff_t>(index));
    withdraw(holder);
    if (!commit) return;
    for (const Held& held : holder.held(holder.results.size())) type_.commit(*state_, *held.call, *held.result, holder.at);
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
    const std::string_view rule = rule_of(type_, a, b);
    if (answer && rule == "never") RC_FAIL("words: never" + names(a, b));
    if (!answer && rule.starts_with("always")) RC_FAIL("words: always" + names(a, b));
    Meetings& meetings = tally_[std::minmax(a.id, b.id)];
    ++(answer ? meetings.joined : meetings.denied);
    return answer;
  }

  static std::string names(const OperationSpec& a, const OperationSpec& b) {
    return ": " + std::string(a.name) + ", " + std::string(b.name);
  }

  void note_fresh(const Call& call, const Value& result) {
    if (!call.operation->fresh) return;
    if (!fresh_.insert(result.text()).second) RC_FAIL("promise: a fresh result came twice");
  }

  // Every subset of the holders, in every order.
  void check_every_ending() {
    bytes_.clear();
    type_.encode(*state_, bytes_);
    const std::size_t count = holders_.size();
    for (std::size_t subset = 0; subset < std::size_t{1} << count; ++subset) {
      std::vector<std::size_t> order;
      for (std::size_t i = 0; i < count; ++i) {
        if (subset >> i & 1) order.push_back(i);
      }
      const std::string expected = replay(order);
      if (subset == 0 && expected != bytes_) RC_FAIL("bytes: decode does not undo encode");
      while (std::next_permutation(order.begin(), order.end())) {
        if (replay(order) != expected) RC_FAIL("one end: the order of commits shows in the bytes");
      }
    }
  }

  // Bytes after these holders alone commit, in this order, each asked again right before.
  std::string replay(const std::vector<std::size_t>& order) {
    const std::unique_ptr<State> state = type_.decode(bytes_);
    if (state == nullptr) RC_FAIL("bytes: decode refuses what encode wrote");
    for (const std::size_t index : order) {
      const Holder& holder = holders_[index];
      const std::vector<Held> all = holder.held(holder.results.size());
      for (std::size_t i = 0; i < all.size(); ++i) ask_again(*state, all[i], std::span(all).first(i));
      for (const Held& held : all) {
        type_.release(*state, *held.call, *held.result);
        type_.commit(*state, *held.call, *held.result, holder.at);
      }
    }
    std::string bytes;
    type_.encode(*state, bytes);
    return bytes;
  }

  void ask_again(State& state, const Held& held, std::span<const Held> own) {
    const std::string name(held.call->operation->name);
    const Outcome outcome = type_.execute(state, *held.call, own, context_);
    if (outcome.refused()) RC_FAIL("promise: " + name + " was granted, and is now refused");
    note_fresh(*held.call, outcome.result());
    if (!held.call->operation->fresh && outcome.result() != *held.result) RC_FAIL("promise: another result of " + name);
    if (type_.reserve(state, *held.call, *held.result, own) == DataType::Reservation::kWait) {
      RC_FAIL("promise: " + name + " was granted, and would now have to wait");
    }
  }

  const DataType& type_;
  Tally& tally_;
  const Context context_{1};
  std::unique_ptr<State> state_;
  std::vector<Holder> holders_;
  std::set<std::string> fresh_;
  std::string bytes_;
  Timestamp arrivals_ = 0;
};

}  // namespace

void check_scenario(const Scenario& scenario, Tally& tally) { Trial(scenario, tally).run(scenario.steps); }

std::string_view rule_of(const DataType& type, const OperationSpec& first, const OperationSpec& second) {
  std::string_view found;
  for (const CommutativityRule& rule : type.rules()) {
    const bool matches = (rule.first == first.name && rule.second == second.name) ||
                         (rule.first == second.name && rule.second == first.name);
    if (!matches) continue;
    if (!found.empty()) return {};
    found = rule.when;
  }
  return found;
}

std::string find_counterexample(const DataType& type, const OperationSpec& first, const OperationSpec& second, int cases,
                                Tally& tally) {
  const auto scenarios = rc::gen::exec([&] { return draw_scenario(type, first, second); });
  return find_failure(
      std::string(type.name()) + ": " + std::string(first.name) + ", " + std::string(second.name), cases,
      // At RapidCheck's smaller sizes the pools would shrink too.
      [&] { check_scenario(*rc::gen::resize(rc::kNominalSize, scenarios), tally); });
}

std::string find_failure(const std::string& name, int cases, const std::function<void()>& property) {
  rc::detail::TestMetadata metadata;
  metadata.id = name;
  metadata.description = name;
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess *= cases;
  rc::detail::TestListenerAdapter listener;
  const auto result = rc::detail::checkTestable(property, metadata, params, listener);
  if (result.template is<rc::detail::SuccessResult>()) return {};
  std::ostringstream text;
  text << name << "\n" << rc::detail::configuration() << "\n";
  rc::detail::printResultMessage(result, text);
  return text.str();
}

}  // namespace claret::laws
