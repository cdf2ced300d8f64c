// Every data type of the registry keeps the laws (laws.h).
//
// The seed is printed with a failure, and can be set: RC_PARAMS="seed=1 max_success=1000".
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <iostream>

#include "adt/laws.h"
#include "adt/registry.h"

namespace claret::laws {
namespace {

constexpr int kCases = 5;  // times RapidCheck's 100, for each order of each pair

std::size_t pairs_of(const DataType& type) { return type.operations().size() * (type.operations().size() + 1) / 2; }

// Was the pair seen, and both sides of its condition, if it has one?
void expect_tried(const DataType& type, const OperationSpec& first, const OperationSpec& second, const Tally& tally) {
  const auto found = tally.find(std::minmax(first.id, second.id));
  const Meetings meetings = found == tally.end() ? Meetings{} : found->second;
  const std::string_view rule = rule_of(type, first, second);
  const std::string pair = std::string(type.name()) + ": " + std::string(first.name) + ", " + std::string(second.name);
  EXPECT_TRUE(rule == "never" || meetings.joined > 0) << pair << " never joined";
  EXPECT_TRUE(rule.starts_with("always") || meetings.denied > 0) << pair << " was never denied";
}

TEST(Laws, HoldForEveryPairOfOperations) {
  std::size_t tried = 0;
  std::size_t all = 0;
  for (const DataType* type : all_types()) {
    Tally tally;
    for (const OperationSpec& first : type->operations()) {
      for (const OperationSpec& second : type->operations()) {
        EXPECT_EQ(find_counterexample(*type, first, second, kCases, tally), "");
      }
    }
    for (const OperationSpec& first : type->operations()) {
      for (const OperationSpec& second : type->operations()) {
        if (first.id <= second.id) expect_tried(*type, first, second, tally);
      }
    }
    tried += tally.size();
    all += pairs_of(*type);
  }
  std::cout << "pairs: " << tried << "/" << all << std::endl;
  EXPECT_EQ(tried, all);
}

TEST(Laws, WhatJoinsHasTheResultOfExecutingIt) {
  for (const DataType* type : all_types()) {
    for (const JoinRule& rule : type->joins()) {
      JoinTally tally;
      EXPECT_EQ(find_join_counterexample(*type, rule, kCases, tally), "");
      const std::string_view joiner = type->find(rule.joiner)->name;
      EXPECT_GT(tally.joined, 0u) << type->name() << "." << joiner << " never joined";
      EXPECT_FALSE(type->find(rule.joiner)->reserves) << type->name() << "." << joiner;
      EXPECT_FALSE(type->find(rule.joiner)->fresh) << type->name() << "." << joiner;
    }
  }
}

TEST(Laws, EveryPairOfOperationsHasOneRuleInWords) {
  for (const DataType* type : all_types()) {
    EXPECT_EQ(type->rules().size(), pairs_of(*type)) << type->name();
    for (const OperationSpec& first : type->operations()) {
      for (const OperationSpec& second : type->operations()) {
        EXPECT_FALSE(rule_of(*type, first, second).empty()) << type->name() << ": " << first.name << ", " << second.name;
      }
    }
  }
}

TEST(Laws, DamagedBytesDecodeToNothingOrToAState) {
  for (const DataType* type : all_types()) {
    EXPECT_TRUE(rc::check(std::string(type->name()), [&] {
      const OperationSpec& any = type->operations().front();
      const Scenario scenario = draw_scenario(*type, any, any);
      std::string bytes;
      type->encode(*build_state(scenario), bytes);
      for (int left = *rc::gen::inRange(0, 4); left > 0 && !bytes.empty(); --left) {
        bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
      }
      bytes.resize(*rc::gen::inRange<std::size_t>(0, bytes.size() + 3));
      const std::unique_ptr<State> state = type->decode(bytes);
      if (state == nullptr) return;
      std::string again;
      type->encode(*state, again);
      const std::unique_ptr<State> twin = type->decode(again);
      RC_ASSERT(twin != nullptr);
      std::string twin_bytes;
      type->encode(*twin, twin_bytes);
      RC_ASSERT(twin_bytes == again);
      const Context context{1};
      for (const Call& call : scenario.history) type->execute(*state, call, {}, context);
    }));
  }
}

}  // namespace
}  // namespace claret::laws
