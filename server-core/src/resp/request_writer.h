// Writes requests as clients do: an array of bulk strings.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "resp/arguments.h"

namespace claret::resp {

inline void append_request(std::string& out, Arguments words) {
  out.append("*").append(std::to_string(words.size())).append("\r\n");
  for (const std::string_view word : words) {
    out.append("$").append(std::to_string(word.size())).append("\r\n").append(word).append("\r\n");
  }
}

inline void append_request(std::string& out, std::initializer_list<std::string_view> words) {
  append_request(out, Arguments(words.begin(), words.size()));
}

}  // namespace claret::resp
