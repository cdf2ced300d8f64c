// Allows lookups with a std::string_view in a hash map with std::string keys.
#pragma once

#include <absl/hash/hash.h>
#include <absl/strings/string_view.h>

#include <string_view>

namespace claret {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return absl::Hash<absl::string_view>{}(absl::string_view(text.data(), text.size()));
  }
};

}  // namespace claret
