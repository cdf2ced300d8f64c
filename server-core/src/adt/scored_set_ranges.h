// The commands of sorted sets that find members by rank or by score, for the table of scored_set_commands.cc; and what both files need.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adt/check.h"
#include "adt/commands.h"
#include "adt/type_commands.h"

namespace claret::scored_set {

// As scored_set.cc numbers them.
enum Operation : std::uint8_t { kAdd = 1, kIncrement, kRemove, kScore, kRank, kRange, kRangeByScore, kSize };

struct Entry {
  std::string member;
  std::int64_t score = 0;
};

inline std::int64_t size_of(CommandRun& run, std::string_view key) { return integer_of(run.execute(key, scored_set_type(), kSize)); }

// A double in Redis. Beyond 2^53 it has all digits here, where a double has none to spare.
inline void write_score(resp::ReplyWriter& reply, std::int64_t score) {
  if (reply.protocol() == 2) return reply.bulk_integer(score);
  reply.raw("," + std::to_string(score) + "\r\n");
}

// The members from the first rank to the last, both included. REQUIRES: first >= 0, and last is less than the size.
inline std::vector<Entry> read_ranks(CommandRun& run, std::string_view key, std::int64_t first, std::int64_t last) {
  std::vector<Entry> entries;
  while (first <= last && !run.stopped()) {
    const std::int64_t end = std::min(last, first + kItemsMax - 1);
    for (const Value& entry : list_of(run.execute(key, scored_set_type(), kRange, Value(first), Value(end)))) {
      entries.push_back({entry.list()[0].text(), entry.list()[1].integer()});
    }
    first = end + 1;
  }
  return entries;
}

// Removes the members of these entries.
inline void remove_entries(CommandRun& run, std::string_view key, const std::vector<Entry>& entries) {
  if (entries.size() > 1 && !run.clear(key)) return;
  for (const Entry& entry : entries) run.execute(key, scored_set_type(), kRemove, Value(entry.member));
}

void zcount(CommandRun& run);
void zrange(CommandRun& run);
void zrevrange(CommandRun& run);
void zrangebyscore(CommandRun& run);
void zrevrangebyscore(CommandRun& run);
void zremrangebyrank(CommandRun& run);
void zremrangebyscore(CommandRun& run);

}  // namespace claret::scored_set
