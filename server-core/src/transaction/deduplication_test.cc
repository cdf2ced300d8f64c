#include "transaction/deduplication.h"

#include <gtest/gtest.h>

namespace claret {
namespace {

TEST(Deduplication, GivesItsMemoryBackOnceKeptAnswersAreForgotten) {
  Deduplication kept;
  for (std::uint64_t i = 1; i <= 10'000; ++i) {
    TransactionId id{};
    id[0] = static_cast<unsigned char>(i % 251);
    id[1] = static_cast<unsigned char>(i / 251);
    kept.claim(id);
    kept.commit(id, i, 1000 + i, 0);
  }
  EXPECT_EQ(kept.size(), 10'000u);
  EXPECT_GE(kept.room(), 10'000u);
  while (kept.forget_due(1e9)) {
  }
  EXPECT_EQ(kept.size(), 0u);
  EXPECT_LE(kept.room(), 1u);
}

}  // namespace
}  // namespace claret
