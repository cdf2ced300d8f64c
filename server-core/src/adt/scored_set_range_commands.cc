// Sorted sets, continued: ZRANGE and its relatives, ZCOUNT, and the removal of ranges. A range of scores is first turned into one of ranks.
//
// What differs from Redis: BYLEX is refused. A limit of scores may have a fraction, although scores have none.
#include <cmath>
#include <limits>
#include <optional>

#include "adt/scored_set_ranges.h"
#include "resp/numbers.h"

namespace claret::scored_set {

namespace {

using Limits = std::numeric_limits<std::int64_t>;

constexpr std::string_view kNoBound = "ERR min or max is not a float";

// Ranks from `first` to `last`, both included; none if last < first.
struct Ranks {
  std::int64_t first = 0;
  std::int64_t last = -1;

  std::int64_t size() const { return std::max<std::int64_t>(last - first + 1, 0); }
};

// Scores from `lowest` to `highest`, both included; none if highest < lowest.
struct Scores {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
};

enum class Side : std::uint8_t { kLowest, kHighest };

// The outermost score within the bound. Nothing if no score is within it.
std::optional<std::int64_t> within(double bound, bool exclusive, Side side) {
  const double step = exclusive ? 1 : 0;
  if (side == Side::kLowest) {
    const double lowest = exclusive ? std::floor(bound) + step : std::ceil(bound);
    if (lowest >= 0x1p63) return std::nullopt;
    return lowest <= -0x1p63 ? Limits::min() : static_cast<std::int64_t>(lowest);
  }
  const double highest = exclusive ? std::ceil(bound) - step : std::floor(bound);
  if (highest < -0x1p63) return std::nullopt;
  return highest >= 0x1p63 ? Limits::max() : static_cast<std::int64_t>(highest);
}

// The same of an integer, which a double might not hold.
std::optional<std::int64_t> within(std::int64_t bound, bool exclusive, Side side) {
  if (!exclusive) return bound;
  const bool is_outermost = bound == (side == Side::kLowest ? Limits::max() : Limits::min());
  if (is_outermost) return std::nullopt;
  return side == Side::kLowest ? bound + 1 : bound - 1;
}

std::optional<std::int64_t> within(std::string_view text, const resp::ScoreBound& bound, Side side) {
  const auto integer = resp::parse_integer(text.substr(bound.exclusive ? 1 : 0));
  return integer ? within(*integer, bound.exclusive, side) : within(bound.value, bound.exclusive, side);
}

// Nothing if the command has failed.
std::optional<Scores> parse_scores(CommandRun& run, std::size_t min, std::size_t max) {
  const auto low = resp::parse_score_bound(run[min]);
  const auto high = resp::parse_score_bound(run[max]);
  if (!low || !high) {
    run.fail(kNoBound);
    return std::nullopt;
  }
  const auto lowest = within(run[min], *low, Side::kLowest);
  const auto highest = within(run[max], *high, Side::kHighest);
  return lowest && highest ? Scores{*lowest, *highest} : Scores{0, -1};
}

std::optional<Ranks> parse_ranks(CommandRun& run, std::size_t place) {
  const auto first = integer_at(run, place);
  if (!first) return std::nullopt;
  const auto last = integer_at(run, place + 1);
  if (!last) return std::nullopt;
  return Ranks{*first, *last};
}

// Of ranks that may count from the end, those that there are.
Ranks present(const Ranks& ranks, std::int64_t size) {
  const std::int64_t first = std::max<std::int64_t>(ranks.first < 0 ? ranks.first + size : ranks.first, 0);
  return {first, std::min(ranks.last < 0 ? ranks.last + size : ranks.last, size - 1)};
}

// How many members have a lower score.
std::int64_t count_below(CommandRun& run, std::string_view key, std::int64_t score, std::int64_t size) {
  const Value::List& next =
      list_of(run.execute(key, scored_set_type(), kRangeByScore, Value(score), Value(Limits::max()), Value(std::int64_t{1})));
  if (next.empty()) return size;
  const Value member = next[0].list()[0];
  return integer_of(run.execute(key, scored_set_type(), kRank, member));
}

Ranks ranks_of(CommandRun& run, std::string_view key, const Scores& scores) {
  if (scores.highest < scores.lowest) return {};
  const std::int64_t size = size_of(run, key);
  if (size == 0) return {};
  const std::int64_t first = count_below(run, key, scores.lowest, size);
  const std::int64_t end = scores.highest == Limits::max() ? size : count_below(run, key, scores.highest + 1, size);
  return {first, end - 1};
}

// ---- ZRANGE

enum class By : std::uint8_t { kAny, kRank, kScore, kBytes };
enum class Direction : std::uint8_t { kAny, kUp, kDown };

struct Options {
  By by;
  Direction direction;
  bool with_scores = false;
  std::int64_t offset = 0;
  std::int64_t limit = -1;
};

// Takes the option at that place; false if it is none, or the command has failed.
bool take_option(CommandRun& run, std::size_t& place, bool may_choose_by, bool may_choose_direction, Options& options) {
  if (same_name(run, place, "withscores")) return options.with_scores = true;
  if (may_choose_direction && same_name(run, place, "rev")) return options.direction = Direction::kDown, true;
  const bool is_first_by = may_choose_by && options.by == By::kAny;
  if (is_first_by && same_name(run, place, "bylex")) return options.by = By::kBytes, true;
  if (is_first_by && same_name(run, place, "byscore")) return options.by = By::kScore, true;
  if (!same_name(run, place, "limit") || place + 2 >= run.size()) return false;
  const auto offset = integer_at(run, place + 1);
  const auto limit = offset ? integer_at(run, place + 2) : std::nullopt;
  if (!limit) return false;
  options.offset = *offset;
  options.limit = *limit;
  place += 2;
  return true;
}

// Nothing if the command has failed.
std::optional<Options> parse_options(CommandRun& run, By by, Direction direction) {
  Options options{.by = by, .direction = direction};
  for (std::size_t place = 4; place < run.size(); ++place) {
    const bool may_turn = direction == Direction::kAny && options.direction == Direction::kAny;
    if (take_option(run, place, by == By::kAny, may_turn, options)) continue;
    run.fail(resp::kSyntaxError);
    return std::nullopt;
  }
  if (options.by == By::kAny) options.by = By::kRank;
  if (options.limit != -1 && options.by == By::kRank) {
    run.fail("ERR syntax error, LIMIT is only supported in combination with either BYSCORE or BYLEX");
  } else if (options.with_scores && options.by == By::kBytes) {
    run.fail("ERR syntax error, WITHSCORES not supported in combination with BYLEX");
  } else if (options.by == By::kBytes) {
    run.fail("ERR BYLEX is not supported");
  }
  return run.stopped() ? std::nullopt : std::optional(options);
}

// Of ranks in a direction, those from the offset on, as many as the limit allows. As in Redis, a negative offset leaves none, and a negative limit
// allows all.
Ranks limited(Ranks ranks, const Options& options, bool down) {
  if (options.offset < 0 || options.offset >= ranks.size()) return {};
  const std::int64_t left = ranks.size() - options.offset;
  const std::int64_t wanted = options.limit < 0 ? left : std::min(left, options.limit);
  if (down) return {ranks.last - options.offset - wanted + 1, ranks.last - options.offset};
  return {ranks.first + options.offset, ranks.first + options.offset + wanted - 1};
}

void answer(CommandRun& run, std::vector<Entry> entries, bool with_scores, bool down) {
  if (down) std::reverse(entries.begin(), entries.end());
  const bool in_pairs = with_scores && run.reply().protocol() == 3;
  run.reply().array(with_scores && !in_pairs ? 2 * entries.size() : entries.size());
  for (const Entry& entry : entries) {
    if (in_pairs) run.reply().array(2);
    write_text(run.reply(), entry.member);
    if (with_scores) write_score(run.reply(), entry.score);
  }
}

void answer_range(CommandRun& run, By by, Direction direction) {
  const auto options = parse_options(run, by, direction);
  if (!options) return;
  const std::string_view key = run[1];
  const bool down = options->direction == Direction::kDown;
  Ranks ranks;
  if (options->by == By::kScore) {
    const auto scores = parse_scores(run, down ? 3 : 2, down ? 2 : 3);
    if (!scores) return;
    ranks = limited(ranks_of(run, key, *scores), *options, down);
    if (ranks.size() == 0) size_of(run, key);  // what is of another type is an error, even if no score is asked for
  } else {
    const auto given = parse_ranks(run, 2);
    if (!given) return;
    const std::int64_t size = size_of(run, key);
    ranks = present(*given, size);
    if (down) ranks = {size - 1 - ranks.last, size - 1 - ranks.first};
  }
  answer(run, read_ranks(run, key, ranks.first, ranks.last), options->with_scores, down);
}

void remove_range(CommandRun& run, const Ranks& ranks) {
  const std::vector<Entry> entries = read_ranks(run, run[1], ranks.first, ranks.last);
  remove_entries(run, run[1], entries);
  run.reply().integer(static_cast<std::int64_t>(entries.size()));
}

}  // namespace

void zrange(CommandRun& run) { answer_range(run, By::kAny, Direction::kAny); }
void zrevrange(CommandRun& run) { answer_range(run, By::kRank, Direction::kDown); }
void zrangebyscore(CommandRun& run) { answer_range(run, By::kScore, Direction::kUp); }
void zrevrangebyscore(CommandRun& run) { answer_range(run, By::kScore, Direction::kDown); }

void zcount(CommandRun& run) {
  const auto scores = parse_scores(run, 2, 3);
  if (!scores) return;
  const Ranks ranks = ranks_of(run, run[1], *scores);
  if (ranks.size() == 0) size_of(run, run[1]);
  run.reply().integer(ranks.size());
}

void zremrangebyrank(CommandRun& run) {
  const auto given = parse_ranks(run, 2);
  if (given) remove_range(run, present(*given, size_of(run, run[1])));
}

void zremrangebyscore(CommandRun& run) {
  const auto scores = parse_scores(run, 2, 3);
  if (!scores) return;
  const Ranks ranks = ranks_of(run, run[1], *scores);
  if (ranks.size() == 0) size_of(run, run[1]);
  remove_range(run, ranks);
}

}  // namespace claret::scored_set
