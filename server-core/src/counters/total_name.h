// The name of a counter as JavaScript has it, made of its C++ name while
// compiling: "turn_kept_ms" becomes "turnKeptMs".
#pragma once

#include <cstddef>
#include <string_view>

namespace claret {

template <std::size_t size>
class TotalName {
 public:
  consteval TotalName(const char (&snake)[size]) {
    bool begins_word = false;
    for (const char letter : snake) {
      if (letter == '\0') break;
      if (letter != '_') text_[length_++] = begins_word ? static_cast<char>(letter - 'a' + 'A') : letter;
      begins_word = letter == '_';
    }
  }
  constexpr std::string_view view() const { return {text_, length_}; }

 private:
  char text_[size]{};
  std::size_t length_ = 0;
};

}  // namespace claret
