// The operators that bind locals, and those that go over lists or make them.
#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "composed/expression.h"
#include "ground/errors.h"

namespace claret::composed {

const Value::List* Evaluation::list_operand(const Expression& expression, Operand& out) {
  if (!operand(expression, out)) return nullptr;
  if (!out->is_list()) {
    fail_type("a list");
    return nullptr;
  }
  return take_steps(out->list().size()) ? &out->list() : nullptr;
}

std::optional<std::int64_t> Evaluation::integer(const Expression& expression) {
  Operand of;
  if (!operand(expression, of)) return std::nullopt;
  if (of->is_integer()) return of->integer();
  fail_type("an integer");
  return std::nullopt;
}

// Binds a local, which may hide one of the same number, until its end.
class Evaluation::Binding {
 public:
  Binding(Evaluation& evaluation, std::size_t local) : bound_(evaluation.locals_[local]), outer_(bound_) {}
  ~Binding() { bound_ = outer_; }
  Binding(const Binding&) = delete;
  Binding& operator=(const Binding&) = delete;

 private:
  const Value*& bound_;
  const Value* outer_;
};

Evaluation::Result Evaluation::body_of(std::size_t local, const Value& item, const Expression& body) {
  locals_[local] = &item;
  return value(body);
}

Evaluation::Result Evaluation::let(const Expression& expression) {
  const Binding binding(*this, expression.index);
  Operand of;
  if (!operand(expression.operands[0], of)) return std::nullopt;
  return body_of(expression.index, *of, expression.operands[1]);
}

Evaluation::Result Evaluation::map(const Expression& expression) {
  const Binding binding(*this, expression.index);
  Operand of;
  const Value::List* items = list_operand(expression.operands[0], of);
  if (items == nullptr) return std::nullopt;
  Value::List mapped;
  mapped.reserve(items->size());
  for (const Value& item : *items) {
    Result result = body_of(expression.index, item, expression.operands[1]);
    if (!result) return result;
    mapped.push_back(*std::move(result));
  }
  return built(Value(std::move(mapped)));
}

Evaluation::Result Evaluation::filter(const Expression& expression) {
  const Binding binding(*this, expression.index);
  Operand of;
  const Value::List* items = list_operand(expression.operands[0], of);
  if (items == nullptr) return std::nullopt;
  Value::List kept;
  for (const Value& item : *items) {
    locals_[expression.index] = &item;
    const auto wanted = condition(expression.operands[1]);
    if (!wanted) return std::nullopt;
    if (*wanted) kept.push_back(item);
  }
  return built(Value(std::move(kept)));
}

Evaluation::Result Evaluation::find_item(const Expression& expression) {
  const Binding binding(*this, expression.index);
  Operand of;
  if (!operand(expression.operands[0], of)) return std::nullopt;
  if (!of->is_list()) return fail_type("a list");
  for (const Value& item : of->list()) {
    locals_[expression.index] = &item;
    const auto wanted = take_steps(1) ? condition(expression.operands[1]) : std::nullopt;
    if (!wanted) return std::nullopt;
    if (*wanted) return copy(item);
  }
  return Value();
}

Evaluation::Result Evaluation::sort(const Expression& expression) {
  const Binding binding(*this, expression.index);
  Operand of;
  const Value::List* items = list_operand(expression.operands[0], of);
  if (items == nullptr) return std::nullopt;
  Value::List keys;
  keys.reserve(items->size());
  for (const Value& item : *items) {
    Result key = body_of(expression.index, item, expression.operands[1]);
    if (!key) return key;
    keys.push_back(*std::move(key));
    if (order(keys.front(), keys.back()) == std::partial_ordering::unordered) return fail_type("numbers or texts to sort by");
  }
  if (!built(Value(keys))) return std::nullopt;
  std::vector<std::size_t> places(items->size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return order(keys[a], keys[b]) < 0; });
  Value::List unsorted = of.take_list();
  Value::List sorted;
  sorted.reserve(unsorted.size());
  for (const std::size_t place : places) sorted.push_back(std::move(unsorted[place]));
  return built(Value(std::move(sorted)));
}

Evaluation::Result Evaluation::fold(const Expression& expression) {
  const Binding binding(*this, expression.index);
  const Binding binding_item(*this, expression.item);
  Operand of;
  const Value::List* items = list_operand(expression.operands[0], of);
  if (items == nullptr) return std::nullopt;
  Result folded = value(expression.operands[1]);
  for (const Value& item : *items) {
    if (!folded) return folded;
    const Value before = *std::move(folded);
    locals_[expression.index] = &before;
    folded = body_of(expression.item, item, expression.operands[2]);
  }
  return folded;
}

Evaluation::Result Evaluation::range(const Expression& expression) {
  const auto count = integer(expression.operands[0]);
  if (!count) return std::nullopt;
  if (*count < 0) return fail(errors::kOutOfRange, "the type's definition counts to a number below 0");
  const auto size = static_cast<std::size_t>(*count);
  if (!take_steps(size)) return std::nullopt;
  Value::List numbers;
  numbers.reserve(size);
  for (std::int64_t number = 0; number < *count; ++number) numbers.emplace_back(number);
  return built(Value(std::move(numbers)));
}

Evaluation::Result Evaluation::slice(const Expression& expression) {
  Operand of;
  if (!operand(expression.operands[0], of)) return std::nullopt;
  if (!of->is_list()) return fail_type("a list");
  const auto from = integer(expression.operands[1]);
  const auto to = from ? integer(expression.operands[2]) : std::nullopt;
  if (!to) return std::nullopt;
  const auto size = static_cast<std::int64_t>(of->list().size());
  const std::int64_t begin = std::clamp<std::int64_t>(*from, 0, size), end = std::clamp<std::int64_t>(*to, begin, size);
  if (!take_steps(static_cast<std::size_t>(end - begin))) return std::nullopt;
  return built(Value(Value::List(of->list().begin() + begin, of->list().begin() + end)));
}

Evaluation::Result Evaluation::join(const Expression& expression) {
  Operand first, second;
  const Value::List* head = list_operand(expression.operands[0], first);
  const Value::List* tail = head == nullptr ? nullptr : list_operand(expression.operands[1], second);
  if (tail == nullptr) return std::nullopt;
  Value::List joined;
  joined.reserve(head->size() + tail->size());
  for (Operand* part : {&first, &second}) {
    Value::List items = part->take_list();
    std::move(items.begin(), items.end(), std::back_inserter(joined));
  }
  return built(Value(std::move(joined)));
}

Evaluation::Result Evaluation::replace(const Expression& expression) {
  Operand of;
  const Value::List* items = list_operand(expression.operands[0], of);
  const auto place = items == nullptr ? std::nullopt : integer(expression.operands[1]);
  if (!place) return std::nullopt;
  if (*place < 0 || std::cmp_greater_equal(*place, items->size()))
    return fail(errors::kOutOfRange, "the type's definition replaces an item that is not there");
  Result item = value(expression.operands[2]);
  if (!item) return item;
  Value::List replaced = of.take_list();
  replaced[static_cast<std::size_t>(*place)] = *std::move(item);
  return built(Value(std::move(replaced)));
}

Evaluation::Result Evaluation::reverse(const Expression& expression) {
  Operand of;
  const Value::List* items = list_operand(expression.operands[0], of);
  if (items == nullptr) return std::nullopt;
  Value::List reversed = of.take_list();
  std::reverse(reversed.begin(), reversed.end());
  return built(Value(std::move(reversed)));
}

}  // namespace claret::composed
