// Runs the laws: `laws [--type=NAME] [--times=N] [GoogleTest's arguments]`.
//
//   --type   only this data type
//   --times  multiplies the number of cases by N; also CLARET_LAWS_TIMES
//
// The last line is `pairs: tried/all` if pairs were to be tried; the exit code is 1 unless all of them were. The seed is fresh, and
// printed; RC_PARAMS="seed=1" sets it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "adt/laws.h"
#include "adt/registry.h"
#include "ground/check.h"

namespace claret::laws {

Run& run() {
  static Run run;
  return run;
}

std::vector<const DataType*> types_to_try() {
  std::vector<const DataType*> types;
  for (const DataType* type : all_types()) {
    if (run().only_type.empty() || type->name() == run().only_type) types.push_back(type);
  }
  return types;
}

}  // namespace claret::laws

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  claret::laws::Run& run = claret::laws::run();
  if (const char* times = std::getenv("CLARET_LAWS_TIMES")) run.times = std::atoi(times);
  for (int i = 1; i < count; ++i) {
    const std::string_view argument(arguments[i]);
    if (argument.starts_with("--type=")) {
      run.only_type = argument.substr(7);
    } else if (argument.starts_with("--times=")) {
      run.times = std::atoi(arguments[i] + 8);
    } else {
      std::cerr << "Unknown argument " << argument << ". Valid are --type=NAME, --times=N and GoogleTest's own.\n";
      return 1;
    }
  }
  if (run.times < 1) {
    std::cerr << "--times takes a number of at least 1.\n";
    return 1;
  }
  if (!run.only_type.empty() && claret::find_type(run.only_type) == nullptr) {
    std::cerr << "There is no data type \"" << run.only_type << "\". There are:";
    for (const claret::DataType* type : claret::all_types()) std::cerr << ' ' << type->name();
    std::cerr << '\n';
    return 1;
  }
  claret::checks_are_on = true;
  const int failed = RUN_ALL_TESTS();
  if (run.pairs_all == 0) return failed;
  std::cout << "pairs: " << run.pairs_tried << "/" << run.pairs_all << std::endl;
  return failed != 0 || run.pairs_tried != run.pairs_all ? 1 : 0;
}
