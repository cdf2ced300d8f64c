#include "resp/glob.h"

#include <cstddef>
#include <utility>

#include "resp/arguments.h"

namespace claret::resp {

namespace {

class Glob {
 public:
  Glob(std::string_view pattern, Letters letters) : pattern_(pattern), letters_(letters) {}

  // Takes the token at `at`, which is not a star. True if it stands for the character.
  bool take(std::size_t& at, char character) const {
    switch (pattern_[at]) {
      case '?':
        ++at;
        return true;
      case '[':
        return take_bracket(at, character);
      case '\\':
        if (at + 1 < pattern_.size()) ++at;
        break;
      default:
        break;
    }
    return fold(pattern_[at++]) == fold(character);
  }

 private:
  // Bytes are ordered as signed numbers, which decides what a range from or to a byte above 127 holds: so does Redis on the usual machines.
  signed char fold(char character) const { return static_cast<signed char>(letters_ == Letters::kCaseless ? lower(character) : character); }

  bool take_bracket(std::size_t& at, char character) const {
    const signed char wanted = fold(character);
    ++at;
    const bool negated = at < pattern_.size() && pattern_[at] == '^';
    if (negated) ++at;
    bool found = false;
    while (at < pattern_.size() && pattern_[at] != ']') {
      if (pattern_[at] == '\\' && at + 1 < pattern_.size()) {
        found |= fold(pattern_[at + 1]) == wanted;
        at += 2;
      } else if (at + 2 < pattern_.size() && pattern_[at + 1] == '-') {
        signed char low = fold(pattern_[at]);
        signed char high = fold(pattern_[at + 2]);
        if (static_cast<signed char>(pattern_[at]) > static_cast<signed char>(pattern_[at + 2])) std::swap(low, high);
        found |= low <= wanted && wanted <= high;
        at += 3;
      } else {
        found |= fold(pattern_[at++]) == wanted;
      }
    }
    if (at < pattern_.size()) ++at;
    return found != negated;
  }

  std::string_view pattern_;
  Letters letters_;
};

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text, Letters letters) {
  if (text.empty()) return pattern.empty();
  const Glob glob(pattern, letters);
  std::size_t at = 0;
  std::size_t in_text = 0;
  // Behind the last star: where to go on in the pattern, and how much of the text the star takes. Earlier stars need not take more.
  std::size_t star = std::string_view::npos;
  std::size_t star_ends = 0;
  while (in_text < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = ++at;
      star_ends = in_text;
    } else if (at < pattern.size() && glob.take(at, text[in_text])) {
      ++in_text;
    } else if (star == std::string_view::npos) {
      return false;
    } else {
      at = star;
      in_text = ++star_ends;
    }
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

}  // namespace claret::resp
