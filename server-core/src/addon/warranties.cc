// ShardObject, continued: the warranties of one record.
#include <cmath>
#include <string>

#include "convert.h"
#include "shard_object.h"
#include "values.h"

namespace claret {

namespace {

Napi::Value finite_or_null(Napi::Env env, double ms) { return std::isfinite(ms) ? Napi::Value(Napi::Number::New(env, ms)) : env.Null(); }

Napi::Object to_js(Napi::Env env, const ListedHolder& holder) {
  Napi::Object out = Napi::Object::New(env);
  out.Set("session", text(env, shown_session(holder.session)));
  out.Set("grants", Napi::Number::New(env, static_cast<double>(holder.grants)));
  out.Set("lost", Napi::Boolean::New(env, holder.lost));
  out.Set("silentMs", holder.lost ? env.Null() : Napi::Value(Napi::Number::New(env, holder.silent_ms)));
  out.Set("lapsesInMs", finite_or_null(env, holder.lapses_in_ms));
  return out;
}

Napi::Object to_js(Napi::Env env, const ListedWarranty& listed) {
  const Warranty& warranty = *listed.warranty;
  Napi::Object out = Napi::Object::New(env);
  out.Set("operation", operation_name(*warranty.record->type, warranty.call));
  Napi::Array arguments = Napi::Array::New(env);
  for (const Value& argument : warranty.call.arguments) arguments.Set(arguments.Length(), value_to_js(env, argument));
  out.Set("arguments", arguments);
  out.Set("ageMs", Napi::Number::New(env, listed.age_ms));
  out.Set("recalledAgoMs", warranty.recalled ? Napi::Value(Napi::Number::New(env, listed.recalled_ago_ms)) : env.Null());
  out.Set("endsInMs", finite_or_null(env, listed.ends_in_ms));
  out.Set("granted", Napi::Number::New(env, static_cast<double>(listed.granted)));
  out.Set("uses", Napi::Number::New(env, static_cast<double>(listed.uses)));
  Napi::Array holders = Napi::Array::New(env, listed.holders.size());
  for (std::size_t i = 0; i < listed.holders.size(); ++i) holders.Set(static_cast<std::uint32_t>(i), to_js(env, listed.holders[i]));
  out.Set("holders", holders);
  return out;
}

}  // namespace

Napi::Value ShardObject::ListWarranties(const Napi::CallbackInfo& info) {
  const std::string key = info[0].As<Napi::String>().Utf8Value();
  Napi::Array out = Napi::Array::New(info.Env());
  for (const ListedWarranty& listed : shard_->list_warranties(key, now_of(info, 1))) out.Set(out.Length(), to_js(info.Env(), listed));
  return out;
}

void ShardObject::RecallWarranties(const Napi::CallbackInfo& info) {
  shard_->recall_warranties(info[0].As<Napi::String>().Utf8Value(), now_of(info, 1));
}

}  // namespace claret
