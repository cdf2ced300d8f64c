#include "transaction/native_answers.h"

#include <algorithm>

#include "wire/checkpoint.h"

namespace claret {

void NativeAnswers::keep(std::uint64_t last, std::uint64_t position, std::string_view bytes) {
  position_ = std::max(position_, position);
  if (bytes_.size() - begin_ + bytes.size() > kNativeAnswersBytesMax) {
    for (const Piece& piece : pieces_) dropped_ = std::max(dropped_, piece.last);
    dropped_ = std::max(dropped_, last);
    drop_all();
    return;
  }
  if (begin_ > bytes_.size() / 2) {
    bytes_.erase(0, begin_);
    begin_ = 0;
  }
  bytes_ += bytes;
  pieces_.push_back({last, bytes.size()});
}

// Natives that have waited are answered after later ones: these are then kept a little longer.
void NativeAnswers::forget_below(std::uint64_t number) {
  below_ = std::max(below_, number);
  while (!pieces_.empty() && pieces_.front().last < below_) {
    begin_ += pieces_.front().bytes;
    pieces_.pop_front();
  }
  if (pieces_.empty()) drop_all();
}

void NativeAnswers::drop_all() {
  pieces_.clear();
  bytes_.clear();
  begin_ = 0;
}

void NativeAnswers::encode(std::string& out) const {
  add_value(out, KeptSession{.position = position_, .below = below_, .dropped = dropped_});
  std::string_view rest = bytes();
  for (const Piece& piece : pieces_) {
    add_value(out, KeptNatives{piece.last, rest.substr(0, piece.bytes)});
    rest.remove_prefix(piece.bytes);
  }
}

bool NativeAnswers::decode(std::string_view bytes) {
  KeptSession session;
  if (!take_value(bytes, session)) return false;
  while (!bytes.empty()) {
    KeptNatives natives;
    if (!take_value(bytes, natives)) return false;
    keep(natives.last, session.position, natives.bytes);
  }
  below_ = session.below;
  position_ = session.position;
  dropped_ = session.dropped;
  return true;
}

}  // namespace claret
