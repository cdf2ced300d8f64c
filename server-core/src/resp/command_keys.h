// Where the keys of a command are among its arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "resp/arguments.h"
#include "resp/command.h"

namespace claret::resp {

// Two runs of keys: by the spec's places, and those counted by an argument.
class CommandKeys {
 public:
  // Nothing if the arguments do not say where the keys are: a count is no number, not positive, or greater than the rest.
  // REQUIRES: the command takes that many arguments.
  static std::optional<CommandKeys> of(const CommandSpec& spec, Arguments arguments);

  std::size_t size() const { return placed_ + counted_; }
  // The place of the n-th key, from 0.
  std::size_t place(std::size_t n) const { return n < placed_ ? first_ + n * step_ : counted_from_ + (n - placed_); }
  bool is_counted(std::size_t n) const { return n >= placed_; }

 private:
  std::size_t first_ = 0;
  std::size_t step_ = 1;
  std::size_t placed_ = 0;
  std::size_t counted_from_ = 0;
  std::size_t counted_ = 0;
};

inline bool has_keys(const CommandSpec& spec) { return spec.first_key != 0 || spec.key_count_at != 0; }

}  // namespace claret::resp
