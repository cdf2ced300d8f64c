// The laws (laws.h), applied to every data type of the registry.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <iostream>

#include "adt/laws.h"
#include "adt/registry.h"
#include "composed/type_table.h"

namespace claret::laws {
namespace {

// Multiples of RapidCheck's 100 cases.
constexpr int kPairTimes = 1;  // for each order of each pair
constexpr int kGateTimes = 3;
constexpr int kUndoTimes = 10;  // for each of the two laws
constexpr int kMemberTimes = 5;
// Cases that must occur at least once are searched for in up to this many rounds, within which they are certain to occur.
constexpr std::uint64_t kRoundsMax = 200;

Effort effort(int times, std::uint64_t round) { return {times * run().times, round}; }

std::size_t pairs_of(const DataType& type) { return type.operations().size() * (type.operations().size() + 1) / 2; }

// Did the pair meet, with every answer that its ruling allows?
bool seen(const DataType& type, const OperationSpec& first, const OperationSpec& second, const Tally& tally) {
  const auto found = tally.find(std::minmax(first.id, second.id));
  if (found == tally.end()) return false;
  const Meetings& meetings = found->second;
  const Ruling ruling = rule_of(type, first, second)->ruling();
  if (ruling != Ruling::kNever && meetings.joined == 0) return false;
  if (ruling == Ruling::kSummed) return meetings.waited > 0;
  return ruling == Ruling::kAlways || meetings.denied > 0;
}

void try_pair(const DataType& type, const OperationSpec& first, const OperationSpec& second, Tally& tally) {
  for (std::uint64_t round = 0; round < kRoundsMax; ++round) {
    const std::string found = find_counterexample(type, first, second, effort(kPairTimes, round), tally);
    ASSERT_TRUE(found.empty()) << found;
    // Whether a pair of a composed type can meet in every way follows from its definition, and need not be so.
    if (seen(type, first, second, tally) || type.id() >= composed::kFirstComposedId) return;
  }
  ADD_FAILURE() << type.name() << ": " << first.name << ", " << second.name << " did not join, was not denied, or did not wait";
}

TEST(Laws, HoldForEveryPairOfOperations) {
  for (const DataType* type : types_to_try()) {
    Tally tally;
    for (const OperationSpec& first : type->operations()) {
      for (const OperationSpec& second : type->operations()) try_pair(*type, first, second, tally);
    }
    run().pairs_tried += tally.size();
    run().pairs_all += pairs_of(*type);
  }
  EXPECT_EQ(run().pairs_tried, run().pairs_all);
}

TEST(Laws, HoldAtTheGateForUpToFiveHolders) {
  const Crowd crowd;
  for (const DataType* type : types_to_try()) {
    TogetherTally together;
    for (std::uint64_t round = 0; round < kRoundsMax && std::min(together[crowd.parties_max], together.in_runs[crowd.parties_max]) == 0;
         ++round) {
      const std::string found = find_gate_counterexample(*type, crowd, effort(kGateTimes, round), together);
      ASSERT_TRUE(found.empty()) << found;
    }
    EXPECT_GT(together[crowd.parties_max], 0u) << type->name();
    EXPECT_GT(together.in_runs[crowd.parties_max], 0u) << type->name();
    std::cout << type->name() << ": moments with this many holders:";
    for (const auto& [holders, moments] : together) std::cout << " " << holders << "=" << moments;
    std::cout << "; members of a run:";
    for (const auto& [members, moments] : together.in_runs) std::cout << " " << members << "=" << moments;
    std::cout << std::endl;
  }
}

// Without a state there is nothing to take back.
bool has_state(const DataType& type) {
  std::string bytes;
  type.encode(*type.create(), bytes);
  return !bytes.empty();
}

TEST(Laws, WhatIsAppliedAheadCanBeTakenBack) {
  for (const DataType* type : types_to_try()) {
    UndoTally tally;
    const bool in_parts = type->parts(*type->create()) != nullptr;
    const auto met = [&] { return !has_state(*type) || (tally.undone > 0 && (!in_parts || tally.undone_in_walk > 0)); };
    for (std::uint64_t round = 0; round == 0 || (round < kRoundsMax && !met()); ++round) {
      const std::string found = find_undo_counterexample(*type, effort(kUndoTimes, round), tally);
      ASSERT_TRUE(found.empty()) << found;
    }
    EXPECT_TRUE(met()) << type->name();
    std::cout << type->name() << ": undone " << tally.undone << ", beside a walk " << tally.undone_in_walk << std::endl;
  }
}

TEST(Laws, WhatStoodAboveIsAsIfTheOtherHadNeverRun) {
  for (const DataType* type : types_to_try()) {
    UndoTally tally;
    const std::string found = find_take_out_counterexample(*type, effort(kUndoTimes, 0), tally);
    EXPECT_TRUE(found.empty()) << found;
    EXPECT_GT(tally.above, 0u) << type->name();
  }
}

TEST(Laws, MembersOfEpochsAreAsIfRunInTheOrderOfTheirCommits) {
  for (const DataType* type : types_to_try()) {
    MemberTally tally;
    const std::string found = find_member_counterexample(*type, effort(kMemberTimes, 0), tally);
    ASSERT_TRUE(found.empty()) << found;
    for (const std::uint64_t met : {tally.members, tally.others, tally.overtaking, tally.settled}) EXPECT_GT(met, 0u) << type->name();
    std::cout << type->name() << ": members " << tally.members << ", before one with a smaller vote " << tally.overtaking
              << ", decided among the shards " << tally.settled << "; others " << tally.others << std::endl;
  }
}

TEST(Laws, EveryPairOfOperationsHasOneRuleInWords) {
  for (const DataType* type : types_to_try()) {
    EXPECT_EQ(type->rules().size(), pairs_of(*type)) << type->name();
    for (const OperationSpec& first : type->operations()) {
      for (const OperationSpec& second : type->operations()) {
        ASSERT_NE(rule_of(*type, first, second), nullptr) << type->name() << ": " << first.name << ", " << second.name;
      }
    }
  }
}

// Reader/writer locks and the log rely on the class: observing operations share a record, and are not committed.
void check_class(const DataType& type, const OperationSpec& operation) {
  const std::unique_ptr<State> state = build_state(draw_scenario(type, operation, operation));
  const Call call = draw_call(operation, type);
  const auto bytes = [&] {
    std::string out;
    type.encode(*state, out);
    return out;
  };
  const std::string before = bytes();
  const Context context{1};
  const Outcome outcome = type.execute(*state, call, {}, context);
  RC_ASSERT(bytes() == before);
  if (outcome.refused()) return;
  const OperationClass operation_class = operation.operation_class;
  const bool answers = operation_class == OperationClass::kObserve || operation_class == OperationClass::kBoth;
  RC_ASSERT(answers == (operation.result != Kind::kVoid));
  RC_ASSERT(answers || outcome.result().absent());
  if (operation_class != OperationClass::kObserve) return;
  type.commit(*state, call, outcome.result());
  RC_ASSERT(bytes() == before);
}

TEST(Laws, AnOperationBehavesAsItsClassSays) {
  for (const DataType* type : types_to_try()) {
    for (const OperationSpec& operation : type->operations()) {
      const std::string name = std::string(type->name()) + "." + std::string(operation.name);
      const std::string found = find_failure(name, effort(1, 0), [&] { check_class(*type, operation); });
      EXPECT_TRUE(found.empty()) << found;
    }
  }
}

// A state's bytes with some changed, cut off or added; now and then random bytes.
std::string draw_damaged(const DataType& type, const Scenario& scenario) {
  if (*rc::gen::inRange(0, 5) == 0) return *rc::gen::string<std::string>();
  std::string bytes;
  type.encode(*build_state(scenario), bytes);
  for (int left = *rc::gen::inRange(0, 4); left > 0 && !bytes.empty(); --left) {
    bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
  }
  bytes.resize(*rc::gen::inRange<std::size_t>(0, bytes.size() + 3));
  return bytes;
}

TEST(Laws, DamagedBytesDecodeToNothingOrToAState) {
  for (const DataType* type : types_to_try()) {
    const std::string found = find_failure(std::string(type->name()) + " from damaged bytes", effort(1, 0), [&] {
      const OperationSpec& any = type->operations().front();
      const Scenario scenario = draw_scenario(*type, any, any);
      const std::unique_ptr<State> state = type->decode(draw_damaged(*type, scenario));
      if (state == nullptr) return;
      std::string again;
      type->encode(*state, again);
      const std::unique_ptr<State> twin = type->decode(again);
      RC_ASSERT(twin != nullptr);
      std::string twin_bytes;
      type->encode(*twin, twin_bytes);
      RC_ASSERT(twin_bytes == again);
      const Context context{1};
      for (const Call& call : scenario.history) {
        const Outcome outcome = type->execute(*state, call, {}, context);
        if (!outcome.refused()) type->commit(*state, call, outcome.result());
      }
    });
    EXPECT_TRUE(found.empty()) << found;
  }
}

}  // namespace
}  // namespace claret::laws
