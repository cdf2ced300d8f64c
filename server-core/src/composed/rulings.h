// What a composed type's definition says about its pairs of operations without their arguments: the relation of each, the modes, and the
// table in words. Everything follows from the tables of the fields' types.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "composed/definition.h"

namespace claret::composed {

class Rulings {
 public:
  explicit Rulings(const Definition& definition);

  std::span<const ModeSpec> modes() const { return modes_; }
  std::span<const CommutativityRule> rules() const { return rules_; }
  Relation relation(Mode first, Mode second) const { return relations_[first][second]; }
  Mode mode_of(std::size_t operation) const { return mode_of_[operation]; }
  // The earlier operations have the same modes here, with the same relations.
  bool keeps_modes_of(const Rulings& earlier) const;

 private:
  Relation relate(std::size_t first, std::size_t second) const;
  std::string words(std::size_t first, std::size_t second) const;
  void group();

  const Definition& definition_;
  std::vector<std::vector<Relation>> of_operations_;
  std::vector<Mode> mode_of_;
  std::array<std::array<Relation, kModesMax>, kModesMax> relations_{};
  std::vector<std::string> mode_names_;
  std::vector<ModeSpec> modes_;
  std::vector<std::string> words_;
  std::vector<CommutativityRule> rules_;
};

}  // namespace claret::composed
