// Checks a call's arguments before its type sees them, so that types can rely on their number and kinds.
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
// Limit of the items of a list argument, and of the items that one call returns.
inline constexpr std::int64_t kItemsMax = 1000;
// From -kExactNumberMax to kExactNumberMax a double represents every integer exactly.
inline constexpr std::int64_t kExactNumberMax = std::int64_t{1} << 53;

// Returns null when the arguments fit the operation. Normalizes them: omitted trailing optional arguments become absent, an integer given
// for a number becomes a number, and a negative zero becomes 0 (0 and -0 are equal, but their bytes differ).
std::optional<Error> check_call(const DataType& type, const OperationSpec& operation, std::vector<Value>& arguments);

// As the catalogue spells it: "scalar", "texts", ...
std::string_view kind_name(Kind kind);

// For types: refuses a page size outside of 1 to kItemsMax.
std::optional<Refusal> check_page_size(std::int64_t items);

// For types: refuses an optional argument that is neither text nor absent.
std::optional<Refusal> check_optional_text(const Value& value, std::string_view name);

}  // namespace claret
