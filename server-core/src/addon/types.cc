// The part of the class `Shard` of core.d.ts about installed data types.
#include <cstdint>
#include <string>
#include <utility>

#include "adt/registry.h"
#include "convert.h"
#include "gate/record_operations.h"
#include "shard_object.h"
#include "values.h"

namespace claret {

Napi::Value ShardObject::ChangeType(const Napi::CallbackInfo& info) {
  const auto given = info[0].As<Napi::Object>();
  composed::InstalledType wanted{static_cast<std::uint8_t>(given.Get("id").ToNumber().Uint32Value()), given.Get("retired").ToBoolean(),
                                 given.Get("definition").ToString().Utf8Value()};
  const auto problem = shard_->change_type(std::move(wanted), now_of(info, 1));
  return problem ? Napi::Value(Napi::String::New(info.Env(), *problem)) : info.Env().Undefined();
}

Napi::Value ShardObject::InstalledTypes(const Napi::CallbackInfo& info) {
  Napi::Array types = Napi::Array::New(info.Env());
  for (const composed::InstalledType& type : shard_->types().installed()) {
    Napi::Object one = Napi::Object::New(info.Env());
    one.Set("id", Napi::Number::New(info.Env(), type.id));
    one.Set("retired", Napi::Boolean::New(info.Env(), type.retired));
    one.Set("definition", type.definition);
    types.Set(types.Length(), one);
  }
  Napi::Object out = Napi::Object::New(info.Env());
  out.Set("types", types);
  out.Set("done", Napi::Boolean::New(info.Env(), shard_->types_changed()));
  return out;
}

Napi::Value ShardObject::GetCatalogue(const Napi::CallbackInfo& info) {
  const std::vector<const DataType*> installed = shard_->types().in_use();
  return Napi::String::New(info.Env(), catalogue_json(&record_operations(), installed));
}

}  // namespace claret
