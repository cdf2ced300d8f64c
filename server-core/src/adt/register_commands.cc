// The commands of Redis's strings: GET, SET, their relatives, and the increments. A string is a Register; a Counter can be read and incremented
// as one too, and SET replaces it as it does any other record.
//
// What differs from Redis: a string has at most 64 KiB as it is stored (byte_text.h).
#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "adt/check.h"
#include "adt/commands.h"
#include "adt/type_commands.h"
#include "resp/numbers.h"

namespace claret {

namespace register_door {
namespace {

// As register.cc and counter.cc number them.
enum RegisterOperation : std::uint8_t { kGet = 1, kSet, kCompareAndSet, kExchange, kIncrementAndGet };
enum CounterOperation : std::uint8_t { kAdd = 1, kValue };

constexpr std::string_view kTooLong = "ERR string exceeds maximum allowed size (64 KiB)";

// ---- reading and replacing

bool is_counter(CommandRun& run, std::string_view key) { return run.type_of(key) == &counter_type(); }

// Absent if nothing is there. Stops the command if there is something else.
const Value& read(CommandRun& run, std::string_view key) {
  if (is_counter(run, key)) return run.execute(key, counter_type(), kValue);
  return run.execute(key, register_type(), kGet);
}

std::string read_text(CommandRun& run, std::string_view key) {
  const Value& value = read(run, key);
  return value.absent() ? std::string() : text_of(value);
}

// Setting the Register leaves nothing of what was there before, neither another type nor an expiry.
bool is_plain(CommandRun& run, std::string_view key) {
  const DataType* type = run.type_of(key);
  return (type == nullptr || type == &register_type()) && !run.expires(key);
}

// Replaces whatever is there, with its expiry.
void replace(CommandRun& run, std::string_view key, Value value) {
  if (!is_plain(run, key)) {
    if (!run.clear(key)) return;
    run.remove(key);
  }
  run.execute(key, register_type(), kSet, std::move(value));
}

// The same with another expiry.
void replace_until(CommandRun& run, std::string_view key, Value value, std::int64_t at_ms) {
  if (!run.clear(key)) return;
  if (at_ms <= run.now_ms()) {
    run.remove(key);
    return;
  }
  if (const DataType* type = run.type_of(key); type != nullptr && type != &register_type()) run.remove(key);
  run.execute(key, register_type(), kSet, std::move(value));
  run.expire(key, at_ms);
}

// The same with the expiry that is there.
void replace_keeping_expiry(CommandRun& run, std::string_view key, Value value) {
  const DataType* type = run.type_of(key);
  if (type == &register_type()) {
    run.execute(key, register_type(), kSet, std::move(value));
    return;
  }
  const std::optional<std::int64_t> at_ms = run.expires_at_ms(key);
  if (run.stopped()) return;
  if (at_ms) {
    replace_until(run, key, std::move(value), *at_ms);
  } else {
    replace(run, key, std::move(value));
  }
}

// ---- options

enum class Time : std::uint8_t { kNone, kEx, kPx, kExat, kPxat };

bool is_relative(Time time) { return time == Time::kEx || time == Time::kPx; }
bool is_in_seconds(Time time) { return time == Time::kEx || time == Time::kExat; }

Time time_named(std::string_view word) {
  constexpr std::array kNames = {
      std::pair{std::string_view("ex"), Time::kEx},
      std::pair{std::string_view("px"), Time::kPx},
      std::pair{std::string_view("exat"), Time::kExat},
      std::pair{std::string_view("pxat"), Time::kPxat},
  };
  for (const auto& [name, time] : kNames) {
    if (resp::same_name(word, name)) return time;
  }
  return Time::kNone;
}

// Of SET or GETEX.
struct Options {
  bool if_missing = false;
  bool if_there = false;
  bool answers_old = false;
  bool keeps_expiry = false;
  bool persists = false;
  Time time = Time::kNone;
  std::string_view time_text;
};

enum class Of : std::uint8_t { kSet, kGetEx };

// Takes the option at that place; false if it is none, or does not go with those before it. As in Redis, an option may be given again.
bool take_option(const CommandRun& run, std::size_t& place, Of command, Options& options) {
  const bool sets = command == Of::kSet;
  if (sets && same_name(run, place, "nx") && !options.if_there) return options.if_missing = true;
  if (sets && same_name(run, place, "xx") && !options.if_missing) return options.if_there = true;
  if (sets && same_name(run, place, "get")) return options.answers_old = true;
  if (sets && same_name(run, place, "keepttl") && options.time == Time::kNone) return options.keeps_expiry = true;
  if (!sets && same_name(run, place, "persist") && options.time == Time::kNone) return options.persists = true;
  const Time time = time_named(run[place]);
  const bool is_other_time = options.time != Time::kNone && options.time != time;
  if (time == Time::kNone || is_other_time || options.keeps_expiry || options.persists || place + 1 == run.size()) return false;
  options.time = time;
  options.time_text = run[++place];
  return true;
}

std::optional<Options> parse_options(CommandRun& run, std::size_t first, Of command) {
  Options options;
  for (std::size_t place = first; place < run.size(); ++place) {
    if (take_option(run, place, command, options)) continue;
    run.fail(resp::kSyntaxError);
    return std::nullopt;
  }
  return options;
}

// By the wall clock, in milliseconds. Nothing if the command has failed.
std::optional<std::int64_t> parse_time(CommandRun& run, Time time, std::string_view text) {
  const auto number = resp::parse_integer(text);
  if (!number) {
    run.fail(resp::kNotAnInteger);
    return std::nullopt;
  }
  std::int64_t at_ms = 0;
  const bool is_wrong = *number <= 0 || __builtin_mul_overflow(*number, is_in_seconds(time) ? 1000 : 1, &at_ms) ||
                        __builtin_add_overflow(at_ms, is_relative(time) ? run.now_ms() : 0, &at_ms);
  if (!is_wrong) return at_ms;
  run.fail("ERR invalid expire time in '" + name_of(run) + "' command");
  return std::nullopt;
}

// ---- GET and SET

void get(CommandRun& run) { write_value(run.reply(), read(run, run[1])); }

void set_with_options(CommandRun& run) {
  const auto options = parse_options(run, 3, Of::kSet);
  if (!options) return;
  std::optional<std::int64_t> at_ms;
  if (options->time != Time::kNone && !(at_ms = parse_time(run, options->time, options->time_text))) return;

  const std::string_view key = run[1];
  const bool answers_old = options->answers_old;
  if (answers_old) write_value(run.reply(), read(run, key));
  if ((options->if_missing || options->if_there) && run.exists(key) != options->if_there) {
    if (!answers_old) run.reply().null();
    return;
  }
  if (run.stopped()) return;
  if (at_ms) {
    replace_until(run, key, value_of(run[2]), *at_ms);
  } else if (options->keeps_expiry) {
    replace_keeping_expiry(run, key, value_of(run[2]));
  } else {
    replace(run, key, value_of(run[2]));
  }
  if (!answers_old) run.reply().ok();
}

void set(CommandRun& run) {
  if (run.size() > 3) return set_with_options(run);
  replace(run, run[1], value_of(run[2]));
  run.reply().ok();
}

void setnx(CommandRun& run) {
  if (run.exists(run[1])) return run.reply().integer(0);
  replace(run, run[1], value_of(run[2]));
  run.reply().integer(1);
}

void set_until(CommandRun& run, Time time) {
  const auto at_ms = parse_time(run, time, run[2]);
  if (!at_ms) return;
  replace_until(run, run[1], value_of(run[3]), *at_ms);
  run.reply().ok();
}
void setex(CommandRun& run) { set_until(run, Time::kEx); }
void psetex(CommandRun& run) { set_until(run, Time::kPx); }

void getset(CommandRun& run) {
  const std::string_view key = run[1];
  if (is_plain(run, key)) return write_value(run.reply(), run.execute(key, register_type(), kExchange, value_of(run[2])));
  write_value(run.reply(), read(run, key));
  if (!run.stopped()) replace(run, key, value_of(run[2]));
}

void getdel(CommandRun& run) {
  const Value& value = read(run, run[1]);
  write_value(run.reply(), value);
  if (!value.absent()) run.remove(run[1]);
}

void getex(CommandRun& run) {
  const auto options = parse_options(run, 2, Of::kGetEx);
  if (!options) return;
  const std::string_view key = run[1];
  const Value& value = read(run, key);
  if (value.absent()) return run.reply().null();
  std::optional<std::int64_t> at_ms;
  if (options->time != Time::kNone && !(at_ms = parse_time(run, options->time, options->time_text))) return;

  write_value(run.reply(), value);
  if (options->persists) run.persist(key);
  if (!at_ms) return;
  if (*at_ms <= run.now_ms()) {
    run.remove(key);
  } else {
    run.expire(key, *at_ms);
  }
}

void mget(CommandRun& run) {
  run.reply().array(run.size() - 1);
  for (const std::string_view key : run.from(1)) {
    const DataType* type = run.type_of(key);
    if (type == &register_type() || type == &counter_type()) {
      write_value(run.reply(), read(run, key));
    } else {
      run.reply().null();
    }
  }
}

// Of a key that is named twice, the last value counts.
void set_all(CommandRun& run) {
  absl::flat_hash_set<std::string_view> set;  // looked up, never iterated
  for (std::size_t place = run.size() - 2; place < run.size(); place -= 2) {
    if (set.insert(run[place]).second) replace(run, run[place], value_of(run[place + 1]));
  }
}

void mset(CommandRun& run) {
  if (run.size() % 2 == 0) return fail_arity(run);
  set_all(run);
  run.reply().ok();
}

void msetnx(CommandRun& run) {
  if (run.size() % 2 == 0) return fail_arity(run);
  for (std::size_t place = 1; place < run.size(); place += 2) {
    if (run.exists(run[place])) return run.reply().integer(0);
  }
  set_all(run);
  run.reply().integer(1);
}

// ---- parts of a string

void strlen(CommandRun& run) { run.reply().integer(static_cast<std::int64_t>(read_text(run, run[1]).size())); }

// Stores what a string has become, and answers its length.
void put_changed(CommandRun& run, std::string_view key, std::string_view text, bool is_new) {
  Value value = value_of(text);
  if (value.is_text() && value.text().size() > kTextBytesMax) return run.fail(kTooLong);
  if (is_new) {
    replace(run, key, std::move(value));
  } else {
    run.execute(key, register_type(), kSet, std::move(value));
  }
  run.reply().integer(static_cast<std::int64_t>(text.size()));
}

void append(CommandRun& run) {
  const std::string_view key = run[1];
  const Value& value = run.execute(key, register_type(), kGet);
  const bool is_new = value.absent();
  std::string text = is_new ? std::string() : text_of(value);
  text.append(run[2]);
  put_changed(run, key, text, is_new);
}

void getrange(CommandRun& run) {
  const auto first = integer_at(run, 2);
  if (!first) return;
  const auto last = integer_at(run, 3);
  if (!last) return;
  const std::string text = read_text(run, run[1]);
  const auto size = static_cast<std::int64_t>(text.size());
  if (*first < 0 && *last < 0 && *first > *last) return run.reply().bulk("");
  const std::int64_t from = std::max<std::int64_t>(*first < 0 ? *first + size : *first, 0);
  const std::int64_t to = std::min(std::max<std::int64_t>(*last < 0 ? *last + size : *last, 0), size - 1);
  if (from > to) return run.reply().bulk("");
  run.reply().bulk(std::string_view(text).substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from + 1)));
}

void setrange(CommandRun& run) {
  const auto offset = integer_at(run, 2);
  if (!offset) return;
  if (*offset < 0) return run.fail("ERR offset is out of range");
  const std::string_view key = run[1], part = run[3];
  const Value& value = run.execute(key, register_type(), kGet);
  const bool is_new = value.absent();
  std::string text = is_new ? std::string() : text_of(value);
  if (part.empty()) return run.reply().integer(static_cast<std::int64_t>(text.size()));
  if (std::cmp_greater(*offset, kTextBytesMax - part.size())) return run.fail(kTooLong);
  const auto from = static_cast<std::size_t>(*offset);
  if (text.size() < from + part.size()) text.resize(from + part.size());
  text.replace(from, part.size(), part);
  put_changed(run, key, text, is_new);
}

// ---- numbers

void add(CommandRun& run, std::int64_t n) {
  const std::string_view key = run[1];
  if (!is_counter(run, key)) return run.reply().integer(integer_of(run.execute(key, register_type(), kIncrementAndGet, Value(n))));
  std::int64_t sum = 0;
  if (__builtin_add_overflow(integer_of(run.execute(key, counter_type(), kValue)), n, &sum)) return run.fail(kWouldOverflow);
  run.execute(key, counter_type(), kAdd, Value(n));
  run.reply().integer(sum);
}

void incr(CommandRun& run) { add(run, 1); }
void decr(CommandRun& run) { add(run, -1); }
void incrby(CommandRun& run) {
  if (const auto n = integer_at(run, 2)) add(run, *n);
}
void decrby(CommandRun& run) {
  const auto n = integer_at(run, 2);
  if (!n) return;
  std::int64_t opposite = 0;
  if (__builtin_sub_overflow(std::int64_t{0}, *n, &opposite)) return run.fail("ERR decrement would overflow");
  add(run, opposite);
}

void incrbyfloat(CommandRun& run) {
  const std::string_view key = run[1];
  const Value& value = run.execute(key, register_type(), kGet);
  const bool is_new = value.absent();
  const auto before = resp::parse_long_double(is_new ? "0" : text_of(value));
  const auto n = resp::parse_long_double(run[2]);
  if (!before || !n) return run.fail(kNotAFloat);
  const long double sum = *before + *n;
  if (!std::isfinite(sum)) return run.fail(kNoFiniteSum);
  std::string text;
  resp::append_long_double(text, sum);
  if (is_new) {
    replace(run, key, value_of(text));
  } else {
    run.execute(key, register_type(), kSet, value_of(text));
  }
  run.reply().bulk(text);
}

// ---- specs

using namespace command_spec;

constexpr Group kString{"string", resp::CommandCategory::kStrings};
constexpr std::string_view kTipsShards[] = {"request_policy:multi_shard"};
constexpr std::string_view kTipsAllDone[] = {"request_policy:multi_shard", "response_policy:all_succeeded"};
constexpr std::string_view kTipsLeast[] = {"request_policy:multi_shard", "response_policy:agg_min"};
constexpr std::string_view kChanges = "RW access update";

constexpr resp::CommandSpec kCommands[] = {
    kString("get", 2, kFastRead, "RO access", "1.0.0", kRunner<get>, "The value of a key"),
    kString("set", -3, kGrow, "RW access update variable_flags", "1.0.0", kRunner<set>, "Gives a key a value, whatever it had"),
    kString("setnx", 3, kFastGrow, "OW insert", "1.0.0", kRunner<setnx>, "Gives a key a value unless it has one"),
    kString("setex", 4, kGrow, "OW update", "2.0.0", kRunner<setex>, "Gives a key a value for some seconds"),
    kString("psetex", 4, kGrow, "OW update", "2.6.0", kRunner<psetex>, "Gives a key a value for some milliseconds"),
    kString("getset", 3, kFastGrow, kChanges, "1.0.0", kRunner<getset>, "Gives a key a value, and answers the one before"),
    kString("getdel", 2, kFastWrite, "RW access delete", "6.2.0", kRunner<getdel>, "Answers the value of a key, and deletes it"),
    kString("getex", -2, kFastWrite, kChanges, "6.2.0", kRunner<getex>, "Answers the value of a key, and changes its expiry"),
    with_tips(with_keys(kString("mget", -2, kFastRead, "RO access", "1.0.0", kAloneRunner<mget>, "The values of keys"), -1), kTipsShards),
    with_tips(with_keys(kString("mset", -3, kGrow, "OW update", "1.0.1", kAloneRunner<mset>, "Gives keys values, as one"), -1, 2),
              kTipsAllDone),
    with_tips(
        with_keys(kString("msetnx", -3, kGrow, "OW insert", "1.0.1", kAloneRunner<msetnx>, "Gives keys values unless one has any"), -1, 2),
        kTipsLeast),
    kString("strlen", 2, kFastRead, "RO", "2.2.0", kRunner<strlen>, "The length of a value in bytes"),
    kString("append", 3, kFastGrow, "RW insert", "2.0.0", kRunner<append>, "Adds bytes at the end of a value"),
    kString("getrange", 4, kRead, "RO access", "2.4.0", kRunner<getrange>, "Some bytes of a value"),
    kString("substr", 4, kRead, "RO access", "1.0.0", kRunner<getrange>, "Some bytes of a value, as GETRANGE"),
    kString("setrange", 4, kGrow, "RW update", "2.2.0", kRunner<setrange>, "Overwrites some bytes of a value"),
    kString("incr", 2, kFastGrow, kChanges, "1.0.0", kRunner<incr>, "Adds 1 to an integer"),
    kString("decr", 2, kFastGrow, kChanges, "1.0.0", kRunner<decr>, "Subtracts 1 from an integer"),
    kString("incrby", 3, kFastGrow, kChanges, "1.0.0", kRunner<incrby>, "Adds to an integer"),
    kString("decrby", 3, kFastGrow, kChanges, "1.0.0", kRunner<decrby>, "Subtracts from an integer"),
    kString("incrbyfloat", 3, kFastGrow, kChanges, "2.6.0", kRunner<incrbyfloat>, "Adds to a number"),
};

}  // namespace
}  // namespace register_door

std::span<const resp::CommandSpec> register_commands() { return register_door::kCommands; }

}  // namespace claret
