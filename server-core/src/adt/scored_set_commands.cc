// The commands of Redis's sorted sets, on ScoredSet: ZADD, ZSCORE, ZRANK, ZPOPMIN and the others whose names begin with Z. Those that take a range
// are in scored_set_range_commands.cc.
//
// What differs from Redis: scores are 64-bit integers, so that one with a fraction or without end is refused, and one beyond 2^53 is exact.
// ZSCAN answers all members at once, and ZRANDMEMBER repeats members at most a million times.
#include <cmath>
#include <limits>
#include <optional>

#include "absl/container/flat_hash_set.h"
#include "adt/scored_set_ranges.h"
#include "resp/numbers.h"

namespace claret {

namespace scored_set_door {
namespace {

using namespace scored_set;

constexpr std::string_view kNoScore = "ERR value is not an integer: scores of Claret are 64-bit integers";

// ---- scores

// "5.0" and "1e3" are integers too. Nothing if the command has failed.
std::optional<std::int64_t> score_at(CommandRun& run, std::size_t place) {
  if (const auto integer = resp::parse_integer(run[place])) return integer;
  const auto number = resp::parse_double(run[place]);
  if (number && std::trunc(*number) == *number && -0x1p63 <= *number && *number < 0x1p63) return static_cast<std::int64_t>(*number);
  run.fail(number ? kNoScore : kNotAFloat);
  return std::nullopt;
}

std::optional<std::int64_t> score_of(CommandRun& run, std::string_view key, std::string_view member) {
  const Value& score = run.execute(key, scored_set_type(), kScore, Value(text_of_bytes(member)));
  return score.is_integer() ? std::optional(score.integer()) : std::nullopt;
}

void answer_score(CommandRun& run, const std::optional<std::int64_t>& score) {
  if (score) {
    write_score(run.reply(), *score);
  } else {
    run.reply().null();
  }
}

// ---- ZADD

struct AddOptions {
  bool if_missing = false;
  bool if_there = false;
  bool if_greater = false;
  bool if_less = false;
  bool counts_changes = false;
  bool increments = false;
};

// Returns the place behind the options.
std::size_t parse_options(const CommandRun& run, AddOptions& options) {
  struct Option {
    std::string_view name;
    bool AddOptions::*given;
  };
  constexpr Option kOptions[] = {
      {"nx", &AddOptions::if_missing}, {"xx", &AddOptions::if_there},       {"gt", &AddOptions::if_greater},
      {"lt", &AddOptions::if_less},    {"ch", &AddOptions::counts_changes}, {"incr", &AddOptions::increments},
  };
  std::size_t place = 2;
  for (; place < run.size(); ++place) {
    const auto is_named = [&](const Option& option) { return same_name(run, place, option.name); };
    const auto option = std::find_if(std::begin(kOptions), std::end(kOptions), is_named);
    if (option == std::end(kOptions)) break;
    options.*option->given = true;
  }
  return place;
}

// An error's text, or nothing.
std::string_view problem_of(const AddOptions& options, std::size_t pairs) {
  if (options.if_missing && options.if_there) return "ERR XX and NX options at the same time are not compatible";
  if ((options.if_missing && (options.if_greater || options.if_less)) || (options.if_greater && options.if_less)) {
    return "ERR GT, LT, and/or NX options at the same time are not compatible";
  }
  if (options.increments && pairs > 1) return "ERR INCR option supports a single increment-element pair";
  return {};
}

// What giving a member a score has done.
struct Added {
  bool is_new = false;
  bool has_changed = false;
  std::optional<std::int64_t> score;  // absent if the options were against it
};

Added add(CommandRun& run, std::string_view member, std::int64_t given, const AddOptions& options) {
  const std::string_view key = run[1];
  const std::optional<std::int64_t> before = score_of(run, key, member);
  if (before ? options.if_missing : options.if_there) return {};
  std::int64_t score = given;
  if (before && options.increments && __builtin_add_overflow(*before, given, &score)) {
    run.fail(kWouldOverflow);
    return {};
  }
  if (before && ((options.if_greater && score <= *before) || (options.if_less && score >= *before))) return {};
  if (before != score) run.execute(key, scored_set_type(), kAdd, Value(text_of_bytes(member)), Value(score));
  return {.is_new = !before, .has_changed = before && *before != score, .score = score};
}

void zadd(CommandRun& run) {
  AddOptions options;
  const std::size_t first = parse_options(run, options);
  const std::size_t pairs = (run.size() - first) / 2;
  if (pairs == 0 || (run.size() - first) % 2 != 0) return run.fail(resp::kSyntaxError);
  if (const std::string_view problem = problem_of(options, pairs); !problem.empty()) return run.fail(problem);
  std::vector<std::int64_t> scores;
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const auto score = score_at(run, first + 2 * pair);
    if (!score) return;
    scores.push_back(*score);
  }

  if (pairs > 1 && !run.clear(run[1])) return;
  Added last;
  std::int64_t added = 0, changed = 0;
  for (std::size_t pair = 0; pair < pairs && !run.stopped(); ++pair) {
    last = add(run, run[first + 2 * pair + 1], scores[pair], options);
    added += last.is_new;
    changed += last.has_changed;
  }
  if (options.increments) return answer_score(run, last.score);
  run.reply().integer(options.counts_changes ? added + changed : added);
}

void zincrby(CommandRun& run) {
  const auto n = score_at(run, 2);
  if (n) answer_score(run, add(run, run[3], *n, {.increments = true}).score);
}

// ---- members

void zrem(CommandRun& run) {
  std::vector<Entry> entries;
  absl::flat_hash_set<std::string_view> seen;  // looked up, never iterated
  for (const std::string_view member : run.from(2)) {
    if (seen.insert(member).second && score_of(run, run[1], member)) entries.push_back({.member = text_of_bytes(member)});
  }
  remove_entries(run, run[1], entries);
  run.reply().integer(static_cast<std::int64_t>(entries.size()));
}

void zscore(CommandRun& run) { answer_score(run, score_of(run, run[1], run[2])); }

void zmscore(CommandRun& run) {
  run.reply().array(run.size() - 2);
  for (const std::string_view member : run.from(2)) answer_score(run, score_of(run, run[1], member));
}

void zcard(CommandRun& run) { run.reply().integer(size_of(run, run[1])); }

void zrank(CommandRun& run) {
  const Value& rank = run.execute(run[1], scored_set_type(), kRank, Value(run.text(2)));
  if (!rank.is_integer()) return run.reply().null();
  run.reply().integer(rank.integer());
}

void zrevrank(CommandRun& run) {
  const Value rank = run.execute(run[1], scored_set_type(), kRank, Value(run.text(2)));
  if (!rank.is_integer()) return run.reply().null();
  run.reply().integer(size_of(run, run[1]) - 1 - rank.integer());
}

enum class End : std::uint8_t { kLowest, kHighest };

void pop(CommandRun& run, End end) {
  if (run.size() > 3) return run.fail(resp::kSyntaxError);
  std::int64_t count = 1;
  if (run.size() == 3) {
    const auto given = count_at(run, 2);
    if (!given) return;
    count = *given;
  }
  const std::int64_t size = size_of(run, run[1]);
  const std::int64_t taken = std::min(count, size);
  const std::int64_t first = end == End::kLowest ? 0 : size - taken;
  std::vector<Entry> entries = read_ranks(run, run[1], first, first + taken - 1);
  if (end == End::kHighest) std::reverse(entries.begin(), entries.end());
  remove_entries(run, run[1], entries);
  const bool in_pairs = run.reply().protocol() == 3 && run.size() == 3;
  run.reply().array(in_pairs ? entries.size() : 2 * entries.size());
  for (const Entry& entry : entries) {
    if (in_pairs) run.reply().array(2);
    write_text(run.reply(), entry.member);
    write_score(run.reply(), entry.score);
  }
}
void zpopmin(CommandRun& run) { pop(run, End::kLowest); }
void zpopmax(CommandRun& run) { pop(run, End::kHighest); }

// ---- random members, and iteration

Entry read_rank(CommandRun& run, std::size_t place) {
  const auto rank = static_cast<std::int64_t>(place);
  std::vector<Entry> entries = read_ranks(run, run[1], rank, rank);
  return entries.empty() ? Entry() : std::move(entries[0]);
}

void zrandmember(CommandRun& run) {
  if (run.size() == 2) {
    const std::int64_t size = size_of(run, run[1]);
    if (size == 0) return run.reply().null();
    return write_text(run.reply(), read_rank(run, run.draw(static_cast<std::uint64_t>(size))).member);
  }
  const auto count = signed_count_at(run, 2);
  if (!count) return;
  const bool with_scores = run.size() == 4 && same_name(run, 3, "withscores");
  if (run.size() > 3 && !with_scores) return run.fail(resp::kSyntaxError);
  if (with_scores && !may_be_doubled(*count)) return run.fail(kOutOfRange);
  const std::int64_t size = size_of(run, run[1]);
  const std::vector<std::size_t> places = draw_places(run, static_cast<std::size_t>(size), *count);
  std::vector<Entry> all;
  if (places.size() >= static_cast<std::size_t>(size)) all = read_ranks(run, run[1], 0, size - 1);
  if (run.stopped()) return;
  const bool in_pairs = with_scores && run.reply().protocol() == 3;
  run.reply().array(with_scores && !in_pairs ? 2 * places.size() : places.size());
  for (const std::size_t place : places) {
    const Entry entry = all.empty() ? read_rank(run, place) : all[place];
    if (in_pairs) run.reply().array(2);
    write_text(run.reply(), entry.member);
    if (with_scores) write_score(run.reply(), entry.score);
  }
}

void zscan(CommandRun& run) {
  Scan scan;
  if (!scan.take_cursor(run)) return;
  const std::int64_t size = size_of(run, run[1]);
  if (size > 0 && !scan.take_options(run)) return;
  std::vector<std::string> texts;
  for (Entry& entry : read_ranks(run, run[1], 0, size - 1)) {
    if (!scan.wants(entry.member)) continue;
    texts.push_back(bytes_of_text(entry.member));
    texts.push_back(std::to_string(entry.score));
  }
  Scan::answer(run, texts);
}

// ---- specs

using namespace command_spec;

constexpr Group kZset{"sorted-set", resp::CommandCategory::kSortedSets};
constexpr std::string_view kAccess = "RO access";

constexpr resp::CommandSpec kCommands[] = {
    kZset("zadd", -4, kFastGrow, "RW update", "1.2.0", kRunner<zadd>, "Gives members scores, and adds them if needed"),
    kZset("zincrby", 4, kFastGrow, "RW access update", "1.2.0", kRunner<zincrby>, "Adds to the score of a member"),
    kZset("zrem", -3, kFastWrite, "RW delete", "1.2.0", kRunner<zrem>, "Removes members"),
    kZset("zscore", 3, kFastRead, kAccess, "1.2.0", kRunner<zscore>, "The score of a member"),
    kZset("zmscore", -3, kFastRead, kAccess, "6.2.0", kRunner<zmscore>, "The scores of members"),
    kZset("zcard", 2, kFastRead, "RO", "1.2.0", kRunner<zcard>, "The number of members"),
    kZset("zcount", 4, kFastRead, kAccess, "2.0.0", kRunner<zcount>, "The number of members within a range of scores"),
    kZset("zrank", 3, kFastRead, kAccess, "2.0.0", kRunner<zrank>, "How many members stand before one"),
    kZset("zrevrank", 3, kFastRead, kAccess, "2.0.0", kRunner<zrevrank>, "How many members stand behind one"),
    kZset("zrange", -4, kRead, kAccess, "1.2.0", kRunner<zrange>, "The members of a range of ranks or scores"),
    kZset("zrevrange", -4, kRead, kAccess, "1.2.0", kRunner<zrevrange>, "The members of a range of ranks, highest score first"),
    kZset("zrangebyscore", -4, kRead, kAccess, "1.0.5", kRunner<zrangebyscore>, "The members of a range of scores"),
    kZset("zrevrangebyscore", -4, kRead, kAccess, "2.2.0", kRunner<zrevrangebyscore>, "The members of a range of scores, highest first"),
    kZset("zpopmin", -2, kFastWrite, "RW access delete", "5.0.0", kRunner<zpopmin>, "Takes members with the lowest scores"),
    kZset("zpopmax", -2, kFastWrite, "RW access delete", "5.0.0", kRunner<zpopmax>, "Takes members with the highest scores"),
    kZset("zremrangebyrank", 4, kWrite, "RW delete", "2.0.0", kRunner<zremrangebyrank>, "Removes the members of a range of ranks"),
    kZset("zremrangebyscore", 4, kWrite, "RW delete", "1.2.0", kRunner<zremrangebyscore>, "Removes the members of a range of scores"),
    with_tips(kZset("zrandmember", -2, kRead, kAccess, "6.2.0", kRunner<zrandmember>, "Random members"), kTipsVarying),
    with_tips(kZset("zscan", -3, kRead, kAccess, "2.8.0", kRunner<zscan>, "The members with their scores, as an iteration"), kTipsVarying),
};

}  // namespace
}  // namespace scored_set_door

std::span<const resp::CommandSpec> scored_set_commands() { return scored_set_door::kCommands; }

}  // namespace claret
