#include "structure/wide_integer.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace claret {
namespace {

TEST(WideInteger, AgreesWithInt128WhereBothFit) {
  constexpr unsigned kSeed = 20261121;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 1000; ++i) {
    const auto a = static_cast<std::int64_t>(random()) >> random() % 64;
    const auto b = static_cast<std::int64_t>(random()) >> random() % 64;
    const absl::int128 wide_a = a;
    ASSERT_EQ(WideInteger(wide_a) + WideInteger(absl::int128(b)), WideInteger(wide_a + b));
    ASSERT_EQ(WideInteger(wide_a) - WideInteger(absl::int128(b)), WideInteger(wide_a - b));
    ASSERT_EQ(WideInteger(wide_a) * WideInteger(absl::int128(b)), WideInteger(wide_a * b));
    ASSERT_EQ(WideInteger(wide_a).to_number(), static_cast<double>(a));
  }
}

TEST(WideInteger, HoldsValuesBeyond128Bits) {
  const WideInteger great(absl::int128(std::numeric_limits<absl::int128>::max()));
  const WideInteger sum = great + great + great;
  EXPECT_DOUBLE_EQ(sum.to_number(), 3 * 0x1p127);
  EXPECT_EQ(sum - great - great, great);
  EXPECT_DOUBLE_EQ((-sum).to_number(), -3 * 0x1p127);
  EXPECT_TRUE((-sum).negative());
}

}  // namespace
}  // namespace claret
