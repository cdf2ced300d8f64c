// Writes JSON in the order of the calls, with commas inserted automatically. Texts are valid UTF-8. Not thread-safe.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "ground/check.h"

namespace claret {

class JsonWriter {
 public:
  JsonWriter& open(char bracket) {
    separate();
    json_.push_back(bracket);
    first_ = true;
    return *this;
  }
  JsonWriter& close(char bracket) {
    json_.push_back(bracket);
    first_ = false;
    return *this;
  }
  // REQUIRES: no character of the name needs escaping.
  JsonWriter& name(std::string_view name) {
    CLARET_CHECK(name.find_first_of("\"\\") == std::string_view::npos);
    separate();
    json_.push_back('"');
    json_.append(name);
    json_.append("\":");
    first_ = true;
    return *this;
  }
  JsonWriter& text(std::string_view text) {
    separate();
    json_.push_back('"');
    std::size_t written = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (!needs_escape(text[i])) continue;
      json_.append(text, written, i - written);
      escape(text[i]);
      written = i + 1;
    }
    json_.append(text, written);
    json_.push_back('"');
    return *this;
  }
  JsonWriter& literal(std::string_view literal) {
    separate();
    json_.append(literal);
    return *this;
  }
  JsonWriter& count(std::uint64_t count) {
    separate();
    append(count);
    return *this;
  }
  JsonWriter& flag(bool flag) { return literal(flag ? "true" : "false"); }
  // To three decimals: milliseconds to the microsecond. REQUIRES: finite, and less than 2^53 / 1000.
  JsonWriter& number(double number) {
    separate();
    if (number < 0) json_.push_back('-');
    const auto thousandths = static_cast<std::uint64_t>(std::llround(std::abs(number) * 1000));
    append(thousandths / 1000);
    if (const std::uint64_t rest = thousandths % 1000; rest != 0) {
      const char decimals[] = {static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                               static_cast<char>('0' + rest % 10)};
      json_.push_back('.');
      json_.append(decimals, rest % 100 == 0 ? 1 : rest % 10 == 0 ? 2 : 3);
    }
    return *this;
  }
  void reserve(std::size_t bytes) { json_.reserve(bytes); }
  std::string take() { return std::move(json_); }

 private:
  void separate() {
    if (!first_) json_.push_back(',');
    first_ = false;
  }
  void append(std::uint64_t number) {
    char digits[20];
    json_.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }
  static bool needs_escape(char c) { return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20; }
  void escape(char c) {
    static constexpr std::string_view kHex = "0123456789abcdef";
    if (c == '"' || c == '\\') {
      json_.push_back('\\');
      json_.push_back(c);
    } else {
      json_.append("\\u00");
      json_.push_back(kHex[static_cast<unsigned char>(c) >> 4]);
      json_.push_back(kHex[c & 15]);
    }
  }

  std::string json_;
  bool first_ = true;
};

}  // namespace claret
