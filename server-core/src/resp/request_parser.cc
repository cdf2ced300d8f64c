#include "resp/request_parser.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "ground/check.h"
#include "resp/inline_words.h"
#include "resp/numbers.h"

namespace claret::resp {

namespace {

constexpr std::size_t kPieceBytes = 512;  // copied at a time of a chunk that completes a command
constexpr std::size_t kSpareBytes = 64 << 10;  // an empty buffer with more room is given back
constexpr std::int64_t kStrangersArguments = 10;
constexpr std::int64_t kStrangersBytes = 16384;

// A number of one to three digits without a leading zero, as nearly all are, in a whole line of that kind, which begins at `at`; then `at` is
// moved to the line's end. Nothing: it is another number, or none.
std::optional<std::int64_t> short_number(std::string_view bytes, char kind, std::size_t& at) {
  constexpr std::size_t kDigitsMax = 3;
  const std::string_view line = bytes.substr(at, kDigitsMax + 3);
  if (line.size() < 4 || line[0] != kind || line[1] < '1') return std::nullopt;
  std::int64_t number = 0;
  std::size_t end = 1;
  while (end < line.size() && '0' <= line[end] && line[end] <= '9') number = 10 * number + (line[end++] - '0');
  if (end == 1 || end + 1 >= line.size() || line[end] != '\r') return std::nullopt;
  at += end;
  return number;
}

}  // namespace

void RequestParser::feed(std::string_view chunk) {
  end_command();
  CLARET_CHECK(chunk_.empty());
  if (kept_.empty()) begin_ = 0;
  before_chunk_ = kept_.size();
  chunk_ = chunk;
}

void RequestParser::end_command() {
  if (!found_) return;
  begin_ += cursor_;
  cursor_ = seen_ = 0;
  count_ = length_ = -1;
  pieces_.clear();
  arguments_.clear();
  found_ = false;
}

// Goes on in the chunk itself once the commands that began before it are done.
void RequestParser::drop_kept() {
  if (kept_.empty() || begin_ < before_chunk_) return;
  begin_ -= before_chunk_;
  before_chunk_ = 0;
  kept_.clear();
  if (kept_.capacity() > kSpareBytes) std::string().swap(kept_);
}

// Copies some more of the chunk behind the bytes kept. False if there is none.
bool RequestParser::extend() {
  const std::string_view rest = rest_of_chunk();
  if (rest.empty()) return false;
  kept_.append(rest.substr(0, std::max(missing_, kPieceBytes)));
  return true;
}

RequestParser::Step RequestParser::next() {
  if (!error_.empty()) return Step::kError;
  end_command();
  for (;;) {
    drop_kept();
    switch (parse(window().substr(begin_))) {
      case Parsed::kCommand:
        found_ = true;
        return Step::kCommand;
      case Parsed::kEmpty:
        found_ = true;
        end_command();
        break;
      case Parsed::kError:
        return Step::kError;
      case Parsed::kMore:
        if (extend()) break;
        keep();
        return Step::kMore;
    }
  }
}

void RequestParser::keep() {
  end_command();
  drop_kept();
  if (kept_.empty()) {
    kept_.assign(chunk_.substr(begin_));
    begin_ = 0;
  } else {
    kept_.append(rest_of_chunk());
    if (begin_ > kept_.size() / 2) kept_.erase(0, std::exchange(begin_, 0));
  }
  before_chunk_ = kept_.size();
  chunk_ = {};
}

RequestParser::Parsed RequestParser::fail(std::string_view problem) {
  error_.assign("ERR Protocol error: ").append(problem);
  return Parsed::kError;
}

RequestParser::Parsed RequestParser::parse(std::string_view bytes) {
  missing_ = 1;
  if (bytes.empty()) return Parsed::kMore;
  if (bytes[0] != '*') return parse_inline(bytes);
  if (count_ < 0) {
    const Parsed parsed = parse_count(bytes);
    if (parsed != Parsed::kCommand) return parsed;
  }
  return parse_pieces(bytes);
}

std::size_t RequestParser::find_end(std::string_view bytes, char end) {
  const std::size_t found = bytes.find(end, std::max(seen_, cursor_));
  seen_ = std::min(found, bytes.size());
  return found;
}

// kCommand: the number of arguments is known now.
RequestParser::Parsed RequestParser::parse_count(std::string_view bytes) {
  std::size_t end = 0;
  std::optional<std::int64_t> count = short_number(bytes, '*', end);
  if (!count) {
    end = find_end(bytes, '\r');
    if (seen_ > limits_.line_bytes) return fail("too big mbulk count string");
    if (end == std::string_view::npos || end + 1 == bytes.size()) return Parsed::kMore;
    count = parse_integer(bytes.substr(1, end - 1));
  }
  if (!count || *count > std::numeric_limits<std::int32_t>::max()) return fail("invalid multibulk length");
  if (*count > kStrangersArguments && !authenticated_) return fail("unauthenticated multibulk length");
  if (*count > static_cast<std::int64_t>(limits_.arguments)) {
    return fail("more than " + std::to_string(limits_.arguments) + " arguments");
  }
  cursor_ = end + 2;
  if (*count <= 0) return Parsed::kEmpty;
  count_ = *count;
  return Parsed::kCommand;
}

RequestParser::Parsed RequestParser::parse_pieces(std::string_view bytes) {
  while (pieces_.size() < static_cast<std::size_t>(count_)) {
    if (length_ < 0) {
      const Parsed parsed = parse_length(bytes);
      if (parsed != Parsed::kCommand) return parsed;
    }
    const std::size_t end = cursor_ + static_cast<std::size_t>(length_) + 2;
    if (end > bytes.size()) {
      missing_ = end - bytes.size();
      return Parsed::kMore;
    }
    pieces_.push_back({static_cast<std::uint32_t>(cursor_), static_cast<std::uint32_t>(length_)});
    cursor_ = end;
    length_ = -1;
  }
  for (const auto& [begin, size] : pieces_) arguments_.push_back(bytes.substr(begin, size));
  return Parsed::kCommand;
}

// kCommand: the length of the next argument is known now.
RequestParser::Parsed RequestParser::parse_length(std::string_view bytes) {
  std::size_t end = cursor_;
  std::optional<std::int64_t> length = short_number(bytes, '$', end);
  if (!length) {
    end = find_end(bytes, '\r');
    if (seen_ > cursor_ + limits_.line_bytes) return fail("too big bulk count string");
    if (end == std::string_view::npos || end + 1 >= bytes.size()) return Parsed::kMore;
    if (bytes[cursor_] != '$') {
      const char got = bytes[cursor_];
      return fail(std::string("expected '$', got '") + (got == '\r' || got == '\n' ? ' ' : got) + "'");
    }
    length = parse_integer(bytes.substr(cursor_ + 1, end - cursor_ - 1));
  }
  if (!length || *length < 0 || *length > static_cast<std::int64_t>(limits_.command_bytes)) return fail("invalid bulk length");
  if (*length > kStrangersBytes && !authenticated_) return fail("unauthenticated bulk length");
  if (end + 2 + static_cast<std::size_t>(*length) + 2 > limits_.command_bytes) {
    return fail("command of more than " + std::to_string(limits_.command_bytes) + " bytes");
  }
  cursor_ = end + 2;
  length_ = *length;
  return Parsed::kCommand;
}

RequestParser::Parsed RequestParser::parse_inline(std::string_view bytes) {
  const std::size_t end = find_end(bytes, '\n');
  if (seen_ > limits_.line_bytes) return fail("too big inline request");
  if (end == std::string_view::npos) return Parsed::kMore;
  std::string_view line = bytes.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!split_words(line, unquoted_, arguments_)) return fail("unbalanced quotes in request");
  if (arguments_.size() > limits_.arguments) return fail("more than " + std::to_string(limits_.arguments) + " arguments");
  cursor_ = end + 1;
  return arguments_.empty() ? Parsed::kEmpty : Parsed::kCommand;
}

}  // namespace claret::resp
