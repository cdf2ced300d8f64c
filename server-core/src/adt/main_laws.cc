// Runs the laws: `laws [--type=NAME | --definition=FILE] [--times=N] [GoogleTest's arguments]`.
//
//   --type   only this data type
//   --definition   only the type of this definition (composed/definition.h)
//   --times  multiplies the number of cases by N; also CLARET_LAWS_TIMES
//
// The last line is `pairs: tried/all` if pairs were to be tried; the exit code is 1 unless all of them were. The seed is fresh, and
// printed; RC_PARAMS="seed=1" sets it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

#include "adt/laws.h"
#include "adt/registry.h"
#include "composed/test_definitions.h"
#include "composed/type_table.h"
#include "ground/check.h"

namespace claret::laws {

Run& run() {
  static Run run;
  return run;
}

namespace {

// The types of definitions for tests are tried beside those of the registry.
std::span<const std::unique_ptr<composed::ComposedType>> composed_types() {
  static const auto types = [] {
    std::vector<std::unique_ptr<composed::ComposedType>> list;
    for (const std::string_view definition : {composed::kSeatMap, composed::kTally, composed::kTickets, composed::kPlanner}) {
      list.push_back(composed::composed_type(definition, static_cast<std::uint8_t>(composed::kFirstComposedId + list.size())));
    }
    return list;
  }();
  return types;
}

const DataType* find_any(std::string_view name) {
  for (const auto& type : composed_types()) {
    if (type->name() == name) return type.get();
  }
  return find_type(name);
}

}  // namespace

std::vector<const DataType*> types_to_try() {
  if (run().only != nullptr) return {run().only};
  std::vector<const DataType*> types(all_types().begin(), all_types().end());
  for (const auto& type : composed_types()) types.push_back(type.get());
  return types;
}

namespace {

// Null: it says what is wrong.
const DataType* read_definition(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  static std::unique_ptr<composed::ComposedType> type;
  composed::Parsed parsed = composed::parse_definition(text.str());
  if (parsed.definition == nullptr) {
    std::cerr << file << ": " << parsed.problem << '\n';
    return nullptr;
  }
  type = std::make_unique<composed::ComposedType>(composed::kFirstComposedId, std::move(parsed.definition));
  return type.get();
}

const DataType* read_type(const std::string& name) {
  const DataType* type = find_any(name);
  if (type != nullptr) return type;
  std::cerr << "There is no data type \"" << name << "\". There are:";
  for (const DataType* one : types_to_try()) std::cerr << ' ' << one->name();
  std::cerr << '\n';
  return nullptr;
}

}  // namespace

}  // namespace claret::laws

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  claret::laws::Run& run = claret::laws::run();
  if (const char* times = std::getenv("CLARET_LAWS_TIMES")) run.times = std::atoi(times);
  for (int i = 1; i < count; ++i) {
    const std::string_view argument(arguments[i]);
    if (argument.starts_with("--type=")) {
      run.only = claret::laws::read_type(std::string(argument.substr(7)));
      if (run.only == nullptr) return 1;
    } else if (argument.starts_with("--definition=")) {
      run.only = claret::laws::read_definition(std::string(argument.substr(13)));
      if (run.only == nullptr) return 1;
    } else if (argument.starts_with("--times=")) {
      run.times = std::atoi(arguments[i] + 8);
    } else {
      std::cerr << "Unknown argument " << argument << ". Valid are --type=NAME, --definition=FILE, --times=N and GoogleTest's own.\n";
      return 1;
    }
  }
  if (run.times < 1) {
    std::cerr << "--times takes a number of at least 1.\n";
    return 1;
  }
  claret::checks_are_on = true;
  const int failed = RUN_ALL_TESTS();
  if (run.pairs_all == 0) return failed;
  std::cout << "pairs: " << run.pairs_tried << "/" << run.pairs_all << std::endl;
  return failed != 0 || run.pairs_tried != run.pairs_all ? 1 : 0;
}
