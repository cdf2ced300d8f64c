// From JSON to expressions and shapes (definition.h has their grammar).
#pragma once

#include <rapidjson/document.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "composed/definition.h"

namespace claret::composed {

using Json = rapidjson::Value;

// Where an expression stands decides what it may name: fields, the answer, the old value; an update stands in a write.
enum class Place : std::uint8_t { kConstant, kRead, kWrite, kUpdate, kClaim, kMigration };

class ExpressionParser {
 public:
  // REQUIRES: the definition outlives the parser, and has its fields.
  explicit ExpressionParser(const Definition& definition) : definition_(definition) {}

  // What follows belongs to an operation, whose parameters are known. `answers`: it has an answer.
  void begin(std::size_t operation) {
    operation_ = operation;
    nodes_ = 0;
    bound_ = {};
  }
  void set_answers(bool answers) { answers_ = answers; }
  // What follows belongs to a claim. REQUIRES: all operations are known.
  void begin(const Claim& claim) {
    claim_ = &claim;
    nodes_ = 0;
    bound_ = {};
  }

  // What follows belongs to a migration.
  void begin_migration() {
    nodes_ = 0;
    bound_ = {};
  }
  // A local for what follows of a write of a migration.
  bool bind(const Json& json, std::size_t& out) {
    bound_ = {};
    if (!new_local(json, out)) return false;
    bound_[out] = true;
    return true;
  }
  void unbind() { bound_ = {}; }

  // False: problem() says why.
  bool parse(const Json& json, Place place, Expression& out) { return expression(json, place, out, 0); }
  bool parse(const Json& json, Shape& out) { return shape(json, out, 0); }
  // A field, with a key if it has one state for each.
  bool field_of(const Json& field, const Json& key, std::size_t& out);
  bool arguments_fit(const OperationSpec& operation, std::size_t given);
  const std::string& problem() const { return problem_; }

 private:
  bool fail(std::string problem);
  bool expression(const Json& json, Place place, Expression& out, std::size_t depth);
  bool applied(const Json& json, Place place, std::string_view what, Expression& out, std::size_t depth);
  bool operands_from(const Json& json, std::size_t first, Place place, Expression& out, std::size_t depth);
  bool constant(const Json& json, Expression& out);
  bool exact(const Json& json, std::string_view what, Expression& out);
  bool named(const Json& json, Place place, std::string_view what, Expression& out);
  bool local(const Json& json, Expression& out);
  // It hides one of the same number that is bound outside.
  bool new_local(const Json& json, std::size_t& out);
  bool read(const Json& json, Place place, Expression& out, std::size_t depth);
  bool keys(const Json& json, Place place, Expression& out);
  bool shape(const Json& json, Shape& out, std::size_t depth);
  bool shape_of_others(const Json& json, Shape& out, std::size_t depth);

  const Definition& definition_;
  std::string problem_;
  std::size_t operation_ = 0;
  const Claim* claim_ = nullptr;
  std::size_t nodes_ = 0;
  bool answers_ = false;
  std::array<bool, kLocalsMax> bound_{};
};

// A name of a field, an operation, a member, ...: of letters, digits and _, the first one in that range.
bool is_name(std::string_view text, char first_low, char first_high);
// Every object of JavaScript has such a member.
bool is_taken_name(std::string_view name);

}  // namespace claret::composed
