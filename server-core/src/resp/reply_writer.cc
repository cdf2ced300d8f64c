#include "resp/reply_writer.h"

#include <array>
#include <charconv>

#include "resp/numbers.h"

namespace claret::resp {

namespace {

constexpr std::string_view kLineEnd = "\r\n";

// A line of a kind and a number, without allocation.
class NumberLine {
 public:
  NumberLine(char kind, std::int64_t number) {
    bytes_[0] = kind;
    end_ = std::to_chars(bytes_.data() + 1, bytes_.data() + bytes_.size(), number).ptr;
    *end_++ = '\r';
    *end_++ = '\n';
  }
  std::string_view text() const { return {bytes_.data(), static_cast<std::size_t>(end_ - bytes_.data())}; }

 private:
  std::array<char, 24> bytes_;
  char* end_;
};

}  // namespace

void ReplyWriter::header(char kind, std::size_t elements) { append(NumberLine(kind, static_cast<std::int64_t>(elements)).text()); }

void ReplyWriter::error(std::string_view text) {
  if (muted_) return;
  while (text.ends_with('\r') || text.ends_with('\n')) text.remove_suffix(1);
  out_.push_back('-');
  for (const char character : text) out_.push_back(character == '\r' || character == '\n' ? ' ' : character);
  out_.append(kLineEnd);
}

void ReplyWriter::simple(std::string_view text) {
  append("+");
  append(text);
  append(kLineEnd);
}

void ReplyWriter::integer(std::int64_t number) { append(NumberLine(':', number).text()); }

void ReplyWriter::bulk(std::string_view bytes) {
  header('$', bytes.size());
  append(bytes);
  append(kLineEnd);
}

void ReplyWriter::bulk_integer(std::int64_t number) {
  const NumberLine line(' ', number);
  bulk(line.text().substr(1, line.text().size() - 1 - kLineEnd.size()));
}

void ReplyWriter::null() { append(protocol_ == 3 ? "_\r\n" : "$-1\r\n"); }

void ReplyWriter::null_array() { append(protocol_ == 3 ? "_\r\n" : "*-1\r\n"); }

void ReplyWriter::boolean(bool value) {
  if (protocol_ == 3) {
    append(value ? "#t\r\n" : "#f\r\n");
  } else {
    integer(value ? 1 : 0);
  }
}

void ReplyWriter::real(double number) {
  std::string text;
  append_double(text, number);
  if (protocol_ != 3) return bulk(text);
  append(",");
  append(text);
  append(kLineEnd);
}

void ReplyWriter::verbatim(std::string_view format, std::string_view text) {
  if (protocol_ != 3) return bulk(text);
  header('=', format.size() + 1 + text.size());
  append(format);
  append(":");
  append(text);
  append(kLineEnd);
}

void ReplyWriter::map(std::size_t pairs) {
  if (protocol_ == 3) {
    header('%', pairs);
  } else {
    header('*', 2 * pairs);
  }
}

}  // namespace claret::resp
