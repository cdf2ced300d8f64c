#include <gtest/gtest.h>

#include "adt/registry.h"

namespace claret {
namespace {

TEST(Registry, FindsTypesByNameAndId) {
  for (const DataType* type : all_types()) {
    EXPECT_EQ(find_type(type->id()), type);
    EXPECT_EQ(find_type(type->name()), type);
  }
  EXPECT_EQ(find_type("Nothing"), nullptr);
  EXPECT_EQ(find_type(std::uint8_t{0}), nullptr);
}

}  // namespace
}  // namespace claret
