// Checks a call's arguments before its type sees them: types may rely on count and kinds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "adt/adt.h"
#include "ground/errors.h"

namespace claret {

inline constexpr std::size_t kTextBytesMax = 64 * 1024;
// Items of a list argument, and items that one call returns.
inline constexpr std::int64_t kItemsMax = 1000;
// Up to here, and down to its negative, every integer is a number too.
inline constexpr std::int64_t kExactNumberMax = std::int64_t{1} << 53;

// Null when the arguments are what the operation takes. Normalises them: trailing optional arguments that were left out
// become absent, an integer given for a number becomes a number, and no zero is negative (0 and -0 are equal, their
// bytes are not).
std::optional<Error> check_call(const DataType& type, const OperationSpec& operation, std::vector<Value>& arguments);

// As the catalogue spells it: "scalar", "texts", ...
std::string_view kind_name(Kind kind);

// For types: refuses a page size outside of 1 to kItemsMax.
std::optional<Refusal> check_page_size(std::int64_t items);

// For types: refuses an optional argument that is neither text nor absent.
std::optional<Refusal> check_optional_text(const Value& value, std::string_view name);

}  // namespace claret
