// The addon's entry points: what core.d.ts declares, and nothing else. There is one instance per JavaScript environment (the main thread
// and each worker have their own); the instances share no state.
#include <napi.h>

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "adt/registry.h"
#include "composed/composed_type.h"
#include "gate/record_operations.h"
#include "ground/check.h"
#include "ground/slots.h"
#include "mutate.h"
#include "resp_sockets_object.h"
#include "shard_object.h"

namespace claret {

namespace {

Napi::Value Catalogue(const Napi::CallbackInfo& info) { return Napi::String::New(info.Env(), catalogue_json(&record_operations())); }

// What a definition of a data type says, or what is wrong with it.
Napi::Value ReadDefinition(const Napi::CallbackInfo& info) {
  const std::string definition_text = info[0].ToString();
  composed::Parsed parsed = composed::parse_definition(definition_text);
  Napi::Object out = Napi::Object::New(info.Env());
  if (parsed.definition == nullptr) {
    out.Set("problem", parsed.problem);
    return out;
  }
  out.Set("name", parsed.definition->name);
  out.Set("version", Napi::Number::New(info.Env(), static_cast<double>(parsed.definition->version)));
  out.Set("meaning", parsed.definition->meaning);
  return out;
}

Napi::Value SlotOf(const Napi::CallbackInfo& info) {
  if (info.Length() < 1 || !info[0].IsString()) {
    Napi::TypeError::New(info.Env(), "slotOf takes a key").ThrowAsJavaScriptException();
    return info.Env().Undefined();
  }
  return Napi::Number::New(info.Env(), slot_of(info[0].As<Napi::String>().Utf8Value()));
}

// malloc keeps freed memory for later calls; on its own it never returns free memory between blocks in use to the system.
class MemoryRelease : public Napi::AsyncWorker {
 public:
  explicit MemoryRelease(Napi::Env env) : Napi::AsyncWorker(env), deferred_(Napi::Promise::Deferred::New(env)) {}
  Napi::Promise promise() const { return deferred_.Promise(); }

  void Execute() override {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
  }
  void OnOK() override { deferred_.Resolve(Env().Undefined()); }

 private:
  Napi::Promise::Deferred deferred_;
};

Napi::Value ReleaseMemory(const Napi::CallbackInfo& info) {
  auto* work = new MemoryRelease(info.Env());  // deletes itself
  work->Queue();
  return work->promise();
}

Napi::Object Init(Napi::Env env, Napi::Object exports) {
  checks_are_on = std::getenv("CLARET_CHECKS") != nullptr;  // set by tests and the simulation
  exports.Set("Shard", ShardObject::Define(env));
  exports.Set("readDefinition", Napi::Function::New(env, ReadDefinition, "readDefinition"));
  exports.Set("RespSockets", RespSocketsObject::Define(env));
  exports.Set("catalogue", Napi::Function::New(env, Catalogue, "catalogue"));
  exports.Set("releaseMemory", Napi::Function::New(env, ReleaseMemory, "releaseMemory"));
  exports.Set("slotOf", Napi::Function::New(env, SlotOf, "slotOf"));
  export_mutate(env, exports);
  return exports;
}

}  // namespace

NODE_API_MODULE(claret_core, Init)

}  // namespace claret
