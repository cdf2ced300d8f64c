#include "adt/commands.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <system_error>

#include "absl/container/flat_hash_set.h"
#include "adt/check.h"
#include "adt/registry.h"
#include "resp/numbers.h"

namespace claret {

namespace {

// Of record operations, as gate/record_operations.h numbers them.
enum RecordOperation : std::uint8_t { kDelete = 1, kExists, kType, kExpire, kPersist, kExpiresAt };

}  // namespace

bool CommandRun::exists(std::string_view key) { return truth_of(execute(key, record_operations(), kExists)); }

bool CommandRun::remove(std::string_view key) { return truth_of(execute_for_reply(key, record_operations(), kDelete)); }

bool CommandRun::expire(std::string_view key, std::int64_t at_ms, std::string_view when) {
  return truth_of(execute(key, record_operations(), kExpire, Value(at_ms), Value(std::string(when))));
}

bool CommandRun::persist(std::string_view key) { return truth_of(execute(key, record_operations(), kPersist)); }

std::optional<std::int64_t> CommandRun::expires_at_ms(std::string_view key) {
  const Value& at_ms = execute(key, record_operations(), kExpiresAt);
  return at_ms.is_integer() ? std::optional(at_ms.integer()) : std::nullopt;
}

Value value_of(std::string_view text) {
  if (const auto integer = resp::parse_integer(text)) return Value(*integer);
  return Value(text_of_bytes(text));
}

std::string text_of(const Value& value) {
  if (value.is_text()) return bytes_of_text(value.text());
  if (value.is_integer()) return std::to_string(value.integer());
  if (value.is_boolean()) return value.boolean() ? "1" : "0";
  std::string text;
  resp::append_long_double(text, value.number());
  return text;
}

void write_text(resp::ReplyWriter& reply, std::string_view text) {
  if (is_plain_text(text)) return reply.bulk(text);
  reply.bulk(bytes_of_text(text));
}

void write_value(resp::ReplyWriter& reply, const Value& value) {
  if (value.absent()) {
    reply.null();
  } else if (value.is_text()) {
    write_text(reply, value.text());
  } else if (value.is_integer()) {
    reply.bulk_integer(value.integer());
  } else {
    reply.bulk(text_of(value));
  }
}

std::optional<std::int64_t> integer_at(CommandRun& run, std::size_t place, std::string_view error) {
  const auto integer = resp::parse_integer(run[place]);
  if (!integer) run.fail(error);
  return integer;
}

std::optional<std::int64_t> count_at(CommandRun& run, std::size_t place, std::string_view error) {
  const auto count = resp::parse_integer(run[place]);
  if (count && *count >= 0) return count;
  run.fail(error);
  return std::nullopt;
}

std::optional<std::int64_t> signed_count_at(CommandRun& run, std::size_t place) {
  const auto count = integer_at(run, place);
  if (!count || *count != std::numeric_limits<std::int64_t>::min()) return count;
  run.fail("ERR value is out of range, value must between -9223372036854775807 and 9223372036854775807");
  return std::nullopt;
}

std::optional<double> timeout_at(CommandRun& run, std::size_t place) {
  constexpr double kMostMs = 9.2e15;
  const auto seconds = resp::parse_long_double(run[place]);
  if (!seconds || !std::isfinite(*seconds)) {
    run.fail("ERR timeout is not a float or out of range");
    return std::nullopt;
  }
  const double ms = std::ceil(static_cast<double>(*seconds * 1000));
  if (ms >= 0 && ms < kMostMs) return ms;
  run.fail(ms < 0 ? "ERR timeout is negative" : "ERR timeout is out of range");
  return std::nullopt;
}

std::string name_of(const CommandRun& run) {
  std::string name;
  for (const char character : run[0]) name.push_back(resp::lower(character));
  return name;
}

void fail_arity(CommandRun& run) { run.fail("ERR wrong number of arguments for '" + name_of(run) + "' command"); }

Value::List texts_of(resp::Arguments arguments) {
  Value::List texts;
  texts.reserve(arguments.size());
  for (const std::string_view argument : arguments) texts.emplace_back(text_of_bytes(argument));
  return texts;
}

Value::List values_of(resp::Arguments arguments) {
  Value::List values;
  values.reserve(arguments.size());
  for (const std::string_view argument : arguments) values.push_back(value_of(argument));
  return values;
}

Answers execute_in_pieces(CommandRun& run, std::string_view key, const DataType& type, std::uint8_t operation, Value::List items) {
  Answers answers;
  const auto execute = [&](Value::List piece) {
    answers.last = integer_of(run.execute_for_reply(key, type, operation, Value(std::move(piece))));
    answers.sum += answers.last;
  };
  constexpr auto kMost = static_cast<std::ptrdiff_t>(kItemsMax);
  if (std::ssize(items) <= kMost) {
    execute(std::move(items));
    return answers;
  }
  if (!run.clear(key)) return answers;
  for (auto next = items.begin(); next != items.end() && !run.stopped();) {
    const auto end = next + std::min(kMost, items.end() - next);
    execute(Value::List(std::make_move_iterator(next), std::make_move_iterator(end)));
    next = end;
  }
  return answers;
}

std::vector<std::size_t> draw_places(CommandRun& run, std::size_t members, std::int64_t count) {
  constexpr std::int64_t kRepeatsMax = 1'000'000;  // Redis has no limit and would answer for hours
  std::vector<std::size_t> places;
  if (members == 0) return places;
  if (count < -kRepeatsMax) {
    run.fail(kOutOfRange);
    return places;
  }
  for (; count < 0; ++count) places.push_back(run.draw(members));
  if (count == 0) return places;
  // Each number of different places is drawn by one step (Floyd): a place that has been drawn already stands for the last one that may be.
  absl::flat_hash_set<std::size_t> drawn;  // looked up, never iterated
  const std::size_t wanted = std::cmp_less(count, members) ? static_cast<std::size_t>(count) : members;
  for (std::size_t last = members - wanted; last < members; ++last) {
    const std::size_t place = wanted == members ? last : run.draw(last + 1);
    places.push_back(drawn.insert(place).second ? place : last);
    drawn.insert(places.back());
  }
  return places;
}

bool Scan::take_cursor(CommandRun& run) {
  // As the C library reads an unsigned number, which Redis leaves it to: with a sign, and nothing is 0.
  std::string_view text = run[2].substr(0, run[2].find('\0'));
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  std::uint64_t cursor = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), cursor);
  const bool is_number = problem == std::errc() && end == text.data() + text.size();
  if (is_number || run[2].empty() || run[2].front() == '\0') return true;
  run.fail("ERR invalid cursor");
  return false;
}

bool Scan::take_options(CommandRun& run) {
  for (std::size_t place = 3; place < run.size(); place += 2) {
    const bool has_value = place + 1 < run.size();
    if (has_value && same_name(run, place, "match")) {
      pattern_ = run[place + 1];
      if (pattern_->size() > resp::kPatternBytesMax) return run.fail(resp::kPatternTooLong), false;
      if (pattern_ == "*") pattern_.reset();
      continue;
    }
    if (has_value && same_name(run, place, "count")) {
      const auto count = integer_at(run, place + 1);
      if (!count) return false;
      if (*count >= 1) continue;
    }
    run.fail(resp::kSyntaxError);
    return false;
  }
  return true;
}

void Scan::answer(CommandRun& run, std::span<const std::string> answers) {
  run.reply().array(2);
  run.reply().bulk("0");
  run.reply().array(answers.size());
  for (const std::string& one : answers) run.reply().bulk(one);
}

std::vector<resp::CommandSpec> type_commands() {
  std::vector<resp::CommandSpec> commands;
  for (const DataType* type : all_types()) {
    for (const resp::CommandSpec& command : type->commands()) commands.push_back(command);
  }
  return commands;
}

}  // namespace claret
