// The laws of a data type, as a property that RapidCheck tries to break. What a type claims (relation, commutes, reserve)
// is compared with what its operations do, on random states with random transactions:
//
//   admission   transactions are let in as the gate does it: relation, then execute, commutes, reserve;
//   promise     whatever subset of the holders commits, in whatever order: each execute, asked again right before its
//               transaction commits, gives the result that was promised, is not refused and need not wait;
//   one end     the same subset gives the same bytes in every order;
//   lasting     holders leave, by commit or abort, and others join: all of this still holds;
//   symmetry    relation and commutes answer the same both ways round;
//   words       the ruling that the catalogue shows for the pair is what happens: always and never without exception, a
//               condition both ways; a reservation waits only beside a holder with which it is summed;
//   liveness    a transaction that is alone never waits, and reservations are all given back;
//   reserves    only operations that say so take reservations;
//   class       execute changes nothing, nor does the commit of what observes; what only changes answers nothing;
//   joins       what a join rule draws from a held call is what the call executes to (join_laws.cc);
//   bytes       decode undoes encode; random bytes give null or a state.
//
// Pairs come first in turn, at a gate that is told apart here step by step; then crowds come to the real one (gate_laws.cc).
#pragma once

#include <rapidcheck.h>

#include <functional>
#include <iosfwd>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "adt/adt.h"

namespace claret::laws {

// What this run of the suite was asked for, and what it has tried (main_laws.cc).
struct Run {
  std::string only_type{};  // empty: every type of the registry
  int times = 1;
  std::size_t pairs_tried = 0;
  std::size_t pairs_all = 0;
};
Run& run();
std::vector<const DataType*> types_to_try();

struct Transaction {
  std::vector<Call> calls;
};

enum class Leave : std::uint8_t { kNobody, kCommit, kAbort };

// A transaction comes, then perhaps one of the holders leaves.
struct Step {
  Transaction transaction;
  Leave leave;
  std::size_t who;  // modulo the number of holders
};

struct Scenario {
  const DataType* type;
  bool filled;  // the state is first filled with many items
  std::vector<Call> history;  // committed one by one
  std::vector<Step> steps;
};

// Needed by RapidCheck to show a counterexample.
std::ostream& operator<<(std::ostream& out, const Call& call);
std::ostream& operator<<(std::ostream& out, const std::vector<Call>& calls);
std::ostream& operator<<(std::ostream& out, const Scenario& scenario);

// Draws a scenario in which `first`'s transaction comes first and `second`'s next. Call it within a property.
Scenario draw_scenario(const DataType& type, const OperationSpec& first, const OperationSpec& second);

// Draws calls with arguments from small pools, so that calls meet. Call these within a property.
Call draw_call(const OperationSpec& operation, const DataType& type);
Transaction draw_transaction(const DataType& type, const OperationSpec* first, std::size_t calls_max);

// True once in so many cases; a counterexample does without where it can.
bool rarely(int once_in);

// A list that a counterexample drops items from where it can. Call it within a property.
template <typename Item, typename Draw>
std::vector<Item> draw_up_to(int count_max, Draw draw) {
  const auto items = rc::gen::container<std::vector<Item>>(rc::gen::resize(rc::kNominalSize, rc::gen::exec(draw)));
  return *rc::gen::resize(count_max, items);
}

// How often a pair of operations met, and what the type said.
struct Meetings {
  std::uint64_t joined = 0;
  std::uint64_t denied = 0;
  std::uint64_t waited = 0;  // for the sum of reservations, with nobody else there
};
using PairOfIds = std::pair<std::uint8_t, std::uint8_t>;  // the lesser first
using Tally = std::map<PairOfIds, Meetings>;

// What one transaction holds, in order of issue.
struct Holding {
  std::vector<Held> held;
  Timestamp at;
};

// Results that must never come twice.
class FreshResults {
 public:
  // Fails the running property when it did.
  void note(const Call& call, const Value& result);

 private:
  std::set<std::string> seen_;
};

// Fails the running property where a subset of the holders, committing in some order, breaks a promise or ends elsewhere.
void check_every_ending(const DataType& type, const State& state, std::span<const Holding> holders, const Context& context,
                        FreshResults& fresh);

// Fails the running property where the scenario breaks a law.
void check_scenario(const Scenario& scenario, Tally& tally);

// The state after the scenario's fill and history.
std::unique_ptr<State> build_state(const Scenario& scenario);

// The catalogue's rule for a pair; null where there is not exactly one.
const CommutativityRule* rule_of(const DataType& type, const OperationSpec& first, const OperationSpec& second);

// How long to search for a counterexample: so many times as many cases as RapidCheck is set to. Each round draws others.
struct Effort {
  int times = 1;
  std::uint64_t round = 0;
};

// Tries the laws with these two operations first. The counterexample, or empty.
std::string find_counterexample(const DataType& type, const OperationSpec& first, const OperationSpec& second, const Effort& effort,
                                Tally& tally);

// How often a join rule gave a result, and how often the shard had to be asked.
struct JoinTally {
  std::uint64_t joined = 0;
  std::uint64_t asked = 0;
};

// Tries the law of joins for one rule. The counterexample, or empty.
std::string find_join_counterexample(const DataType& type, const JoinRule& rule, const Effort& effort, JoinTally& tally);

// How much may come to the real gate at once.
struct Crowd {
  std::size_t parties_max = 5;
  std::size_t calls_max = 3;  // of one party
};

// How often so many parties held the record together: by number.
using TogetherTally = std::map<std::size_t, std::uint64_t>;

// Tries the laws at the real gate (gate/): parties come, ask for more, wait, commit and abort, and
// whatever they hold together is replayed in every way that it may end. The counterexample, or empty.
std::string find_gate_counterexample(const DataType& type, const Crowd& crowd, const Effort& effort, TogetherTally& tally);

// Tries the property. The counterexample under the name, or empty.
std::string find_failure(const std::string& name, const Effort& effort, const std::function<void()>& property);

}  // namespace claret::laws
