// WideInteger: a 192-bit integer in two's complement, for sums of products that 128 bits cannot hold.
//
// Arithmetic is modulo 2^192: intermediate results may overflow as long as the end result fits. Not thread-safe.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "absl/numeric/int128.h"

namespace claret {

class WideInteger {
 public:
  using Limbs = std::array<std::uint64_t, 3>;  // least significant first

  WideInteger() = default;
  explicit WideInteger(const Limbs& limbs) : limbs_(limbs) {}
  explicit WideInteger(absl::int128 value)
      : limbs_{absl::Int128Low64(value), static_cast<std::uint64_t>(absl::Int128High64(value)), value < 0 ? ~std::uint64_t{0} : 0} {}

  const Limbs& limbs() const { return limbs_; }
  bool negative() const { return limbs_[2] >> 63 == 1; }

  WideInteger operator+(const WideInteger& other) const {
    WideInteger sum;
    absl::uint128 carry = 0;
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      carry += absl::uint128(limbs_[i]) + other.limbs_[i];
      sum.limbs_[i] = absl::Uint128Low64(carry);
      carry >>= 64;
    }
    return sum;
  }

  WideInteger operator-() const { return WideInteger(Limbs{~limbs_[0], ~limbs_[1], ~limbs_[2]}) + WideInteger(absl::int128(1)); }

  WideInteger operator-(const WideInteger& other) const { return *this + -other; }

  WideInteger operator*(const WideInteger& other) const {
    WideInteger product;
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      absl::uint128 carry = 0;
      for (std::size_t j = 0; i + j < limbs_.size(); ++j) {
        carry += absl::uint128(limbs_[i]) * other.limbs_[j] + product.limbs_[i + j];
        product.limbs_[i + j] = absl::Uint128Low64(carry);
        carry >>= 64;
      }
    }
    return product;
  }

  bool operator==(const WideInteger&) const = default;

  // The nearest double, within two units in the last place.
  double to_number() const {
    if (negative()) return -(-*this).magnitude();
    return magnitude();
  }

 private:
  double magnitude() const {
    return std::ldexp(static_cast<double>(limbs_[2]), 128) + std::ldexp(static_cast<double>(limbs_[1]), 64) +
           static_cast<double>(limbs_[0]);
  }

  Limbs limbs_{};
};

}  // namespace claret
