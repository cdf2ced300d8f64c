// The commands of Redis's lists, on List: LPUSH, RPOP, LRANGE and the others whose names begin with L or R.
//
// Nothing differs from Redis.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adt/check.h"
#include "adt/commands.h"
#include "adt/list_items.h"
#include "adt/type_commands.h"
#include "resp/numbers.h"

namespace claret {

namespace list_door {
namespace {

using namespace list;

std::int64_t length_of(CommandRun& run, std::string_view key) { return integer_of(run.execute(key, list_type(), kLength)); }

// ---- pushes and pops

void push(CommandRun& run, OperationId operation) {
  run.reply().integer(execute_in_pieces(run, run[1], list_type(), operation, values_of(run.from(2))).last);
}
void lpush(CommandRun& run) { push(run, kPushFront); }
void rpush(CommandRun& run) { push(run, kPushBack); }

void push_if_present(CommandRun& run, OperationId operation) {
  if (run.is_missing(run[1])) return run.reply().integer(0);
  push(run, operation);
}
void lpushx(CommandRun& run) { push_if_present(run, kPushFrontIfPresent); }
void rpushx(CommandRun& run) { push_if_present(run, kPushBackIfPresent); }

// REQUIRES: the list has that many elements, and at least one is asked for.
Value::List take(CommandRun& run, std::string_view key, OperationId operation, std::int64_t count) {
  Value::List taken;
  if (count > kElementsMax && !run.clear(key)) return taken;
  while (count > 0 && !run.stopped()) {
    const std::int64_t piece = std::min(count, kElementsMax);
    const Value::List& values = list_of(run.execute(key, list_type(), operation, Value(piece)));
    taken.insert(taken.end(), values.begin(), values.end());
    count -= piece;
  }
  return taken;
}

void pop(CommandRun& run, OperationId operation) {
  if (run.size() > 3) return fail_arity(run);
  std::optional<std::int64_t> count;
  if (run.size() == 3 && !(count = count_at(run, 2))) return;
  const std::int64_t length = length_of(run, run[1]);
  if (length == 0) return count ? run.reply().null_array() : run.reply().null();
  if (count == 0) return run.reply().array(0);
  const Value::List taken = take(run, run[1], operation, std::min(count.value_or(1), length));
  if (count) run.reply().array(taken.size());
  for (const Value& value : taken) write_value(run.reply(), value);
}
void lpop(CommandRun& run) { pop(run, kPopFront); }
void rpop(CommandRun& run) { pop(run, kPopBack); }

// ---- reads

void llen(CommandRun& run) { run.reply().integer(length_of(run, run[1])); }

// The elements of a section, of any length.
Value::List read(CommandRun& run, std::string_view key, const Section& section) {
  Value::List values;
  auto next = static_cast<std::int64_t>(section.begin);
  const auto end = static_cast<std::int64_t>(section.end);
  while (next < end && !run.stopped()) {
    const std::int64_t last = std::min(end, next + kElementsMax) - 1;
    const Value::List& piece = list_of(run.execute(key, list_type(), kRange, Value(next), Value(last)));
    values.insert(values.end(), piece.begin(), piece.end());
    next = last + 1;
  }
  return values;
}

void lrange(CommandRun& run) {
  const auto first = integer_at(run, 2);
  if (!first) return;
  const auto last = integer_at(run, 3);
  if (!last) return;
  const auto length = static_cast<std::size_t>(length_of(run, run[1]));
  const Value::List values = read(run, run[1], section_of(*first, *last, length));
  run.reply().array(values.size());
  for (const Value& value : values) write_value(run.reply(), value);
}

void lindex(CommandRun& run) {
  if (length_of(run, run[1]) == 0) return run.reply().null();
  const auto index = integer_at(run, 2);
  if (!index) return;
  write_value(run.reply(), run.execute(run[1], list_type(), kAt, Value(*index)));
}

struct Search {
  std::int64_t rank = 1;
  std::optional<std::int64_t> count;  // absent: one match, answered alone
  std::int64_t most = 0;  // elements to be compared; 0: all
};

// Nothing if the command has failed.
std::optional<Search> parse_search(CommandRun& run) {
  Search search;
  for (std::size_t place = 3; place < run.size() && !run.stopped(); place += 2) {
    if (place + 1 == run.size()) {
      run.fail(resp::kSyntaxError);
    } else if (same_name(run, place, "rank")) {
      search.rank = signed_count_at(run, place + 1).value_or(1);
      if (search.rank == 0) {
        run.fail(
            "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... "
            "or use negative to start from the end of the list");
      }
    } else if (same_name(run, place, "count")) {
      search.count = count_at(run, place + 1, "ERR COUNT can't be negative");
    } else if (same_name(run, place, "maxlen")) {
      search.most = count_at(run, place + 1, "ERR MAXLEN can't be negative").value_or(0);
    } else {
      run.fail(resp::kSyntaxError);
    }
  }
  return run.stopped() ? std::nullopt : std::optional(search);
}

// Places of matches, as many as are wanted.
Value::List find(CommandRun& run, const Value& value, Search search, std::int64_t wanted) {
  Value::List found;
  bool may_be_more = wanted > 0;
  while (may_be_more) {
    const std::int64_t piece = std::min(wanted - std::ssize(found), kElementsMax);
    const Value::List& places =
        list_of(run.execute(run[1], list_type(), kPositionOf, value, Value(search.rank), Value(piece), Value(search.most)));
    found.insert(found.end(), places.begin(), places.end());
    may_be_more = std::cmp_equal(places.size(), piece) && std::cmp_less(found.size(), wanted);
    search.rank += search.rank < 0 ? -piece : piece;
  }
  return found;
}

void lpos(CommandRun& run) {
  const auto search = parse_search(run);
  if (!search) return;
  const std::int64_t length = length_of(run, run[1]);
  const std::int64_t wanted = search->count == 0 ? length : std::min(search->count.value_or(1), length);
  // A rank beyond the length finds nothing. It would not find its way through the pieces.
  const bool is_beyond = search->rank > length || search->rank < -length;
  const Value::List found = is_beyond ? Value::List() : find(run, value_of(run[2]), *search, wanted);
  if (search->count) {
    run.reply().array(found.size());
  } else if (found.empty()) {
    return run.reply().null();
  }
  for (const Value& place : found) run.reply().integer(integer_of(place));
}

// ---- edits

void lset(CommandRun& run) {
  const auto length = static_cast<std::size_t>(length_of(run, run[1]));
  if (length == 0) return run.fail("ERR no such key");
  const auto index = integer_at(run, 2);
  if (!index) return;
  if (!place_of(*index, length)) return run.fail("ERR index out of range");
  run.execute(run[1], list_type(), kSetAt, Value(*index), value_of(run[3]));
  run.reply().ok();
}

void linsert(CommandRun& run) {
  const bool before = same_name(run, 2, "before");
  if (!before && !same_name(run, 2, "after")) return run.fail(resp::kSyntaxError);
  if (run.is_missing(run[1])) return run.reply().integer(0);
  run.reply().integer(integer_of(run.execute(run[1], list_type(), kInsert, value_of(run[3]), value_of(run[4]), Value(before))));
}

void lrem(CommandRun& run) {
  const auto count = integer_at(run, 2);
  if (!count) return;
  if (run.is_missing(run[1])) return run.reply().integer(0);
  run.reply().integer(integer_of(run.execute(run[1], list_type(), kRemoveEqual, Value(*count), value_of(run[3]))));
}

void ltrim(CommandRun& run) {
  const auto first = integer_at(run, 2);
  if (!first) return;
  const auto last = integer_at(run, 3);
  if (!last) return;
  if (!run.is_missing(run[1])) run.execute(run[1], list_type(), kTrim, Value(*first), Value(*last));
  run.reply().ok();
}

// ---- moves

std::optional<End> end_at(CommandRun& run, std::size_t place) {
  if (same_name(run, place, "left")) return End::kFront;
  if (same_name(run, place, "right")) return End::kBack;
  run.fail(resp::kSyntaxError);
  return std::nullopt;
}

void move(CommandRun& run, End from, End to) {
  const std::string_view source = run[1], target = run[2];
  if (run.type_of(source) == nullptr) return run.reply().null();
  const std::int64_t length = length_of(run, source);
  const DataType* type = run.type_of(target);
  if (type != nullptr && type != &list_type()) return run.fail(kWrongType);
  const Value::List taken = take(run, source, from == End::kFront ? kPopFront : kPopBack, std::min<std::int64_t>(length, 1));
  if (taken.empty()) return run.reply().null();
  run.execute(target, list_type(), to == End::kFront ? kPushFront : kPushBack, Value(taken));
  write_value(run.reply(), taken[0]);
}

void lmove(CommandRun& run) {
  const auto from = end_at(run, 3);
  if (!from) return;
  const auto to = end_at(run, 4);
  if (to) move(run, *from, *to);
}

void rpoplpush(CommandRun& run) { move(run, End::kBack, End::kFront); }

// ---- the first list that is not empty

// The first of the keys with elements; empty: there is none, or the command has failed.
std::string_view first_with_elements(CommandRun& run, resp::Arguments keys) {
  for (const std::string_view key : keys) {
    const DataType* type = run.type_of(key);
    if (type == nullptr) continue;
    if (type == &list_type()) {
      if (length_of(run, key) > 0) return key;
    } else if (!run.has_waited()) {
      run.fail(kWrongType);
    }
    if (run.stopped()) break;
  }
  return {};
}

void pop_of_any(CommandRun& run, OperationId operation) {
  const auto timeout_ms = timeout_at(run, run.size() - 1);
  if (!timeout_ms) return;
  const std::string_view key = first_with_elements(run, run.from(1).first(run.size() - 2));
  if (run.stopped() || (key.empty() && run.block(*timeout_ms))) return;
  if (key.empty()) return run.reply().null_array();
  const Value::List taken = take(run, key, operation, 1);
  run.reply().array(2);
  run.reply().bulk(key);
  for (const Value& value : taken) write_value(run.reply(), value);
}
void blpop(CommandRun& run) { pop_of_any(run, kPopFront); }
void brpop(CommandRun& run) { pop_of_any(run, kPopBack); }

void move_or_wait(CommandRun& run, End from, End to, double timeout_ms) {
  const DataType* type = run.type_of(run[1]);
  const bool is_other = type != nullptr && type != &list_type() && run.has_waited();
  if ((type == nullptr || is_other) && run.block(timeout_ms)) return;
  if (is_other) return run.reply().null();
  move(run, from, to);
}

void blmove(CommandRun& run) {
  const auto from = end_at(run, 3);
  if (!from) return;
  const auto to = end_at(run, 4);
  if (!to) return;
  if (const auto timeout_ms = timeout_at(run, 5)) move_or_wait(run, *from, *to, *timeout_ms);
}

void brpoplpush(CommandRun& run) {
  if (const auto timeout_ms = timeout_at(run, 3)) move_or_wait(run, End::kBack, End::kFront, *timeout_ms);
}

// `keys_at`: the place of the number of keys. `timeout_ms`: nothing for a command that does not wait.
void pop_many(CommandRun& run, std::size_t keys_at, std::optional<double> timeout_ms) {
  const auto number = resp::parse_integer(run[keys_at]);
  if (!number || *number < 1) return run.fail("ERR numkeys should be greater than 0");
  if (std::cmp_greater_equal(*number, run.size() - keys_at - 1)) return run.fail(resp::kSyntaxError);
  const std::size_t end_place = keys_at + 1 + static_cast<std::size_t>(*number);
  const auto end = end_at(run, end_place);
  if (!end) return;
  std::int64_t count = 1;
  if (run.size() > end_place + 1) {
    if (run.size() != end_place + 3 || !same_name(run, end_place + 1, "count")) return run.fail(resp::kSyntaxError);
    const auto given = resp::parse_integer(run[end_place + 2]);
    if (!given || *given < 1) return run.fail("ERR count should be greater than 0");
    count = *given;
  }
  const std::string_view key = first_with_elements(run, run.from(keys_at + 1).first(static_cast<std::size_t>(*number)));
  if (run.stopped() || (key.empty() && timeout_ms && run.block(*timeout_ms))) return;
  if (key.empty()) return run.reply().null_array();
  const std::int64_t length = length_of(run, key);
  const Value::List taken = take(run, key, *end == End::kFront ? kPopFront : kPopBack, std::min(count, length));
  run.reply().array(2);
  run.reply().bulk(key);
  run.reply().array(taken.size());
  for (const Value& value : taken) write_value(run.reply(), value);
}

void lmpop(CommandRun& run) { pop_many(run, 1, std::nullopt); }

void blmpop(CommandRun& run) {
  if (const auto timeout_ms = timeout_at(run, 1)) pop_many(run, 2, timeout_ms);
}

// ---- specs

using namespace command_spec;

constexpr Flags kWait{resp::CommandFlag::kWrite, resp::CommandFlag::kNoscript, resp::CommandFlag::kBlocking};
constexpr Flags kWaitAndGrow{resp::CommandFlag::kWrite, resp::CommandFlag::kDenyoom, resp::CommandFlag::kNoscript,
                             resp::CommandFlag::kBlocking};

constexpr Group kList{"list", resp::CommandCategory::kLists};
constexpr std::string_view kTaking = "RW access delete";

constexpr resp::CommandSpec kCommands[] = {
    kList("lpush", -3, kFastGrow, "RW insert", "1.0.0", kRunner<lpush>, "Adds elements at the front"),
    kList("rpush", -3, kFastGrow, "RW insert", "1.0.0", kRunner<rpush>, "Adds elements at the back"),
    kList("lpushx", -3, kFastGrow, "RW insert", "2.2.0", kRunner<lpushx>, "Adds elements at the front of a list that is there"),
    kList("rpushx", -3, kFastGrow, "RW insert", "2.2.0", kRunner<rpushx>, "Adds elements at the back of a list that is there"),
    kList("lpop", -2, kFastWrite, kTaking, "1.0.0", kRunner<lpop>, "Takes elements from the front"),
    kList("rpop", -2, kFastWrite, kTaking, "1.0.0", kRunner<rpop>, "Takes elements from the back"),
    kList("llen", 2, kFastRead, "RO", "1.0.0", kRunner<llen>, "The number of elements"),
    kList("lrange", 4, kRead, "RO access", "1.0.0", kRunner<lrange>, "The elements from one index to another"),
    kList("lindex", 3, kRead, "RO access", "1.0.0", kRunner<lindex>, "The element at an index"),
    kList("lset", 4, kGrow, "RW update", "1.0.0", kRunner<lset>, "Replaces the element at an index"),
    kList("linsert", 5, kGrow, "RW insert", "2.2.0", kRunner<linsert>, "Adds an element beside another one"),
    kList("lrem", 4, kWrite, "RW delete", "1.0.0", kRunner<lrem>, "Removes elements that equal a value"),
    kList("ltrim", 4, kWrite, "RW delete", "1.0.0", kRunner<ltrim>, "Removes all elements but those from one index to another"),
    kList("lpos", -3, kRead, "RO access", "6.0.6", kRunner<lpos>, "The indices of elements that equal a value"),
    with_keys(kList("lmove", 5, kGrow, kTaking, "6.2.0", kAloneRunner<lmove>, "Moves an element to an end of a list"), 2),
    with_keys(kList("rpoplpush", 3, kGrow, kTaking, "1.2.0", kAloneRunner<rpoplpush>, "Moves the last element to the front of a list"), 2),
    with_counted_keys(kList("lmpop", -4, kWrite, kTaking, "7.0.0", kAloneRunner<lmpop>, "Takes elements of the first list that has any"),
                      1),
    with_keys(kList("blpop", -3, kWait, kTaking, "2.0.0", kAloneRunner<blpop>, "As LPOP of several lists, once there is an element"), -2),
    with_keys(kList("brpop", -3, kWait, kTaking, "2.0.0", kAloneRunner<brpop>, "As RPOP of several lists, once there is an element"), -2),
    with_keys(kList("blmove", 6, kWaitAndGrow, kTaking, "6.2.0", kAloneRunner<blmove>, "As LMOVE, once there is an element"), 2),
    with_keys(kList("brpoplpush", 4, kWaitAndGrow, kTaking, "2.2.0", kAloneRunner<brpoplpush>, "As RPOPLPUSH, once there is an element"),
              2),
    with_counted_keys(kList("blmpop", -5, kWait, kTaking, "7.0.0", kAloneRunner<blmpop>, "As LMPOP, once there is an element"), 2),
};

}  // namespace
}  // namespace list_door

std::span<const resp::CommandSpec> list_commands() { return list_door::kCommands; }

}  // namespace claret
