// The core's tests with a mistake on purpose, which they must find: CLARET_MUTATION=n core_mistakes makes the n-th of mutation.h.
#include <gtest/gtest.h>

#include <cstdlib>

#include "ground/mutation.h"

int main(int argc, char** argv) {
  if (const char* number = std::getenv("CLARET_MUTATION")) claret::the_mutation = static_cast<claret::Mutation>(std::atoi(number));
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
