#include "composed/definition.h"

#include <algorithm>

#include "adt/check.h"

namespace claret::composed {

namespace {

constexpr std::size_t kMany = limits::kNodesMax;

constexpr std::array kOperators = {
    OperatorName{"+", Operator::kAdd, 0, 2, 2},
    OperatorName{"-", Operator::kSubtract, 0, 2, 2},
    OperatorName{"*", Operator::kMultiply, 0, 2, 2},
    OperatorName{"/", Operator::kDivide, 0, 2, 2},
    OperatorName{"%", Operator::kModulo, 0, 2, 2},
    OperatorName{"min", Operator::kMin, 0, 2, 2},
    OperatorName{"max", Operator::kMax, 0, 2, 2},
    OperatorName{"floor", Operator::kFloor, 0, 1, 1},
    OperatorName{"power", Operator::kPower, 0, 2, 2},
    OperatorName{"=", Operator::kEqual, 0, 2, 2},
    OperatorName{"<", Operator::kLess, 0, 2, 2},
    OperatorName{"<=", Operator::kLessOrEqual, 0, 2, 2},
    OperatorName{"and", Operator::kAnd, 0, 2, 2},
    OperatorName{"or", Operator::kOr, 0, 2, 2},
    OperatorName{"not", Operator::kNot, 0, 1, 1},
    OperatorName{"if", Operator::kIf, 0, 3, 3},
    OperatorName{"absent", Operator::kAbsent, 0, 1, 1},
    OperatorName{"or_else", Operator::kOrElse, 0, 2, 2},
    OperatorName{"item", Operator::kItem, 0, 2, 2},
    OperatorName{"length", Operator::kLength, 0, 1, 1},
    OperatorName{"concat", Operator::kConcat, 0, 1, kMany},
    OperatorName{"list", Operator::kList, 0, 0, kMany},
    OperatorName{"let", Operator::kLet, 1, 2, 2},
    OperatorName{"map", Operator::kMap, 1, 2, 2},
    OperatorName{"filter", Operator::kFilter, 1, 2, 2},
    OperatorName{"find", Operator::kFind, 1, 2, 2},
    OperatorName{"sort", Operator::kSort, 1, 2, 2},
    OperatorName{"fold", Operator::kFold, 2, 3, 3},
    OperatorName{"range", Operator::kRange, 0, 1, 1},
    OperatorName{"slice", Operator::kSlice, 0, 3, 3},
    OperatorName{"join", Operator::kJoin, 0, 2, 2},
    OperatorName{"replace", Operator::kReplace, 0, 3, 3},
    OperatorName{"reverse", Operator::kReverse, 0, 1, 1},
};

}  // namespace

const OperatorName* find_operator(std::string_view name) {
  const auto found = std::find_if(kOperators.begin(), kOperators.end(), [&](const OperatorName& one) { return one.name == name; });
  return found == kOperators.end() ? nullptr : &*found;
}

std::optional<Kind> find_kind(std::string_view name) {
  for (auto kind = Kind::kVoid; kind <= Kind::kRankedItem; kind = static_cast<Kind>(static_cast<int>(kind) + 1)) {
    if (kind_name(kind) == name) return kind;
  }
  return std::nullopt;
}

bool Field::holds_the_same(const Field& other) const {
  if (values != nullptr && other.values != nullptr) return values->holds_the_same(*other.values);
  return type == other.type;
}

const Claim* Definition::claim(std::size_t first, std::size_t second) const {
  for (const Claim& one : claims) {
    if ((one.first == first && one.second == second) || (one.first == second && one.second == first)) return &one;
  }
  return nullptr;
}

}  // namespace claret::composed
