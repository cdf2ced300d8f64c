// Splits the line of an inline command into words, by Redis's rules of quoting.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace claret::resp {

// Words are separated by white space. In double quotes, \n \r \t \b \a and \xHH stand for bytes, and any other character behind a backslash for
// itself; in single quotes, only \' is special. Behind a closing quote comes white space or the end.
//
// The words are views of `unquoted`, which is overwritten. False if quotes are unbalanced.
bool split_words(std::string_view line, std::string& unquoted, std::vector<std::string_view>& words);

}  // namespace claret::resp
