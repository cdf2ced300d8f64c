#include "resp/reply_scanner.h"

#include <optional>

#include "resp/numbers.h"

namespace claret::resp {

ReplyScanner::Step ReplyScanner::next() {
  if (values_left_ == 0) {
    begin_ = taken_;
    values_left_ = 1;
  }
  while (values_left_ > 0) {
    if (const Step step = take_value(); step != Step::kReply) return step;
  }
  return Step::kReply;
}

ReplyScanner::Step ReplyScanner::take_value() {
  const std::size_t end = bytes_.find("\r\n", taken_);
  if (end == std::string::npos) return Step::kMore;
  if (end == taken_) return Step::kBroken;
  const char kind = bytes_[taken_];
  const std::string_view rest = std::string_view(bytes_).substr(taken_ + 1, end - taken_ - 1);
  std::size_t after = end + 2;
  std::uint64_t values = 0;
  switch (kind) {
    case '+':
    case '-':
    case ':':
    case ',':
    case '#':
    case '(':
    case '_':
      break;
    case '$':
    case '=':
    case '!': {
      const std::optional<std::int64_t> length = parse_integer(rest);
      if (!length || *length < -1) return Step::kBroken;
      if (*length >= 0) after += static_cast<std::size_t>(*length) + 2;
      break;
    }
    case '*':
    case '~':
    case '>':
    case '%': {
      const std::optional<std::int64_t> count = parse_integer(rest);
      if (!count || *count < -1) return Step::kBroken;
      if (*count > 0) values = static_cast<std::uint64_t>(*count) * (kind == '%' ? 2 : 1);
      break;
    }
    default:
      return Step::kBroken;
  }
  if (after > bytes_.size()) return Step::kMore;
  taken_ = after;
  values_left_ += values - 1;
  return Step::kReply;
}

}  // namespace claret::resp
