// The commands of Redis's hashes, on Dict: HSET, HGET, HINCRBY and the others whose names begin with H.
//
// What differs from Redis: fields come in the order of their bytes, HSCAN answers all of them at once, and HRANDFIELD repeats fields at most a
// million times.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adt/check.h"
#include "adt/commands.h"
#include "adt/dict_field.h"
#include "adt/type_commands.h"
#include "resp/numbers.h"

namespace claret {

namespace dict_door {
namespace {

// ---- fields

// Absent if there is none.
Value read(CommandRun& run, std::string_view key, std::string_view field) {
  const Value::List& values = list_of(run.execute(key, dict_type(), dict::kGet, Value(Value::List{Value(text_of_bytes(field))})));
  return values.empty() ? Value() : values[0];
}

// Pairs of a field and its value, in order of field.
const Value::List& read_all(CommandRun& run, std::string_view key) { return list_of(run.execute(key, dict_type(), dict::kAll)); }

const std::string& field_of(const Value& entry) { return entry.list()[0].text(); }
const Value& content_of(const Value& entry) { return entry.list()[1]; }

// Answers how many fields are new.
std::int64_t put(CommandRun& run) {
  Value::List entries;
  for (std::size_t place = 2; place + 1 < run.size(); place += 2) {
    entries.emplace_back(Value::List{Value(run.text(place)), value_of(run[place + 1])});
  }
  return execute_in_pieces(run, run[1], dict_type(), dict::kPut, std::move(entries)).sum;
}

// ---- commands

void hset(CommandRun& run) {
  if (run.size() % 2 == 1) return fail_arity(run);
  run.reply().integer(put(run));
}

void hmset(CommandRun& run) {
  if (run.size() % 2 == 1) return fail_arity(run);
  put(run);
  run.reply().ok();
}

void hsetnx(CommandRun& run) {
  const Value& is_new = run.execute(run[1], dict_type(), dict::kPutIfAbsent, Value(run.text(2)), value_of(run[3]));
  run.reply().integer(truth_of(is_new));
}

void hget(CommandRun& run) { write_value(run.reply(), read(run, run[1], run[2])); }

void hmget(CommandRun& run) {
  run.reply().array(run.size() - 2);
  for (std::size_t place = 2; place < run.size(); place += kItemsMax) {
    const resp::Arguments fields = run.from(place);
    Value::List texts = texts_of(fields.first(std::min<std::size_t>(fields.size(), kItemsMax)));
    for (const Value& value : list_of(run.execute(run[1], dict_type(), dict::kGet, Value(texts)))) write_value(run.reply(), value);
  }
}

void hgetall(CommandRun& run) {
  const Value::List& entries = read_all(run, run[1]);
  run.reply().map(entries.size());
  for (const Value& entry : entries) {
    write_text(run.reply(), field_of(entry));
    write_value(run.reply(), content_of(entry));
  }
}

void hkeys(CommandRun& run) {
  const Value::List& entries = read_all(run, run[1]);
  run.reply().array(entries.size());
  for (const Value& entry : entries) write_text(run.reply(), field_of(entry));
}

void hvals(CommandRun& run) {
  const Value::List& entries = read_all(run, run[1]);
  run.reply().array(entries.size());
  for (const Value& entry : entries) write_value(run.reply(), content_of(entry));
}

void hdel(CommandRun& run) {
  if (run.is_missing(run[1])) return run.reply().integer(0);
  run.reply().integer(execute_in_pieces(run, run[1], dict_type(), dict::kErase, texts_of(run.from(2))).sum);
}

void hexists(CommandRun& run) { run.reply().integer(!read(run, run[1], run[2]).absent()); }

void hlen(CommandRun& run) { run.reply().integer(integer_of(run.execute(run[1], dict_type(), dict::kSize))); }

void hstrlen(CommandRun& run) {
  const Value value = read(run, run[1], run[2]);
  run.reply().integer(value.absent() ? 0 : static_cast<std::int64_t>(text_of(value).size()));
}

void hincrby(CommandRun& run) {
  const auto n = integer_at(run, 3);
  if (!n) return;
  const Value value = read(run, run[1], run[2]);
  if (!value.absent() && !value.is_integer()) return run.fail("ERR hash value is not an integer");
  std::int64_t sum = 0;
  if (__builtin_add_overflow(integer_of(value), *n, &sum)) return run.fail(kWouldOverflow);
  run.execute(run[1], dict_type(), dict::kIncrementAndGet, Value(run.text(2)), Value(*n));
  run.reply().integer(sum);
}

void hincrbyfloat(CommandRun& run) {
  const auto n = resp::parse_long_double(run[3]);
  if (!n) return run.fail(kNotAFloat);
  if (!std::isfinite(*n)) return run.fail("ERR value is NaN or Infinity");
  const Value value = read(run, run[1], run[2]);
  const auto before = resp::parse_long_double(value.absent() ? "0" : text_of(value));
  if (!before) return run.fail("ERR hash value is not a float");
  const long double sum = *before + *n;
  if (!std::isfinite(sum)) return run.fail(kNoFiniteSum);
  std::string text;
  resp::append_long_double(text, sum);
  Value::List entry{Value(run.text(2)), value_of(text)};
  run.execute(run[1], dict_type(), dict::kPut, Value(Value::List{Value(std::move(entry))}));
  run.reply().bulk(text);
}

// Several random fields.
void answer_random(CommandRun& run, std::int64_t count, bool with_values) {
  const Value::List entries = read_all(run, run[1]);
  const std::vector<std::size_t> places = draw_places(run, entries.size(), count);
  const bool in_pairs = with_values && run.reply().protocol() == 3;
  run.reply().array(with_values && !in_pairs ? 2 * places.size() : places.size());
  for (const std::size_t place : places) {
    if (in_pairs) run.reply().array(2);
    write_text(run.reply(), field_of(entries[place]));
    if (with_values) write_value(run.reply(), content_of(entries[place]));
  }
}

void hrandfield(CommandRun& run) {
  if (run.size() == 2) {
    const Value::List& entries = read_all(run, run[1]);
    if (entries.empty()) return run.reply().null();
    return write_text(run.reply(), field_of(entries[run.draw(entries.size())]));
  }
  const auto count = signed_count_at(run, 2);
  if (!count) return;
  const bool with_values = run.size() == 4 && same_name(run, 3, "withvalues");
  if (run.size() > 3 && !with_values) return run.fail(resp::kSyntaxError);
  if (with_values && !may_be_doubled(*count)) return run.fail(kOutOfRange);
  answer_random(run, *count, with_values);
}

void hscan(CommandRun& run) {
  Scan scan;
  if (!scan.take_cursor(run)) return;
  const Value::List& entries = read_all(run, run[1]);
  if (!entries.empty() && !scan.take_options(run)) return;
  std::vector<std::string> texts;
  for (const Value& entry : entries) {
    if (!scan.wants(field_of(entry))) continue;
    texts.push_back(bytes_of_text(field_of(entry)));
    texts.push_back(text_of(content_of(entry)));
  }
  Scan::answer(run, texts);
}

// ---- specs

using namespace command_spec;

constexpr Group kHash{"hash", resp::CommandCategory::kHashes};

constexpr resp::CommandSpec kCommands[] = {
    kHash("hset", -4, kFastGrow, "RW update", "2.0.0", kRunner<hset>, "Sets fields of a hash"),
    kHash("hmset", -4, kFastGrow, "RW update", "2.0.0", kRunner<hmset>, "Sets fields of a hash, as HSET"),
    kHash("hget", 3, kFastRead, "RO access", "2.0.0", kRunner<hget>, "The value of a field"),
    kHash("hmget", -3, kFastRead, "RO access", "2.0.0", kRunner<hmget>, "The values of fields"),
    with_tips(kHash("hgetall", 2, kRead, "RO access", "2.0.0", kRunner<hgetall>, "All fields with their values"), kTipsUnordered),
    kHash("hdel", -3, kFastWrite, "RW delete", "2.0.0", kRunner<hdel>, "Removes fields of a hash"),
    kHash("hexists", 3, kFastRead, "RO", "2.0.0", kRunner<hexists>, "Whether a hash has a field"),
    kHash("hlen", 2, kFastRead, "RO", "2.0.0", kRunner<hlen>, "The number of fields"),
    with_tips(kHash("hkeys", 2, kRead, "RO access", "2.0.0", kRunner<hkeys>, "All fields"), kTipsUnordered),
    with_tips(kHash("hvals", 2, kRead, "RO access", "2.0.0", kRunner<hvals>, "The values of all fields"), kTipsUnordered),
    kHash("hstrlen", 3, kFastRead, "RO", "3.2.0", kRunner<hstrlen>, "The length of a field's value in bytes"),
    kHash("hsetnx", 4, kFastGrow, "RW insert", "2.0.0", kRunner<hsetnx>, "Sets a field unless the hash has it"),
    kHash("hincrby", 4, kFastGrow, "RW access update", "2.0.0", kRunner<hincrby>, "Adds to an integer in a field"),
    kHash("hincrbyfloat", 4, kFastGrow, "RW access update", "2.6.0", kRunner<hincrbyfloat>, "Adds to a number in a field"),
    with_tips(kHash("hrandfield", -2, kRead, "RO access", "6.2.0", kRunner<hrandfield>, "Random fields"), kTipsVarying),
    with_tips(kHash("hscan", -3, kRead, "RO access", "2.8.0", kRunner<hscan>, "The fields with their values, as an iteration"),
              kTipsVarying),
};

}  // namespace
}  // namespace dict_door

std::span<const resp::CommandSpec> dict_commands() { return dict_door::kCommands; }

}  // namespace claret
