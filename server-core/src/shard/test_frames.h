// For tests: parts of frames that are written and read alike everywhere.
#pragma once

#include <optional>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <vector>

#include "shard/test_world.h"
#include "wire/value_codec.h"

namespace claret::testing {

inline void add_operation(protozero::pbf_writer& parent, protozero::pbf_tag_type tag, const Op& op) {
  protozero::pbf_writer operation(parent, tag);
  operation.add_string(1, op.key);
  operation.add_string(4, op.name);
  for (const Value& argument : op.arguments) add_value(operation, 3, argument);
  if (op.intent) operation.add_bool(6, true);
  if (op.warrant != 0) operation.add_uint32(7, op.warrant);
  if (!op.expect.empty()) operation.add_bytes(8, op.expect);
  if (op.at != 0) operation.add_fixed64(9, op.at);
  if (op.snapshot != 0) operation.add_uint32(10, op.snapshot);
  if (op.guess) add_value(operation, 11, *op.guess);
}

// A client has the same number at every shard, and so the same attempt ids.
inline std::string attempt_id(std::uint32_t identity, std::uint64_t attempt) {
  std::string id(16, '\0');
  for (int i = 0; i < 8; ++i) id[15 - i] = static_cast<char>(attempt >> 8 * i);
  for (int i = 0; i < 4; ++i) id[7 - i] = static_cast<char>(identity >> 8 * i);
  return id;
}

// A step of an attempt: one request.
struct Step {
  std::uint64_t attempt = 1;
  std::optional<std::uint64_t> begin_with_priority;
  std::string label = "test";
  std::uint32_t sent_before = 0;
  std::vector<Op> operations;
  std::optional<std::vector<std::uint32_t>> prepare;
  std::vector<std::string> exclusive;
  bool whole = false;
  bool observes_only = false;
  Timestamp not_after = 0;  // with `prepare`
  Timestamp not_before = 0;  // likewise
  std::uint64_t not_after_us = 0;  // likewise
  Timestamp snapshot = 0;  // likewise
  std::uint32_t age_us = 0;
  std::uint32_t thrown_away_us = 0, backing_off_us = 0, queued_us = 0;
  std::uint32_t expires_in_ms = 0;
  std::uint32_t breaks = 0;
  std::uint32_t epoch_manager_plus_one = 0;
  std::string transaction;  // the transaction id: 16 bytes
  std::string answer;  // with `prepare`
  std::uint32_t keep_ms = 0;
};

inline void add_request(protozero::pbf_writer& parent, protozero::pbf_tag_type tag, std::uint32_t identity, const Step& step) {
  protozero::pbf_writer request(parent, tag);
  request.add_uint64(1, step.attempt);
  if (step.begin_with_priority) {
    protozero::pbf_writer begin(request, 2);
    begin.add_bytes(1, attempt_id(identity, step.attempt));
    begin.add_string(2, step.label);
    begin.add_uint64(3, *step.begin_with_priority);
    for (const std::string& key : step.exclusive) begin.add_string(7, key);
    if (step.age_us != 0) begin.add_uint32(8, step.age_us);
    if (step.thrown_away_us != 0) begin.add_uint32(10, step.thrown_away_us);
    if (step.backing_off_us != 0) begin.add_uint32(11, step.backing_off_us);
    if (step.queued_us != 0) begin.add_uint32(12, step.queued_us);
    if (step.expires_in_ms != 0) begin.add_uint32(6, step.expires_in_ms);
    if (step.breaks != 0) begin.add_uint32(13, step.breaks);
    if (step.epoch_manager_plus_one != 0) begin.add_uint32(14, step.epoch_manager_plus_one);
    if (!step.transaction.empty()) begin.add_bytes(9, step.transaction);
  }
  request.add_uint32(3, step.sent_before);
  for (const Op& op : step.operations) add_operation(request, 4, op);
  if (step.prepare) {
    std::string bytes;
    protozero::pbf_writer prepare(bytes);
    if (!step.prepare->empty()) prepare.add_packed_uint32(1, step.prepare->begin(), step.prepare->end());
    if (step.not_after != 0) prepare.add_fixed64(2, step.not_after);
    if (step.observes_only) prepare.add_bool(3, true);
    if (!step.answer.empty()) prepare.add_bytes(4, step.answer);
    if (step.keep_ms != 0) prepare.add_uint32(5, step.keep_ms);
    if (step.not_before != 0) prepare.add_fixed64(6, step.not_before);
    if (step.not_after_us != 0) prepare.add_uint64(7, step.not_after_us);
    if (step.snapshot != 0) prepare.add_fixed64(9, step.snapshot);
    request.add_bytes(5, bytes);
  }
  if (step.whole) request.add_bool(7, true);
}

inline std::string error_code(protozero::pbf_reader message, Reply* reply) {
  std::string code;
  while (message.next()) {
    if (message.tag() == 1) {
      code = message.get_string();
    } else if (message.tag() == 2 && reply != nullptr) {
      reply->message = message.get_string();
    } else if (message.tag() == 5 && reply != nullptr) {
      reply->blocking_operation = message.get_string();
    } else if (message.tag() == 6 && reply != nullptr) {
      reply->blocking_label = message.get_string();
    } else if (message.tag() == 7 && reply != nullptr) {
      reply->retryable = message.get_bool();
    } else if (message.tag() == 8 && reply != nullptr) {
      reply->cause = message.get_string();
    } else if (message.tag() == 9 && reply != nullptr) {
      reply->retry_after_ms = message.get_uint32();
    } else if (message.tag() == 10 && reply != nullptr) {
      reply->error_at = message.get_fixed64();
    } else {
      message.skip();
    }
  }
  return code;
}

}  // namespace claret::testing
