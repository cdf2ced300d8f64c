// Values on the wire (message Value of client/proto/claret.proto):
//
//   Value  := integer(1: sint64) | number(2: double) | text(3: bytes) | boolean(4: varint) | list(5: ValueList) | nothing
//   ValueList := items(1: Value)*
//
// Bytes that are not protobuf throw protozero's exceptions, which end the session. A well-formed value that is not allowed (bad UTF-8, too
// deep, not finite) is reported by its code, and ends only its attempt.
#pragma once

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <string_view>

#include "adt/value.h"

namespace claret {

// Sets `problem` (an errors:: code) if the value is not allowed.
Value read_value(protozero::pbf_reader message, std::string_view& problem, int depth = 0);

// Appends the fields of one Value message.
void write_value(protozero::pbf_writer& message, const Value& value);

// Appends `value` as the submessage `tag` of `parent`.
void add_value(protozero::pbf_writer& parent, protozero::pbf_tag_type tag, const Value& value);

}  // namespace claret
