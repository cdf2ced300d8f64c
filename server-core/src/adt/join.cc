#include "adt/join.h"

#include <algorithm>
#include <array>

#include "adt/check.h"

namespace claret {

namespace {

using Arguments = std::vector<Value>;

// Are all arguments equal, except for `count` of them from index `from` on?
bool equal_but(const Arguments& held, const Arguments& asked, std::size_t from, std::size_t count) {
  if (held.size() != asked.size()) return false;
  for (std::size_t i = 0; i < held.size(); ++i) {
    if ((i < from || i >= from + count) && held[i] != asked[i]) return false;
  }
  return true;
}

Value slice(const Value::List& items, std::int64_t first, std::int64_t end) {
  const auto size = static_cast<std::int64_t>(items.size());
  first = std::min(first, size);
  return Value::List(items.begin() + first, items.begin() + std::clamp(end, first, size));
}

std::optional<Value> prefix(const Value::List& items, std::int64_t held_count, std::int64_t count) {
  if (count < 1 || count > held_count) return std::nullopt;
  return slice(items, 0, count);
}

std::optional<Value> fields(const Value::List& names, const Value::List& values, const Value::List& asked) {
  Value::List found;
  for (const Value& name : asked) {
    const auto place = std::find(names.begin(), names.end(), name);
    if (place == names.end()) return std::nullopt;
    found.push_back(values[static_cast<std::size_t>(place - names.begin())]);
  }
  return Value(std::move(found));
}

// Pages have at most kItemsMax items, or more. A result shorter than that ends where the items end, or the range; a longer one tells nothing
// about the items behind it, nor how many a wide range gives.
std::optional<Value> sub_range(const Arguments& held, const Value::List& items, const Arguments& asked, std::size_t at) {
  const std::int64_t held_start = held[at].integer();
  const std::int64_t held_stop = held[at + 1].integer();
  const std::int64_t start = asked[at].integer();
  const std::int64_t stop = asked[at + 1].integer();
  if (held_start < 0 || start < held_start || stop < start || stop > held_stop) return std::nullopt;
  const std::int64_t first = start - held_start;
  const std::int64_t end = first + std::min(stop - start, kItemsMax - 1) + 1;
  const bool is_reached = std::cmp_less_equal(end, items.size());
  if (!is_reached && std::cmp_greater_equal(items.size(), kItemsMax)) return std::nullopt;
  if (stop - start >= kItemsMax && std::cmp_greater(items.size(), kItemsMax)) return std::nullopt;
  return slice(items, first, end);
}

std::optional<Value> sub_range_by_score(const Arguments& held, const Value::List& items, const Arguments& asked, std::size_t at) {
  const Value& after = asked[at + 3];
  if (after != held[at + 3] || (!after.absent() && asked[at] != held[at])) return std::nullopt;
  const std::int64_t min = asked[at].integer();
  const std::int64_t max = asked[at + 1].integer();
  const std::int64_t held_limit = held[at + 2].integer();
  const std::int64_t limit = asked[at + 2].integer();
  if (min < held[at].integer() || max > held[at + 1].integer() || limit < 1 || limit > held_limit) return std::nullopt;
  Value::List found;
  for (const Value& item : items) {
    const std::int64_t score = item.list()[1].integer();
    if (score > max || std::cmp_equal(found.size(), limit)) return Value(std::move(found));
    if (score >= min) found.push_back(item);
  }
  const bool reached = std::cmp_less(items.size(), held_limit) || std::cmp_equal(found.size(), limit);
  return reached ? std::optional<Value>(std::move(found)) : std::nullopt;
}

}  // namespace

const JoinRule* find_join(const DataType& type, const OperationSpec& holder, const OperationSpec& joiner) {
  for (const JoinRule& rule : type.joins()) {
    if (rule.holder == holder.id && rule.joiner == joiner.id) return &rule;
  }
  return nullptr;
}

std::optional<Value> joined_result(const JoinRule& rule, const Held& held, const Call& call) {
  const Arguments& holds = held.call->arguments;
  const Arguments& asks = call.arguments;
  const std::size_t at = rule.parameter;
  if (rule.holder == rule.joiner && holds == asks) return *held.result;
  switch (rule.how) {
    case JoinHow::kEqual:
      return std::nullopt;
    case JoinHow::kPrefix:
      if (!equal_but(holds, asks, at, 1)) return std::nullopt;
      return prefix(held.result->list(), holds[at].integer(), asks[at].integer());
    case JoinHow::kFirst:
      return held.result->list().empty() ? Value() : held.result->list().front();
    case JoinHow::kFields:
      if (!equal_but(holds, asks, at, 1)) return std::nullopt;
      return fields(holds[at].list(), held.result->list(), asks[at].list());
    case JoinHow::kSubRange:
      if (!equal_but(holds, asks, at, 2)) return std::nullopt;
      return sub_range(holds, held.result->list(), asks, at);
    case JoinHow::kSubRangeByScore:
      if (!equal_but(holds, asks, at, 4)) return std::nullopt;
      return sub_range_by_score(holds, held.result->list(), asks, at);
  }
  return std::nullopt;
}

bool covered(const DataType& type, const OperationSpec& operation) {
  return operation.result == Kind::kVoid && !operation.reserves && type.relation(operation.mode, operation.mode) == Relation::kAlways;
}

bool combinable(const DataType& type, const OperationSpec& operation) {
  const std::span<const JoinRule> joins = type.joins();
  return covered(type, operation) ||
         std::any_of(joins.begin(), joins.end(), [&](const JoinRule& rule) { return rule.joiner == operation.id; });
}

std::string_view join_name(JoinHow how) {
  static constexpr std::array<std::string_view, 6> kNames = {"equal", "prefix", "first", "fields", "sub_range", "sub_range_by_score"};
  return kNames[static_cast<std::size_t>(how)];
}

}  // namespace claret
