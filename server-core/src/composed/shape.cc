#include "composed/shape.h"

#include <algorithm>

#include "adt/check.h"

namespace claret::composed {

bool Shape::fits(const Value& value) const {
  switch (is) {
    case Is::kBoolean:
      return value.is_boolean();
    case Is::kInteger:
      return value.is_integer();
    case Is::kNumber:
      return value.is_number();
    case Is::kText:
      return value.is_text() && value.text().size() <= kTextBytesMax;
    case Is::kScalar:
      return !value.absent() && !value.is_list() && (!value.is_text() || value.text().size() <= kTextBytesMax);
    case Is::kMaybe:
      return value.absent() || of[0].fits(value);
    case Is::kList:
      return value.is_list() && std::all_of(value.list().begin(), value.list().end(), [&](const Value& item) { return of[0].fits(item); });
    case Is::kRecord:
      return value.is_list() && std::equal(value.list().begin(), value.list().end(), of.begin(), of.end(),
                                           [](const Value& member, const Shape& shape) { return shape.fits(member); });
  }
  return false;
}

std::size_t bytes_held(const Value& value) {
  constexpr std::size_t kBytesOfAValue = 16;
  std::size_t bytes = kBytesOfAValue;
  if (value.is_text()) bytes += value.text().size();
  if (value.is_list()) {
    for (const Value& item : value.list()) bytes += bytes_held(item);
  }
  return bytes;
}

}  // namespace claret::composed
