#include "transaction/deduplication.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

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

TEST(Deduplication, AnswersKeptSinceTheLastCheckpointStayOneByOneThroughARestore) {
  Deduplication kept;
  TransactionId id{};
  const auto keep = [&](std::uint64_t number, std::uint64_t until_wall_ms) {
    for (std::size_t i = 0; i < 8; ++i) id[i] = static_cast<unsigned char>(number >> (8 * i));
    kept.claim(id);
    kept.commit(id, number, until_wall_ms, number);
  };
  for (std::uint64_t i = 1; i <= 5'000; ++i) keep(i, i <= 4'990 ? 1'000 : 9'000);
  while (kept.forget_due(2'000)) {
  }
  kept.forget_fresh();
  kept.begin_fresh();
  std::string piece;
  std::uint64_t until_wall_ms = 0;
  std::uint64_t latest = 0;
  int pieces = 0;
  for (; kept.take_fresh(1 << 20, piece, until_wall_ms); ++pieces) latest = std::max(latest, until_wall_ms);
  EXPECT_EQ(pieces, 1) << "ids that are not known any more were kept";
  EXPECT_EQ(latest, 9'000u);
}

}  // namespace
}  // namespace claret
