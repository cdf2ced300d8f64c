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
  if (found_ && passes()) return Step::kTooLarge;
  end_command();
  for (;;) {
    drop_kept();
    switch (passes() ? pass_over() : parse(window().substr(begin_))) {
      case Parsed::kCommand:
        found_ = true;
        return passes() ? Step::kTooLarge : Step::kCommand;
      case Parsed::kEmpty:
        found_ = true;
        end_command();
        break;
      case Parsed::kError:
        return Step::kError;
      case Parsed::kMore:
        if (!kept_.empty() && begin_ == kept_.size() && !rest_of_chunk().empty()) break;
        if (extend()) break;
        keep();
        return Step::kMore;
    }
  }
}

bool RequestParser::pass() {
  if (!error_.empty()) return false;
  too_large_.clear();
  return true;
}

void RequestParser::keep() {
  if (!passes()) end_command();
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

RequestParser::Parsed RequestParser::begin_passing(std::string_view problem) {
  too_large_.assign("ERR ").append(problem);
  count_ -= std::ssize(pieces_);
  pieces_.clear();
  passed_ = cursor_;
  begin_ += std::exchange(cursor_, 0);
  seen_ = 0;
  to_pass_ = 0;
  length_ = -1;
  return pass_over();
}

RequestParser::Parsed RequestParser::pass_over() {
  missing_ = 1;
  while (to_pass_ > 0 || count_ > 0) {
    const std::string_view bytes = window().substr(begin_);
    if (to_pass_ > 0) {
      const std::size_t come = std::min(to_pass_, bytes.size());
      begin_ += come;
      to_pass_ -= come;
      if (to_pass_ > 0) return Parsed::kMore;
      continue;
    }
    if (const Parsed parsed = parse_length(bytes); parsed != Parsed::kCommand) return parsed;
    --count_;
    to_pass_ = static_cast<std::size_t>(std::exchange(length_, -1)) + 2;
    passed_ += cursor_ + to_pass_;
    begin_ += std::exchange(cursor_, 0);
    seen_ = 0;
    if (passed_ > limits_.passed_bytes) return fail("command of more than " + std::to_string(limits_.passed_bytes) + " bytes");
  }
  return Parsed::kCommand;
}

RequestParser::Parsed RequestParser::parse(std::string_view bytes) {
  missing_ = 1;
  if (bytes.empty()) return Parsed::kMore;
  if (bytes[0] != '*') return parse_inline(bytes);
  if (count_ < 0) {
    const Parsed parsed = parse_count(bytes);
    if (parsed != Parsed::kCommand || passes()) return parsed;
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
  const std::string too_many = "more than " + std::to_string(limits_.arguments) + " arguments";
  if (*count > static_cast<std::int64_t>(limits_.passed_arguments)) return fail(too_many);
  cursor_ = end + 2;
  if (*count <= 0) return Parsed::kEmpty;
  count_ = *count;
  return *count > static_cast<std::int64_t>(limits_.arguments) ? begin_passing(too_many) : Parsed::kCommand;
}

RequestParser::Parsed RequestParser::parse_pieces(std::string_view bytes) {
  while (pieces_.size() < static_cast<std::size_t>(count_)) {
    if (length_ < 0) {
      const std::size_t line = cursor_;
      const Parsed parsed = parse_length(bytes);
      if (parsed != Parsed::kCommand) return parsed;
      if (cursor_ + static_cast<std::size_t>(length_) + 2 > limits_.command_bytes) {
        cursor_ = line;
        return begin_passing("command of more than " + std::to_string(limits_.command_bytes) + " bytes");
      }
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
  if (!length || *length < 0 || *length > static_cast<std::int64_t>(limits_.passed_bytes)) return fail("invalid bulk length");
  if (*length > kStrangersBytes && !authenticated_) return fail("unauthenticated bulk length");
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
  if (arguments_.size() > limits_.arguments) {
    arguments_.clear();
    too_large_ = "ERR more than " + std::to_string(limits_.arguments) + " arguments";
    begin_ += end + 1;
    cursor_ = seen_ = 0;
    return Parsed::kCommand;
  }
  cursor_ = end + 1;
  return arguments_.empty() ? Parsed::kEmpty : Parsed::kCommand;
}

}  // namespace claret::resp
