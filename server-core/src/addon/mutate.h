// The switch of the core's mistakes (ground/mutation.h): exported by claret_mutants alone.
#pragma once

#include <napi.h>

namespace claret {

void export_mutate(Napi::Env env, Napi::Object exports);

}  // namespace claret
