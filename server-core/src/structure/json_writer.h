// Writes JSON in the order it is told to; commas come by themselves. Texts are valid UTF-8. Thread safety: none needed.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

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
  JsonWriter& name(std::string_view name) {
    text(name);
    json_.push_back(':');
    first_ = true;
    return *this;
  }
  JsonWriter& text(std::string_view text) {
    separate();
    json_.push_back('"');
    for (const char c : text) escape(c);
    json_.push_back('"');
    return *this;
  }
  JsonWriter& literal(std::string_view literal) {
    separate();
    json_.append(literal);
    return *this;
  }
  JsonWriter& count(std::uint64_t count) { return digits(count); }
  JsonWriter& flag(bool flag) { return literal(flag ? "true" : "false"); }
  // To three decimals: milliseconds to the microsecond.
  JsonWriter& number(double number) {
    return digits(std::round(number * 1000) / 1000);
  }
  std::string take() { return std::move(json_); }

 private:
  void separate() {
    if (!first_) json_.push_back(',');
    first_ = false;
  }
  JsonWriter& digits(auto number) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, number).ptr;
    return literal({text, static_cast<std::size_t>(end - text)});
  }
  void escape(char c) {
    static constexpr std::string_view kHex = "0123456789abcdef";
    if (c == '"' || c == '\\') {
      json_.push_back('\\');
      json_.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      json_.append("\\u00");
      json_.push_back(kHex[static_cast<unsigned char>(c) >> 4]);
      json_.push_back(kHex[c & 15]);
    } else {
      json_.push_back(c);
    }
  }

  std::string json_;
  bool first_ = true;
};

}  // namespace claret
