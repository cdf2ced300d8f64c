// Conversions between JavaScript values and those of the core, for all of the addon's sources.
#pragma once

#include <napi.h>

#include <cstdint>
#include <string_view>

#include "shard/shard.h"

namespace claret {

// The two arguments from `first` on: wallMs and monotonicMs.
inline Now now_of(const Napi::CallbackInfo& info, std::size_t first) {
  return {info[first].As<Napi::Number>().DoubleValue(), info[first + 1].As<Napi::Number>().DoubleValue()};
}

inline std::uint32_t peer_of(const Napi::Value& value) { return value.As<Napi::Number>().Uint32Value(); }

inline Napi::String text(Napi::Env env, std::string_view view) { return Napi::String::New(env, view.data(), view.size()); }

template <typename Numbers>
Napi::Array to_array(Napi::Env env, const Numbers& numbers) {
  Napi::Array array = Napi::Array::New(env, numbers.size());
  std::uint32_t index = 0;
  for (const auto value : numbers) array.Set(index++, Napi::Number::New(env, value));
  return array;
}

inline std::string_view bytes_of(const Napi::Value& value) {
  const auto bytes = value.As<Napi::Uint8Array>();
  return {reinterpret_cast<const char*>(bytes.Data()), bytes.ByteLength()};
}

}  // namespace claret
