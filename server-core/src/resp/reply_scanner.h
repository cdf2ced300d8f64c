// Finds the ends of the replies in a stream of bytes, in version 2 or 3 of the protocol, without looking into them.
//
// The bytes come from another server of the cluster. What is no reply makes the stream useless: no later end can be found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace claret::resp {

class ReplyScanner {
 public:
  enum class Step : std::uint8_t { kReply, kMore, kBroken };

  void feed(std::string_view bytes) {
    bytes_.erase(0, begin_);
    taken_ -= begin_;
    begin_ = 0;
    bytes_.append(bytes);
  }
  // After kReply, reply() is the next whole reply. It is valid until the next call.
  Step next();
  std::string_view reply() const { return std::string_view(bytes_).substr(begin_, taken_ - begin_); }

 private:
  // Takes the header of one value, and what belongs to it besides other values.
  Step take_value();

  std::string bytes_;
  std::size_t begin_ = 0;  // of the reply at hand, or of the one that was returned
  std::size_t taken_ = 0;  // behind what is known of it
  std::uint64_t values_left_ = 0;  // until it ends; 0: no reply has begun
};

}  // namespace claret::resp
