// For tests: parts of frames that are written and read alike everywhere.
#pragma once

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <string>

#include "shard/test_world.h"
#include "wire/value_codec.h"

namespace claret::testing {

inline void add_operation(protozero::pbf_writer& parent, protozero::pbf_tag_type tag, const Op& op) {
  protozero::pbf_writer operation(parent, tag);
  operation.add_string(1, op.key);
  operation.add_string(4, op.name);
  for (const Value& argument : op.arguments) add_value(operation, 3, argument);
  if (op.share != 0) operation.add_uint32(5, op.share);
  if (op.intent) operation.add_bool(6, true);
}

inline std::string error_code(protozero::pbf_reader message, Reply* reply) {
  std::string code;
  while (message.next()) {
    if (message.tag() == 1) {
      code = message.get_string();
    } else if (message.tag() == 6 && reply != nullptr) {
      reply->blocking_label = message.get_string();
    } else if (message.tag() == 7 && reply != nullptr) {
      reply->retryable = message.get_bool();
    } else {
      message.skip();
    }
  }
  return code;
}

}  // namespace claret::testing
