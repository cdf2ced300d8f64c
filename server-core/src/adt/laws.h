// The laws of a data type, as properties that RapidCheck tries to break. A type's claims (relation, commutes, reserve) are compared with
// what its operations do, on random states with random transactions:
//
//   admission   transactions are admitted as by the gate: relation, then execute, commutes, reserve;
//   promise     for every subset of the holders that commits, in every order: each execute, repeated just before its transaction commits,
//               gives the promised result, is not refused and need not wait;
//   one end     the same subset gives the same bytes in every order;
//   lasting     all of this still holds after holders leave, by commit or abort, and others join;
//   symmetry    relation and commutes do not depend on the order of their arguments;
//   words       the ruling that the catalogue shows for a pair is right: always and never hold without exception, a condition goes both
//               ways; a reservation waits only beside a holder with which it is summed;
//   liveness    a transaction that is alone never waits, and all reservations are given back;
//   reserves    only operations marked `reserves` take reservations;
//   class       execute changes nothing; the commit of an observing operation changes nothing; a mutating operation returns nothing;
//   bytes       decode undoes encode; random bytes give null or a state;
//   undo        transactions are applied one above the other, and operations undone from the top: the bytes are those from before each, and
//               reservations of others stay. A walk by parts that is under way yields the state from its beginning (undo_laws.cc);
//   taken out   a transaction is taken out from below others, which are then executed again: results and bytes are as if it had never run.
//   members     lists of calls that come in any order, and are listed in any epochs, beside other transactions: results and bytes are those of
//               the same calls run one transaction after the other, in the order of their commit timestamps (transaction/epochs_laws.cc).
//
// Each pair of operations is tried first, with an admission that is modelled here step by step; then many transactions meet at the real
// gate (gate_laws.cc).
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

// The parameters of this run of the suite, and its counts (main_laws.cc).
struct Run {
  const DataType* only = nullptr;  // null: every type
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

// A transaction arrives, then perhaps one of the holders leaves.
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

// From now on these texts and integers are drawn too: what a definition names decides its branches, and is hardly met by chance.
void draw_also(std::span<const Value> named);

// True once in `once_in` cases; shrinking turns it to false where the counterexample allows.
bool rarely(int once_in);

// A random list; shrinking drops items where the counterexample allows. Call it within a property.
template <typename Item, typename Draw>
std::vector<Item> draw_up_to(int count_max, Draw draw) {
  const auto items = rc::gen::container<std::vector<Item>>(rc::gen::resize(rc::kNominalSize, rc::gen::exec(draw)));
  return *rc::gen::resize(count_max, items);
}

// How often a pair of operations met, and with which answers.
struct Meetings {
  std::uint64_t joined = 0;
  std::uint64_t denied = 0;
  std::uint64_t waited = 0;  // for the sum of reservations, with no other holder
};
using PairOfIds = std::pair<std::uint8_t, std::uint8_t>;  // the smaller id first
using Tally = std::map<PairOfIds, Meetings>;

// The calls that one transaction holds, in order of issue.
struct Holding {
  std::vector<Held> held;
};

// Results that must never occur twice.
class FreshResults {
 public:
  // Fails the running property if the result has occurred before.
  void note(const Call& call, const Value& result);

 private:
  std::set<std::string> seen_;
};

// Fails the running property if a subset of the holders, committing in some order, breaks a promise or ends in a different state.
void check_every_ending(const DataType& type, const State& state, std::span<const Holding> holders, const Context& context,
                        FreshResults& fresh);

// Fails the running property if the scenario breaks a law.
void check_scenario(const Scenario& scenario, Tally& tally);

// The state after the scenario's fill and history.
std::unique_ptr<State> build_state(const Scenario& scenario);

// The catalogue's rule for a pair; null unless there is exactly one.
const CommutativityRule* rule_of(const DataType& type, const OperationSpec& first, const OperationSpec& second);

// How long to search for a counterexample: `times` as many cases as RapidCheck is configured for. Each round draws different cases.
struct Effort {
  int times = 1;
  std::uint64_t round = 0;
};

// Tries the laws on scenarios that begin with these two operations. Returns the counterexample, or an empty text.
std::string find_counterexample(const DataType& type, const OperationSpec& first, const OperationSpec& second, const Effort& effort,
                                Tally& tally);

// How often the laws of undo met what they are about.
struct UndoTally {
  std::uint64_t undone = 0;  // operations whose commit had changed the bytes
  std::uint64_t undone_in_walk = 0;  // of these: while a walk was under way
  std::uint64_t above = 0;  // transactions that were executed again
};

// Each tries one law for a type, in the order above. Returns the counterexample, or an empty text.
std::string find_undo_counterexample(const DataType& type, const Effort& effort, UndoTally& tally);
std::string find_take_out_counterexample(const DataType& type, const Effort& effort, UndoTally& tally);

// How much load comes to the real gate at once.
struct Crowd {
  std::size_t parties_max = 5;
  std::size_t calls_max = 3;  // of one party
  bool natives = true;  // in some evenings, operations outside any transaction come too
};

// By number of holders: how often that many parties held the record together; and that many members were in a run of it.
struct TogetherTally : std::map<std::size_t, std::uint64_t> {
  std::map<std::size_t, std::uint64_t> in_runs;
};

// Tries the laws at the real gate (gate/): parties arrive, request more, wait, commit and abort. Whatever they hold together is replayed
// for every way in which it can end. Returns the counterexample, or an empty text.
std::string find_gate_counterexample(const DataType& type, const Crowd& crowd, const Effort& effort, TogetherTally& tally);

// What the law of members of epochs met.
struct MemberTally {
  std::uint64_t members = 0;  // that committed
  std::uint64_t others = 0;  // other transactions that committed beside them
  std::uint64_t overtaking = 0;  // members that commit before one with a smaller vote of their list
  std::uint64_t settled = 0;  // members that were decided one by one, without the manager
};

// Mistakes on purpose, for the test that the law finds them.
struct MemberMistakes {
  bool turns_by_votes = false;  // this shard is told its own votes as the times of commits
};

// Tries the law of members on records of the type and of another one. Returns the counterexample, or an empty text.
std::string find_member_counterexample(const DataType& type, const Effort& effort, MemberTally& tally, const MemberMistakes& mistakes = {});

// Tries the property. Returns the counterexample under the name, or an empty text.
std::string find_failure(const std::string& name, const Effort& effort, const std::function<void()>& property);

}  // namespace claret::laws
