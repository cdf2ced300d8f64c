// The laws of a data type, as a property that RapidCheck tries to break. What a type claims (relation, commutes, reserve)
// is compared with what its operations do, on random states with random transactions:
//
//   admission   transactions are let in as the gate does it: relation, then execute, commutes, reserve;
//   promise     whatever subset of the holders commits, in whatever order: each execute, asked again right before its
//               transaction commits, gives the result that was promised, is not refused and need not wait;
//   one end     the same subset gives the same bytes in every order;
//   lasting     holders leave, by commit or abort, and others join: all of this still holds;
//   symmetry    relation and commutes answer the same both ways round;
//   words       the rule that the catalogue shows for the pair ("always", "never") is what happens;
//   liveness    a transaction that is alone never waits, and reservations are all given back;
//   bytes       decode undoes encode; random bytes give null or a state.
#pragma once

#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "adt/adt.h"

namespace claret::laws {

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
  bool filled;                // the state is first filled with many items
  std::vector<Call> history;  // committed one by one
  std::vector<Step> steps;
};

// Needed by RapidCheck to show a counterexample.
std::ostream& operator<<(std::ostream& out, const Call& call);
std::ostream& operator<<(std::ostream& out, const std::vector<Call>& calls);
std::ostream& operator<<(std::ostream& out, const Scenario& scenario);

// Draws a scenario in which `first`'s transaction comes first and `second`'s next. Call it within a property.
Scenario draw_scenario(const DataType& type, const OperationSpec& first, const OperationSpec& second);

// Draws a call with arguments from small pools, so that calls meet. Call it within a property.
Call draw_call(const OperationSpec& operation, const DataType& type);

// How often a pair of operations met, and what the type said.
struct Meetings {
  std::uint64_t joined = 0;
  std::uint64_t denied = 0;
};
using PairOfIds = std::pair<std::uint8_t, std::uint8_t>;  // the lesser first
using Tally = std::map<PairOfIds, Meetings>;

// Fails the running property where the scenario breaks a law.
void check_scenario(const Scenario& scenario, Tally& tally);

// The state after the scenario's fill and history.
std::unique_ptr<State> build_state(const Scenario& scenario);

// The catalogue's words for a pair; empty where there is not exactly one rule.
std::string_view rule_of(const DataType& type, const OperationSpec& first, const OperationSpec& second);

// Tries the laws with these two operations first. `cases`: how many times as many as RapidCheck is set to. The
// counterexample, or empty.
std::string find_counterexample(const DataType& type, const OperationSpec& first, const OperationSpec& second, int cases,
                                Tally& tally);

// How often a join rule gave a result, and how often the shard had to be asked.
struct JoinTally {
  std::uint64_t joined = 0;
  std::uint64_t asked = 0;
};

// Tries the law of joins for one rule. The counterexample, or empty.
std::string find_join_counterexample(const DataType& type, const JoinRule& rule, int cases, JoinTally& tally);

// Tries the property `cases` times as often as RapidCheck is set to. The counterexample under the name, or empty.
std::string find_failure(const std::string& name, int cases, const std::function<void()>& property);

}  // namespace claret::laws
