// Operations may be applied to a state between two of its parts: together the parts are the bytes that the state had when the first was
// taken.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "adt/registry.h"
#include "adt/test_record.h"

namespace claret {
namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t bound) { return random() % bound; }

// Few distinct texts, so that they recur; of several lengths, some longer than a part.
Value random_text(Random& random) {
  const std::size_t n = below(random, 200);
  return Value(std::to_string(n) + std::string(n % 7 == 0 ? n * 3 : n % 3, 'x'));
}

Value random_scalar(Random& random) {
  switch (below(random, 4)) {
    case 0:
      return random_text(random);
    case 1:
      return Value(static_cast<double>(below(random, 9)) / 2);
    case 2:
      return Value(below(random, 2) == 0);
    default:
      return Value(static_cast<std::int64_t>(below(random, 9)) - 4);
  }
}

Value random_argument(Kind kind, Random& random) {
  Value::List items;
  switch (kind) {
    case Kind::kInteger:
      return Value(static_cast<std::int64_t>(below(random, 9)) - 4);
    case Kind::kNumber:
      return Value(static_cast<double>(below(random, 40)));
    case Kind::kText:
      return random_text(random);
    case Kind::kTexts:
      for (std::size_t left = 1 + below(random, 3); left > 0; --left) items.push_back(random_text(random));
      return Value(std::move(items));
    case Kind::kScalars:
      for (std::size_t left = 1 + below(random, 3); left > 0; --left) items.push_back(random_scalar(random));
      return Value(std::move(items));
    case Kind::kBoolean:
      return Value(below(random, 2) == 0);
    case Kind::kEntries:
      for (std::size_t left = 1 + below(random, 3); left > 0; --left) {
        items.emplace_back(Value::List{random_text(random), random_scalar(random)});
      }
      return Value(std::move(items));
    default:
      return random_scalar(random);
  }
}

// Applies a random operation that changes the state, unless it is refused. `parts` may be null.
void change(const DataType& type, State& state, StateParts* parts, Random& random) {
  std::vector<const OperationSpec*> operations;
  for (const OperationSpec& one : type.operations()) {
    if (one.operation_class != OperationClass::kObserve) operations.push_back(&one);
  }
  Call call{operations[below(random, operations.size())], {}};
  for (const Parameter& parameter : call.operation->parameters) call.arguments.push_back(random_argument(parameter.kind, random));
  // Others would leave hardly anything.
  if (call.operation->name == "trim") call.arguments = {integer(static_cast<std::int64_t>(below(random, 3))), integer(-1)};
  const Outcome outcome = type.execute(state, call, {}, Context{1});
  if (outcome.refused()) return;
  if (parts != nullptr) parts->before(call);
  type.commit(state, call, outcome.result());
}

std::string bytes_of(const DataType& type, const State& state) {
  std::string bytes;
  type.encode(state, bytes);
  return bytes;
}

std::vector<const DataType*> types_in_parts() {
  std::vector<const DataType*> types;
  for (const DataType* type : all_types()) {
    if (type->parts(*type->create()) != nullptr) types.push_back(type);
  }
  return types;
}

TEST(StateParts, EveryTypeWhoseStatesGrowHasThem) {
  std::vector<std::string_view> names;
  for (const DataType* type : types_in_parts()) names.push_back(type->name());
  EXPECT_EQ(names, (std::vector<std::string_view>{"Dict", "Set", "ScoredSet", "TopK", "List"}));
}

TEST(StateParts, EqualTheStateAtTheirBeginningDespiteChangesMeanwhile) {
  std::size_t many_parts = 0, changed = 0;
  for (const DataType* type : types_in_parts()) {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
      SCOPED_TRACE(std::string(type->name()) + ", seed " + std::to_string(seed));
      Random random(seed);
      const std::unique_ptr<State> state = type->create();
      // A TopK is full at 128 items.
      for (std::size_t left = below(random, 500); left > 0; --left) change(*type, *state, nullptr, random);
      const std::string expected = bytes_of(*type, *state);
      const std::unique_ptr<StateParts> parts = type->parts(*state);
      const std::size_t changes_max = 1 + below(random, 40);
      std::string bytes;
      std::size_t count = 0;
      for (bool more = true; more; ++count) {
        ASSERT_LT(count, 10'000u) << "the parts do not end";
        const std::size_t before = bytes.size();
        more = parts->next(1 + below(random, 400), bytes);
        ASSERT_LE(bytes.size() - before, 400u + 1400u) << "at most the bytes wanted and one member";
        if (!more) break;
        for (std::size_t left = below(random, changes_max); left > 0; --left) change(*type, *state, parts.get(), random);
      }
      ASSERT_EQ(bytes, expected);
      many_parts += count > 10 ? 1 : 0;
      changed += bytes_of(*type, *state) != expected ? 1 : 0;
    }
  }
  EXPECT_GT(many_parts, 400u);
  EXPECT_GT(changed, 800u);
}

TEST(StateParts, AddedOneAfterTheOtherMakeTheState) {
  for (const DataType* type : types_in_parts()) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      SCOPED_TRACE(std::string(type->name()) + ", seed " + std::to_string(seed));
      Random random(seed);
      const std::unique_ptr<State> state = type->create(), added = type->create();
      for (std::size_t left = below(random, 300); left > 0; --left) change(*type, *state, nullptr, random);
      const std::unique_ptr<StateParts> parts = type->parts(*state);
      bool first = true;
      for (bool more = true; more; first = false) {
        std::string part;
        more = parts->next(1 + below(random, 400), part);
        ASSERT_TRUE(type->add_part(*added, part, first));
        if (part.size() < 9) continue;
        const std::string before = bytes_of(*type, *added);
        // A list may have equal elements.
        if (type->name() != "List") {
          EXPECT_FALSE(type->add_part(*added, part, first)) << "its members are there already";
        }
        EXPECT_FALSE(type->add_part(*added, part.substr(0, part.size() - 1), first));
        EXPECT_EQ(bytes_of(*type, *added), before);
      }
      EXPECT_EQ(bytes_of(*type, *added), bytes_of(*type, *state));
    }
  }
}

TEST(StateParts, EndHoweverFastTheStateGrows) {
  TestRecord record("Set");
  for (int i = 0; i < 1000; ++i) record.run("add", {"m" + std::to_string(i)});
  const std::unique_ptr<StateParts> parts = record.type().parts(record.state());
  std::string bytes, expected;
  record.type().encode(record.state(), expected);
  int member = 0;
  for (int count = 0; parts->next(64 * 100, bytes); ++count) {
    ASSERT_LT(count, 100);
    for (int i = 0; i < 90; ++i) {
      const Call add = record.call("add", {"n" + std::to_string(1'000'000 + member++)});
      parts->before(add);
      record.type().commit(record.state(), add, {});
    }
  }
  EXPECT_EQ(bytes, expected);
}

TEST(StateParts, EachTakesABoundedShareOfTheState) {
  for (const char* type : {"Set", "Dict", "ScoredSet"}) {
    SCOPED_TRACE(type);
    TestRecord record(type);
    const std::string operation = std::string(type) == "Dict" ? "increment" : "add";
    for (std::int64_t i = 0; i < 5000; ++i) {
      std::vector<Value> arguments{Value(std::to_string(i))};
      if (std::string(type) != "Set") arguments.emplace_back(i % 10);
      record.run(operation, std::move(arguments));
    }
    const std::unique_ptr<StateParts> parts = record.type().parts(record.state());
    std::size_t count = 1;
    for (std::string bytes; parts->next(6400, bytes); ++count) {
      EXPECT_LE(bytes.size(), 6400u);
      bytes.clear();
    }
    EXPECT_GE(count, 50u) << "a part has at most a hundred members, however short they are";
  }
}

}  // namespace
}  // namespace claret
