#include "composed/definition.h"

#include <algorithm>

#include "adt/check.h"

namespace claret::composed {

namespace {

constexpr std::size_t kMany = limits::kNodesMax;

constexpr std::array kOperators = {
    OperatorName{"+", Operator::kAdd, 2, 2},
    OperatorName{"-", Operator::kSubtract, 2, 2},
    OperatorName{"*", Operator::kMultiply, 2, 2},
    OperatorName{"/", Operator::kDivide, 2, 2},
    OperatorName{"%", Operator::kModulo, 2, 2},
    OperatorName{"min", Operator::kMin, 2, 2},
    OperatorName{"max", Operator::kMax, 2, 2},
    OperatorName{"floor", Operator::kFloor, 1, 1},
    OperatorName{"power", Operator::kPower, 2, 2},
    OperatorName{"=", Operator::kEqual, 2, 2},
    OperatorName{"<", Operator::kLess, 2, 2},
    OperatorName{"<=", Operator::kLessOrEqual, 2, 2},
    OperatorName{"and", Operator::kAnd, 2, 2},
    OperatorName{"or", Operator::kOr, 2, 2},
    OperatorName{"not", Operator::kNot, 1, 1},
    OperatorName{"if", Operator::kIf, 3, 3},
    OperatorName{"absent", Operator::kAbsent, 1, 1},
    OperatorName{"or_else", Operator::kOrElse, 2, 2},
    OperatorName{"item", Operator::kItem, 2, 2},
    OperatorName{"length", Operator::kLength, 1, 1},
    OperatorName{"concat", Operator::kConcat, 1, kMany},
    OperatorName{"list", Operator::kList, 0, kMany},
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

const Claim* Definition::claim(std::size_t first, std::size_t second) const {
  for (const Claim& one : claims) {
    if ((one.first == first && one.second == second) || (one.first == second && one.second == first)) return &one;
  }
  return nullptr;
}

}  // namespace claret::composed
