#include "values.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "convert.h"

namespace claret {

namespace {

constexpr std::int64_t kSafeIntegerMax = (std::int64_t{1} << 53) - 1;

}  // namespace

Napi::Value value_to_js(Napi::Env env, const Value& value) {
  if (value.is_boolean()) return Napi::Boolean::New(env, value.boolean());
  if (value.is_number()) return Napi::Number::New(env, value.number());
  if (value.is_text()) return text(env, value.text());
  if (value.is_integer()) {
    const std::int64_t integer = value.integer();
    if (std::abs(integer) > kSafeIntegerMax) return Napi::BigInt::New(env, integer);
    return Napi::Number::New(env, static_cast<double>(integer));
  }
  if (!value.is_list()) return env.Null();
  Napi::Array items = Napi::Array::New(env, value.list().size());
  for (std::size_t i = 0; i < value.list().size(); ++i) items.Set(static_cast<std::uint32_t>(i), value_to_js(env, value.list()[i]));
  return items;
}

Value value_from_js(const Napi::Value& value) {
  if (value.IsBoolean()) return Value(value.As<Napi::Boolean>().Value());
  if (value.IsString()) return Value(value.As<Napi::String>().Utf8Value());
  if (value.IsBigInt()) {
    bool lossless = false;
    return Value(value.As<Napi::BigInt>().Int64Value(&lossless));
  }
  if (value.IsNumber()) {
    const double number = value.As<Napi::Number>().DoubleValue();
    return number == std::trunc(number) ? Value(static_cast<std::int64_t>(number)) : Value(number);
  }
  if (value.IsArray()) {
    const auto array = value.As<Napi::Array>();
    Value::List list;
    for (std::uint32_t i = 0; i < array.Length(); ++i) list.push_back(value_from_js(array.Get(i)));
    return Value(std::move(list));
  }
  if (!value.IsObject()) return {};
  const auto object = value.As<Napi::Object>();
  const Napi::Array names = object.GetPropertyNames();
  Value::List fields;
  for (std::uint32_t i = 0; i < names.Length(); ++i) {
    const Napi::Value name = names.Get(i);
    fields.push_back(Value(Value::List{value_from_js(name.ToString()), value_from_js(object.Get(name))}));
  }
  return Value(std::move(fields));
}

}  // namespace claret
