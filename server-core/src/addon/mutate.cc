#include "mutate.h"

#include "ground/mutation.h"

namespace claret {

#ifdef CLARET_MUTANTS

namespace {

// mutate(n): from now on every shard makes the n-th mistake of mutation.h; 0 means none.
Napi::Value Mutate(const Napi::CallbackInfo& info) {
  the_mutation = static_cast<Mutation>(info[0].As<Napi::Number>().Int32Value());
  return info.Env().Undefined();
}

}  // namespace

void export_mutate(Napi::Env env, Napi::Object exports) { exports.Set("mutate", Napi::Function::New(env, Mutate, "mutate")); }

#else

void export_mutate(Napi::Env, Napi::Object) {}

#endif

}  // namespace claret
