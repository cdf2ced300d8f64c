// The answers to the natives of one session that its client may not have received: of all that change a record, executed or failed, and
// those of observations that are short. Observations without an answer are run again.
//
// The answers are kept as the bytes that were sent, in order of execution. They are bounded: past the bound all of them are dropped. Then it is
// not known which natives the session has executed, until its client has all of the answers that were dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace claret {

inline constexpr std::size_t kNativeAnswersBytesMax = 1024 * 1024;

class NativeAnswers {
 public:
  // The answer to natives up to number `last`, which depends on the log up to `position`. `bytes`: fields of a ServerFrame.
  void keep(std::uint64_t last, std::uint64_t position, std::string_view bytes);
  // The client has the answers to all natives below this number.
  void forget_below(std::uint64_t number);

  std::uint64_t below() const { return below_; }
  // The position in the log on which the answers depend.
  std::uint64_t position() const { return position_; }
  std::string_view bytes() const { return std::string_view(bytes_).substr(begin_); }
  // False while the client may lack answers that had to be dropped.
  bool complete() const { return dropped_ < below_ || dropped_ == 0; }

  // For a checkpoint: appends everything, and takes it back into an empty object. False if the bytes are invalid.
  void encode(std::string& out) const;
  bool decode(std::string_view bytes);

 private:
  struct Piece {
    std::uint64_t last;
    std::size_t bytes;
  };
  void drop_all();

  std::deque<Piece> pieces_;
  std::string bytes_;
  std::size_t begin_ = 0;  // of the first piece, in `bytes_`
  std::uint64_t below_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t dropped_ = 0;  // the greatest number of a native whose answer was dropped
};

}  // namespace claret
