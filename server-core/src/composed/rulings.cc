#include "composed/rulings.h"

#include <algorithm>

namespace claret::composed {

namespace {

const CommutativityRule* rule_of(const DataType& type, std::string_view first, std::string_view second) {
  for (const CommutativityRule& rule : type.rules()) {
    if ((rule.first == first && rule.second == second) || (rule.first == second && rule.second == first)) return &rule;
  }
  return nullptr;
}

constexpr std::string_view kWaits = "one whose amount is not certain waits for the others";

bool reserve_together(const Body& first, const Body& second) {
  return std::any_of(first.touches.begin(), first.touches.end(), [&](const Touch& one) {
    return one.operation->reserves && std::any_of(second.touches.begin(), second.touches.end(), [&](const Touch& other) {
             return other.field == one.field && other.operation->reserves;
           });
  });
}

bool meet(const Touch& one, const Touch& other) { return one.field == other.field && (one.writes || other.writes); }

}  // namespace

Rulings::Rulings(const Definition& definition) : definition_(definition) {
  const std::size_t count = definition.operations.size();
  of_operations_.assign(count, std::vector<Relation>(count));
  for (std::size_t first = 0; first < count; ++first) {
    for (std::size_t second = 0; second < count; ++second) of_operations_[first][second] = relate(first, second);
  }
  group();
  words_.reserve(count * (count + 1) / 2);
  for (std::size_t first = 0; first < count; ++first) {
    for (std::size_t second = first; second < count; ++second) {
      words_.push_back(words(first, second));
      rules_.push_back({definition.operation_names[first], definition.operation_names[second], words_.back()});
    }
  }
}

Relation Rulings::relate(std::size_t first, std::size_t second) const {
  Relation found = Relation::kAlways;
  for (const Touch& one : definition_.bodies[first].touches) {
    for (const Touch& other : definition_.bodies[second].touches) {
      if (!meet(one, other)) continue;
      const Field& field = definition_.fields[one.field];
      const Relation steps = field.type->relation(one.operation->mode, other.operation->mode);
      if (steps == Relation::kAlways) continue;
      const bool surely = steps == Relation::kNever && !field.each && one.certain && other.certain;
      if (!surely) {
        found = Relation::kDepends;
      } else {
        return definition_.claim(first, second) == nullptr ? Relation::kNever : Relation::kDepends;
      }
    }
  }
  return found;
}

// Operations with the same relations to all others share a mode. The last mode takes whatever is left over, and depends on everything.
void Rulings::group() {
  const std::size_t count = of_operations_.size();
  mode_of_.resize(count);
  std::vector<std::size_t> first_of;
  bool mixed = false;
  for (std::size_t operation = 0; operation < count; ++operation) {
    const auto same =
        std::find_if(first_of.begin(), first_of.end(), [&](std::size_t one) { return of_operations_[one] == of_operations_[operation]; });
    if (same != first_of.end()) {
      mode_of_[operation] = static_cast<Mode>(same - first_of.begin());
      mode_names_[mode_of_[operation]] += ", " + definition_.operation_names[operation];
    } else if (first_of.size() < kModesMax) {
      mode_of_[operation] = static_cast<Mode>(first_of.size());
      first_of.push_back(operation);
      mode_names_.push_back(definition_.operation_names[operation]);
    } else {
      mode_of_[operation] = kModesMax - 1;
      mode_names_.back() += ", " + definition_.operation_names[operation];
      mixed = true;
    }
  }
  for (std::size_t first = 0; first < first_of.size(); ++first) {
    for (std::size_t second = 0; second < first_of.size(); ++second) {
      const bool of_mixed = mixed && (first == kModesMax - 1 || second == kModesMax - 1);
      relations_[first][second] = of_mixed ? Relation::kDepends : of_operations_[first_of[first]][first_of[second]];
    }
  }
  for (const std::string& name : mode_names_) modes_.push_back({name, "operations that commute alike"});
}

bool Rulings::keeps_modes_of(const Rulings& earlier) const {
  if (mode_of_.size() < earlier.mode_of_.size() || !std::equal(earlier.mode_of_.begin(), earlier.mode_of_.end(), mode_of_.begin()))
    return false;
  const std::size_t modes = earlier.modes_.size();
  for (std::size_t first = 0; first < modes; ++first) {
    for (std::size_t second = 0; second < modes; ++second) {
      if (relations_[first][second] != earlier.relations_[first][second]) return false;
    }
  }
  return true;
}

std::string Rulings::words(std::size_t first, std::size_t second) const {
  const Relation relation = of_operations_[first][second];
  if (relation == Relation::kNever) return "never";
  if (relation == Relation::kAlways) {
    return reserve_together(definition_.bodies[first], definition_.bodies[second]) ? "always; " + std::string(kWaits) : "always";
  }
  std::vector<std::string> conditions;
  for (const Touch& one : definition_.bodies[first].touches) {
    for (const Touch& other : definition_.bodies[second].touches) {
      if (!meet(one, other)) continue;
      const Field& field = definition_.fields[one.field];
      const CommutativityRule* rule = rule_of(*field.type, one.operation->name, other.operation->name);
      if (rule == nullptr || rule->ruling() == Ruling::kAlways || rule->ruling() == Ruling::kSummed) continue;
      std::string condition = field.name + ": ";
      if (field.each) condition += rule->ruling() == Ruling::kNever ? "different keys" : "different keys, or ";
      if (rule->ruling() == Ruling::kDepends) condition += rule->when;
      if (rule->ruling() == Ruling::kNever && !field.each) {
        if (one.certain && other.certain) continue;  // nothing but a claim lets them in together
        condition += "one of them does not touch it";
      }
      if (std::find(conditions.begin(), conditions.end(), condition) == conditions.end()) conditions.push_back(std::move(condition));
    }
  }
  std::string text;
  for (const std::string& condition : conditions) text += (text.empty() ? "" : "; ") + condition;
  if (definition_.claim(first, second) != nullptr) text += text.empty() ? "the type's own claim holds" : "; or the type's own claim holds";
  if (reserve_together(definition_.bodies[first], definition_.bodies[second])) text += "; " + std::string(kWaits);
  return text;
}

}  // namespace claret::composed
