#include "structure/digest.h"

#include <bit>
#include <cstring>

namespace claret {

namespace {

static_assert(std::endian::native == std::endian::little);

std::uint64_t word_at(const void* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

class SipState {
 public:
  explicit SipState(const DigestKey& key) {
    const std::uint64_t k0 = word_at(key.data());
    const std::uint64_t k1 = word_at(key.data() + 8);
    a_ = k0 ^ 0x736f6d6570736575;
    b_ = k1 ^ 0x646f72616e646f6d ^ 0xee;
    c_ = k0 ^ 0x6c7967656e657261;
    d_ = k1 ^ 0x7465646279746573;
  }

  void take(std::uint64_t word) {
    d_ ^= word;
    rounds(2);
    a_ ^= word;
  }

  Digest finish() {
    Digest digest;
    c_ ^= 0xee;
    put(digest.data());
    b_ ^= 0xdd;
    put(digest.data() + 8);
    return digest;
  }

 private:
  void put(std::uint8_t* out) {
    rounds(4);
    const std::uint64_t word = a_ ^ b_ ^ c_ ^ d_;
    std::memcpy(out, &word, sizeof(word));
  }

  void rounds(int count) {
    for (; count > 0; --count) {
      a_ += b_;
      b_ = std::rotl(b_, 13) ^ a_;
      a_ = std::rotl(a_, 32);
      c_ += d_;
      d_ = std::rotl(d_, 16) ^ c_;
      a_ += d_;
      d_ = std::rotl(d_, 21) ^ a_;
      c_ += b_;
      b_ = std::rotl(b_, 17) ^ c_;
      c_ = std::rotl(c_, 32);
    }
  }

  std::uint64_t a_, b_, c_, d_;
};

}  // namespace

Digest digest_of(std::string_view text, const DigestKey& key) {
  SipState state(key);
  std::size_t at = 0;
  for (; at + 8 <= text.size(); at += 8) state.take(word_at(text.data() + at));
  std::uint64_t last = static_cast<std::uint64_t>(text.size()) << 56;
  for (std::size_t i = 0; at + i < text.size(); ++i) last |= static_cast<std::uint64_t>(static_cast<std::uint8_t>(text[at + i])) << (8 * i);
  state.take(last);
  return state.finish();
}

}  // namespace claret
