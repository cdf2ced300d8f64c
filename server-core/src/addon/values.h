// Values of the core as JavaScript knows them: absent is null, an integer beyond 2^53 - 1 a BigInt.
#pragma once

#include <napi.h>

#include "adt/value.h"

namespace claret {

Napi::Value value_to_js(Napi::Env env, const Value& value);
// A whole number is an integer; an object is a list of [name, value]; what is nothing of the kind is absent.
Value value_from_js(const Napi::Value& value);

}  // namespace claret
