#include "resp/inline_words.h"

#include <cstddef>

namespace claret::resp {

namespace {

bool is_white(char character) { return character == ' ' || ('\t' <= character && character <= '\r'); }
// White space that ends a word; Redis takes \v and \f for characters of the word.
bool ends_word(char character) { return character == ' ' || character == '\n' || character == '\r' || character == '\t'; }

int hexadecimal(char character) {
  if ('0' <= character && character <= '9') return character - '0';
  if ('a' <= character && character <= 'f') return character - 'a' + 10;
  if ('A' <= character && character <= 'F') return character - 'A' + 10;
  return -1;
}

char escaped(char character) {
  switch (character) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'b':
      return '\b';
    case 'a':
      return '\a';
    default:
      return character;
  }
}

// Takes one character of a word in double quotes.
char take_escaped(std::string_view line, std::size_t& at) {
  if (line[at] != '\\' || at + 1 == line.size()) return line[at++];
  if (line[at + 1] == 'x' && at + 3 < line.size()) {
    const int high = hexadecimal(line[at + 2]);
    const int low = hexadecimal(line[at + 3]);
    if (high >= 0 && low >= 0) {
      at += 4;
      return static_cast<char>(high << 4 | low);
    }
  }
  at += 2;
  return escaped(line[at - 1]);
}

// Takes a quoted part of a word, from its opening quote on. False if it is not closed as it should be.
bool take_quoted(std::string_view line, std::size_t& at, std::string& unquoted) {
  const char quote = line[at++];
  while (at < line.size() && line[at] != quote) {
    if (quote == '"') {
      unquoted.push_back(take_escaped(line, at));
      continue;
    }
    if (line.substr(at, 2) == "\\'") ++at;
    unquoted.push_back(line[at++]);
  }
  if (at == line.size()) return false;
  ++at;
  return at == line.size() || is_white(line[at]);
}

}  // namespace

bool split_words(std::string_view line, std::string& unquoted, std::vector<std::string_view>& words) {
  words.clear();
  unquoted.clear();
  unquoted.reserve(line.size());  // no word gets longer, so the views stay valid
  for (std::size_t at = 0;;) {
    while (at < line.size() && is_white(line[at])) ++at;
    if (at == line.size()) return true;
    const std::size_t begin = unquoted.size();
    while (at < line.size() && !ends_word(line[at])) {
      if (line[at] != '"' && line[at] != '\'') {
        unquoted.push_back(line[at++]);
      } else if (!take_quoted(line, at, unquoted)) {
        return false;
      } else {
        break;
      }
    }
    words.emplace_back(unquoted.data() + begin, unquoted.size() - begin);
  }
}

}  // namespace claret::resp
