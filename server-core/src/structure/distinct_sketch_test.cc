#include "structure/distinct_sketch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace claret {
namespace {

static_assert(sizeof(DistinctSketch::Mark) == 4);

DistinctSketch sketch_of(std::size_t texts) {
  DistinctSketch sketch;
  for (std::size_t i = 0; i < texts; ++i) sketch.add(DistinctSketch::mark_of("visitor-" + std::to_string(i)));
  return sketch;
}

TEST(DistinctSketch, CountsZeroAndOneExactly) {
  EXPECT_EQ(DistinctSketch().estimate(), 0);
  EXPECT_EQ(sketch_of(1).estimate(), 1);
}

// Five standard errors of 1.04 / sqrt(16384); the texts are fixed, so the result does not depend on chance.
TEST(DistinctSketch, IsCloseToTheTruthAtEveryScale) {
  for (const std::size_t texts : {10, 100, 1'000, 1'100, 10'000, 60'000, 100'000, 1'000'000}) {
    const auto truth = static_cast<double>(texts);
    EXPECT_NEAR(static_cast<double>(sketch_of(texts).estimate()), truth, 5 * 1.04 / std::sqrt(16384.0) * truth) << texts;
  }
}

TEST(DistinctSketch, IsTheSameSparseAndDense) {
  DistinctSketch sketch = sketch_of(DistinctSketch::kSparseMax - 10);
  ASSERT_LT(sketch.used(), DistinctSketch::kSparseMax);
  for (std::size_t i = 0; sketch.used() < 2 * DistinctSketch::kSparseMax; ++i) {
    const DistinctSketch::Mark mark = DistinctSketch::mark_of("more-" + std::to_string(i));
    const std::uint8_t before = sketch.rank(mark.index);
    const std::size_t used = sketch.used();
    sketch.add(mark);
    EXPECT_EQ(sketch.rank(mark.index), std::max(before, mark.rank));
    EXPECT_EQ(sketch.used(), used + (before == 0));
    std::size_t visited = 0;
    sketch.visit([&](DistinctSketch::Mark) { ++visited; });
    EXPECT_EQ(visited, sketch.used());
  }
}

TEST(DistinctSketch, FallsBackFromDenseToSparse) {
  DistinctSketch sketch = sketch_of(DistinctSketch::kSparseMax - 10);
  struct Added {
    DistinctSketch::Mark mark;
    std::uint8_t before;
    std::int64_t estimate;
  };
  std::vector<Added> added;
  for (std::size_t i = 0; sketch.used() < DistinctSketch::kSparseMax + 100; ++i) {
    const DistinctSketch::Mark mark = DistinctSketch::mark_of("more-" + std::to_string(i));
    added.push_back({mark, sketch.rank(mark.index), sketch.estimate()});
    sketch.add(mark);
  }
  for (; !added.empty(); added.pop_back()) {
    const auto& [mark, before, estimate] = added.back();
    sketch.lower(mark.index, before);
    EXPECT_EQ(sketch.rank(mark.index), before);
    EXPECT_EQ(sketch.estimate(), estimate);
    std::size_t visited = 0;
    sketch.visit([&](DistinctSketch::Mark) { ++visited; });
    EXPECT_EQ(visited, sketch.used());
  }
}

// The marks are part of the bytes of states.
TEST(DistinctSketch, TheMarkOfATextNeverChanges) {
  const auto shown = [](std::string_view text) {
    const DistinctSketch::Mark mark = DistinctSketch::mark_of(text);
    return std::to_string(mark.index) + ":" + std::to_string(mark.rank);
  };
  EXPECT_EQ(shown(""), "15690:1");
  EXPECT_EQ(shown("claret"), "11512:3");
  EXPECT_EQ(shown("Z\xc3\xbcrich"), "12695:1");
}

}  // namespace
}  // namespace claret
