#include "wire/slots.h"

#include <gtest/gtest.h>

namespace claret {
namespace {

KeptSlots sample() {
  return {.position = 70'000,
          .spans = {{{0, 99}, true, 0, 0}, {{100, 16383}, false, 3, 1'234'567'890'123}},
          .given = KeptMove{.id = "m1", .slots = {100, 200}, .peer = 2, .version = 3, .at = 0xFFFF'FFFF'FFFF},
          .imported = KeptMove{.id = "m2", .slots = {300, 300}, .peer = 255, .version = 1, .pieces = 12, .complete = true},
          .taken = "m0"};
}

std::string bytes_of(const KeptSlots& kept) {
  std::string bytes;
  add_value(bytes, kept);
  return bytes;
}

TEST(KeptSlots, AreReadAsTheyWereWritten) {
  KeptSlots read;
  ASSERT_TRUE(read_value(bytes_of(sample()), read));
  EXPECT_EQ(read, sample());
  KeptSlots least{.position = 1}, read_least;
  ASSERT_TRUE(read_value(bytes_of(least), read_least));
  EXPECT_EQ(read_least, least);
}

TEST(KeptSlots, ThatAreCutOffOrInvalidAreRefused) {
  const std::string bytes = bytes_of(sample());
  std::size_t accepted = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    KeptSlots read;
    accepted += read_value(bytes.substr(0, size), read) ? 1 : 0;
  }
  EXPECT_EQ(accepted, 5u) << "only between two fields";
  KeptSlots read;
  KeptSlots backwards = sample(), beyond = sample(), nameless = sample();
  backwards.spans[0].slots = {5, 4};
  beyond.spans[1].slots.last = kSlots;
  nameless.given->id.clear();
  for (const KeptSlots& invalid : {backwards, beyond, nameless, KeptSlots{}}) EXPECT_FALSE(read_value(bytes_of(invalid), read));
}

TEST(PieceHead, IsReadAsItWasWritten) {
  std::string bytes;
  add_value(bytes, PieceHead{.slots = {1, 16383}, .version = 9, .number = 3, .complete = true, .time_ms = 1'700'000'000'000});
  PieceHead head;
  ASSERT_TRUE(read_value(bytes, head));
  EXPECT_EQ(head.slots, (SlotRun{1, 16383}));
  EXPECT_EQ(head.version, 9u);
  EXPECT_EQ(head.number, 3u);
  EXPECT_TRUE(head.complete);
  EXPECT_EQ(head.time_ms, 1'700'000'000'000u);
  std::string zero;
  add_value(zero, PieceHead{.slots = {1, 2}, .version = 9, .number = 0});
  EXPECT_FALSE(read_value(zero, head)) << "pieces are numbered from 1";
}

}  // namespace
}  // namespace claret
