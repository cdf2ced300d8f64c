// Appends replies to a string, in version 2 or 3 of the protocol, byte by byte as Redis 7.0 does.
//
// An aggregate is a header and then its elements, each written by a call of its own. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace claret::resp {

class ReplyWriter {
 public:
  // REQUIRES: `out` outlives the writer.
  explicit ReplyWriter(std::string& out) : out_(out) {}

  int protocol() const { return protocol_; }
  void speak(int protocol) { protocol_ = protocol; }

  // Drops all that is written from now on, until unmuted.
  void mute(bool muted) { muted_ = muted; }
  bool muted() const { return muted_; }

  // The text begins with the error's code. Line ends are trimmed or become spaces.
  void error(std::string_view text);
  // REQUIRES: no line ends in the text.
  void simple(std::string_view text);
  void ok() { append("+OK\r\n"); }
  void integer(std::int64_t number);
  void bulk(std::string_view bytes);
  // A bulk string of a decimal number.
  void bulk_integer(std::int64_t number);
  void null();
  void null_array();
  void boolean(bool value);
  // 17 significant digits, as the scores of Redis 7.0.
  void real(double number);
  // A text for people, such as that of INFO. The format has three letters.
  void verbatim(std::string_view format, std::string_view text);

  void array(std::size_t elements) { header('*', elements); }
  // Followed by keys and values in turn.
  void map(std::size_t pairs);
  void unordered(std::size_t elements) { header(protocol_ == 3 ? '~' : '*', elements); }
  void push(std::size_t elements) { header(protocol_ == 3 ? '>' : '*', elements); }

  // Replies that are in the right version already.
  void raw(std::string_view replies) { append(replies); }

 private:
  void append(std::string_view bytes) {
    if (!muted_) out_.append(bytes);
  }
  void header(char kind, std::size_t elements);

  std::string& out_;
  int protocol_ = 2;
  bool muted_ = false;
};

}  // namespace claret::resp
