// Parses the requests of a client (RESP arrays of bulk strings, and inline commands) from chunks cut anywhere.
//
// The same bytes give the same commands and the same error, however they are cut. A command that lies in one chunk is not copied. A command
// that comes in pieces is kept as far as it has come; nothing is allocated for bytes that are only announced. Each byte is looked at once, and
// copied at most twice on average.
//
// Protocol errors are worded as by Redis 7.0. After one, the connection has to be closed: nothing more is parsed. Bytes that Redis does not
// check are not checked here either: the one behind a carriage return, and the two behind a bulk string.
//
// A command that is larger than the limits is passed over, and what is behind it is parsed, unless it is larger than what may be passed over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "resp/arguments.h"

namespace claret::resp {

struct RequestLimits {
  std::size_t command_bytes = 1 << 20;  // of one command with its lengths; below 4 GiB
  std::size_t arguments = 4096;
  std::size_t line_bytes = 64 << 10;  // of an inline command, or of a length
  std::size_t passed_bytes = 64 << 20;  // of a command that is passed over
  std::size_t passed_arguments = 1 << 20;
};

class RequestParser {
 public:
  enum class Step { kCommand, kMore, kTooLarge, kError };

  explicit RequestParser(RequestLimits limits = {}) : limits_(limits) {}

  // Of a client that has not authenticated, only 10 arguments of at most 16 KiB are accepted.
  void set_authenticated(bool authenticated) { authenticated_ = authenticated; }

  // The chunk has to stay where it is until next() answers kMore or kError, or keep() is called.
  // REQUIRES: the same has happened to the chunk before.
  void feed(std::string_view chunk);

  // The next command; empty ones are skipped.
  Step next();

  // Of the command that next() found. Valid until the next call of next(), keep() or feed().
  Arguments arguments() const { return arguments_; }
  // Once next() has answered kTooLarge or kError; the latter's begins with "ERR Protocol error: ".
  std::string_view error() const { return error_.empty() ? too_large_ : error_; }
  // Goes on behind a command that was too large: until then, next() answers the same. False after kError.
  bool pass();

  // Copies what has not been parsed of the chunk. Ends the command that next() found.
  void keep();

  // The bytes of the input behind the commands found so far.
  std::size_t unparsed() const { return window().size() - begin_ - cursor_of_found() + rest_of_chunk().size(); }
  // The bytes of memory that the parser holds.
  std::size_t held() const {
    return kept_.capacity() + unquoted_.capacity() + pieces_.capacity() * sizeof(Piece) + arguments_.capacity() * sizeof(std::string_view);
  }

 private:
  struct Piece {
    std::uint32_t begin;  // from the command's first byte
    std::uint32_t bytes;
  };
  enum class Parsed { kCommand, kEmpty, kMore, kError };

  std::string_view window() const { return kept_.empty() ? chunk_ : std::string_view(kept_); }
  std::string_view rest_of_chunk() const { return kept_.empty() ? std::string_view() : chunk_.substr(kept_.size() - before_chunk_); }
  std::size_t cursor_of_found() const { return found_ ? cursor_ : 0; }
  void end_command();
  void drop_kept();
  bool extend();

  Parsed parse(std::string_view bytes);
  Parsed parse_count(std::string_view bytes);
  Parsed parse_pieces(std::string_view bytes);
  Parsed parse_length(std::string_view bytes);
  Parsed parse_inline(std::string_view bytes);
  Parsed fail(std::string_view problem);
  // The command at hand is too large. Passes over what has come of it.
  Parsed begin_passing(std::string_view problem);
  Parsed pass_over();
  bool passes() const { return !too_large_.empty(); }
  // The place of the character that ends the line, from the cursor on; npos: it has not come.
  std::size_t find_end(std::string_view bytes, char end);

  RequestLimits limits_;
  bool authenticated_ = true;

  // The bytes parsed are kept_, or chunk_ while kept_ is empty. kept_ may end with copies of the chunk's first bytes.
  std::string kept_;
  std::string_view chunk_;
  std::size_t before_chunk_ = 0;  // bytes of kept_ that are not of chunk_
  std::size_t begin_ = 0;  // of the command at hand

  // ---- of the command at hand; places count from its first byte
  std::size_t cursor_ = 0;  // what is before it has been parsed
  std::size_t seen_ = 0;  // the end of the line is not before it
  std::size_t missing_ = 1;  // bytes without which no step can be made
  std::int64_t count_ = -1;  // announced arguments; -1: not known yet
  std::int64_t length_ = -1;  // of the argument at the cursor; -1: not known yet
  std::vector<Piece> pieces_;

  std::string too_large_;  // why the command at hand is passed over; empty: it is not
  std::size_t passed_ = 0;  // bytes that were passed over
  std::size_t to_pass_ = 0;  // of the argument at hand

  bool found_ = false;  // the command at hand is complete
  std::vector<std::string_view> arguments_;
  std::string unquoted_;  // what the arguments of an inline command are views of
  std::string error_;
};

}  // namespace claret::resp
