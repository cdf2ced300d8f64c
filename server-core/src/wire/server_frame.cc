#include "wire/server_frame.h"

#include <protozero/exception.hpp>
#include <protozero/pbf_writer.hpp>

#include "wire/value_codec.h"
#include "wire/warranty_fields.h"

namespace claret {

namespace {

using protozero::pbf_writer;

void add_error(pbf_writer& parent, protozero::pbf_tag_type tag, const Error& error) {
  pbf_writer message(parent, tag);
  message.add_string(1, error.code.data(), error.code.size());
  if (!error.message.empty()) message.add_string(2, error.message);
  if (!error.key.empty()) message.add_string(3, error.key);
  if (!error.operation.empty()) message.add_string(4, error.operation);
  if (!error.blocking_operation.empty()) message.add_string(5, error.blocking_operation);
  if (!error.blocking_label.empty()) message.add_string(6, error.blocking_label);
  if (error.retryable) message.add_bool(7, true);
  if (error.retry_after_ms != 0) message.add_uint32(9, error.retry_after_ms);
  if (!error.cause.empty()) message.add_string(8, error.cause.data(), error.cause.size());
  if (error.at != 0) message.add_fixed64(10, error.at);
}

void add_id(pbf_writer& message, protozero::pbf_tag_type tag, const AttemptId& id) {
  message.add_bytes(tag, reinterpret_cast<const char*>(id.data()), id.size());
}

}  // namespace

namespace server_frame {

void add_header(std::string& frame, std::uint64_t sequence, std::uint64_t acknowledged) {
  pbf_writer message(frame);
  message.add_uint64(1, sequence);
  if (acknowledged != 0) message.add_uint64(2, acknowledged);
}

void add_welcome(std::string& frame, const WelcomeMessage& welcome) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 3);
  message.add_uint32(1, limits::kProtocol);
  message.add_uint32(2, welcome.shard);
  message.add_uint64(3, welcome.incarnation);
  message.add_uint32(4, welcome.session_lease_ms);
  if (welcome.warranty_term_ms != 0) message.add_uint32(6, welcome.warranty_term_ms);
  message.add_fixed64(7, welcome.time);
  if (welcome.warranty_evidence != 0) message.add_uint32(8, welcome.warranty_evidence);
  message.add_uint64(9, welcome.serial);
  if (welcome.resumed == nullptr) return;
  // The answers are fields with the same numbers here as in a frame.
  std::string resumed;
  pbf_writer(resumed).add_bool(1, welcome.resumed->known);
  resumed += welcome.resumed->answers;
  message.add_bytes(5, resumed);
}

void add_reply(std::string& frame, const ReplyMessage& reply) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 4);
  message.add_uint64(1, reply.attempt);
  for (const Value* result : reply.results) add_value(message, 2, *result);
  if (reply.voted_at != 0) message.add_fixed64(3, reply.voted_at);
  if (reply.committed_at != 0) message.add_fixed64(4, reply.committed_at);
  if (reply.holds_until != 0) message.add_fixed64(10, reply.holds_until);
  if (reply.error != nullptr) add_error(message, 5, *reply.error);
  if (reply.denied != nullptr) add_error(message, 6, *reply.denied);
  if (reply.waited.locks != 0) {
    pbf_writer waited(message, 7);
    waited.add_uint32(1, reply.waited.microseconds);
    waited.add_uint32(2, reply.waited.locks);
    if (reply.waited.runs != 0) waited.add_uint32(3, reply.waited.runs);
  }
  for (const GrantedMessage& granted : reply.granted) add_granted(message, 11, granted);
}

void add_committed_before(std::string& frame, std::uint64_t attempt, Timestamp at, std::string_view answer) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 4);
  message.add_uint64(1, attempt);
  pbf_writer committed(message, 9);
  committed.add_fixed64(1, at);
  if (!answer.empty()) committed.add_bytes(2, answer.data(), answer.size());
}

void add_wound(std::string& frame, std::uint64_t attempt, const AttemptId& id, std::uint64_t priority) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 5);
  message.add_uint64(1, attempt);
  add_id(message, 2, id);
  message.add_uint64(3, priority);
}

void add_change(std::string& frame, std::uint64_t watch, Timestamp timestamp, const Value& value, const Error* error) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 6);
  message.add_uint64(1, watch);
  message.add_fixed64(2, timestamp);
  if (!value.absent()) add_value(message, 3, value);
  if (error != nullptr) add_error(message, 4, *error);
}

void add_answer(std::string& frame, std::uint64_t ticket, const AttemptId& id, AttemptState state, Timestamp timestamp, EpochNumber epoch) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 7);
  message.add_uint64(1, ticket);
  message.add_enum(2, static_cast<std::int32_t>(state));
  message.add_fixed64(3, timestamp);
  add_id(message, 4, id);
  if (epoch != 0) message.add_fixed64(5, epoch);
}

void add_conditions(std::string& frame, const Conditions& conditions) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 8);
  for_each_condition(conditions, [&message]<typename Value>(const ConditionField& field, const Value& value, const Value& usual) {
    if (!field.always && value == usual) return;
    if constexpr (Choice<Value>) {
      message.add_string(field.number, name_of(value).data(), name_of(value).size());
    } else {
      message.add_bool(field.number, value);
    }
  });
}

void add_closing(std::string& frame, const Error& error) {
  pbf_writer parent(frame);
  add_error(parent, 9, error);
}

void add_natives_done(std::string& frame, std::uint64_t first, std::uint64_t count, Timestamp at, std::span<const Value* const> results,
                      std::uint32_t waited_us) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 11);
  message.add_uint64(1, first);
  message.add_uint64(2, count);
  message.add_fixed64(3, at);
  for (const Value* result : results) add_value(message, 4, *result);
  if (waited_us != 0) message.add_uint32(5, waited_us);
}

void add_native_failed(std::string& frame, std::uint64_t number, const Error& error) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 12);
  message.add_uint64(1, number);
  add_error(message, 2, error);
}

void add_member(std::string& frame, const MemberReplyMessage& reply) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 14);
  message.add_uint64(1, reply.chain);
  message.add_uint64(2, reply.n);
  if (reply.withdrawals != 0) message.add_uint64(3, reply.withdrawals);
  for (const Value* result : reply.results) add_value(message, 4, *result);
  if (reply.error != nullptr) add_error(message, 5, *reply.error);
  if (reply.waited.locks != 0) {
    pbf_writer waited(message, 6);
    waited.add_uint32(1, reply.waited.microseconds);
    waited.add_uint32(2, reply.waited.locks);
  }
  if (reply.above) message.add_bool(7, true);
  if (reply.committed_at != 0) message.add_fixed64(8, reply.committed_at);
  if (reply.at != 0) message.add_fixed64(9, reply.at);
}

void add_members_committed(std::string& frame, std::uint64_t chain, std::span<const std::uint64_t> members, std::span<const Timestamp> at) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 16);
  message.add_uint64(1, chain);
  message.add_packed_uint64(2, members.begin(), members.end());
  message.add_packed_fixed64(3, at.begin(), at.end());
}

void add_chain_broken(std::string& frame, std::uint64_t chain, std::uint64_t decided, std::string_view reason, const Error& error) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 15);
  message.add_uint64(1, chain);
  if (decided != 0) message.add_uint64(2, decided);
  add_error(message, 3, error);
  message.add_string(4, reason.data(), reason.size());
}

void add_peek(std::string& frame, std::uint64_t ticket, Timestamp changed_at, Timestamp at, const Value& value) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 17);
  message.add_uint64(1, ticket);
  add_value(message, 3, value);
  message.add_fixed64(4, at);
  message.add_fixed64(6, changed_at);
}

void add_busy_peek(std::string& frame, std::uint64_t ticket) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 17);
  message.add_uint64(1, ticket);
  message.add_bool(2, true);
}

void add_failed_peek(std::string& frame, std::uint64_t ticket, const Error& error) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 17);
  message.add_uint64(1, ticket);
  add_error(message, 5, error);
}

void add_turn(std::string& frame, Timestamp number, bool recalled) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 20);
  message.add_fixed64(1, number);
  if (recalled) message.add_bool(2, true);
}

void add_board(std::string& frame, Timestamp at, bool anew, std::span<const std::string_view> gone, std::span<const ShownMessage> shown) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 19);
  message.add_fixed64(1, at);
  for (const std::string_view key : gone) message.add_string(2, key.data(), key.size());
  for (const ShownMessage& one : shown) {
    pbf_writer entry(message, 3);
    {
      pbf_writer operation(entry, 1);
      operation.add_string(1, one.key.data(), one.key.size());
      operation.add_uint32(2, one.code);
      for (const Value& argument : one.call->arguments) add_value(operation, 3, argument);
    }
    add_value(entry, 2, *one.result);
  }
  if (anew) message.add_bool(4, true);
}

bool decode(std::string_view bytes, FromShard& frame) {
  try {
    protozero::pbf_reader message(bytes.data(), bytes.size());
    while (message.next()) {
      switch (message.tag_and_type()) {
        case protozero::tag_and_type(1, protozero::pbf_wire_type::varint):
          frame.sequence = message.get_uint64();
          break;
        case protozero::tag_and_type(3, protozero::pbf_wire_type::length_delimited): {
          frame.welcomed = true;
          auto welcome = message.get_message();
          while (welcome.next()) {
            if (welcome.tag_and_type() == protozero::tag_and_type(2, protozero::pbf_wire_type::varint)) {
              frame.shard = welcome.get_uint32();
            } else if (welcome.tag_and_type() == protozero::tag_and_type(3, protozero::pbf_wire_type::varint)) {
              frame.incarnation = welcome.get_uint64();
            } else {
              welcome.skip();
            }
          }
          break;
        }
        case protozero::tag_and_type(7, protozero::pbf_wire_type::length_delimited):
          frame.answers.push_back(read_answer(message.get_message()));
          break;
        case protozero::tag_and_type(9, protozero::pbf_wire_type::length_delimited):
          frame.closing = true;
          message.skip();
          break;
        case protozero::tag_and_type(24, protozero::pbf_wire_type::length_delimited):
          frame.epochs_closed.push_back(read_epoch_close(message.get_message()));
          break;
        case protozero::tag_and_type(25, protozero::pbf_wire_type::length_delimited):
          frame.epochs_sealed.push_back(read_epoch_seal(message.get_message()));
          break;
        case protozero::tag_and_type(26, protozero::pbf_wire_type::length_delimited):
          frame.epoch_answers.push_back(read_epoch_answer(message.get_message()));
          break;
        default:
          message.skip();
      }
    }
  } catch (const protozero::exception&) {
    return false;
  }
  return true;
}

}  // namespace server_frame

namespace client_frame {

void add_header(std::string& frame, std::uint64_t sequence, std::uint64_t acknowledged, std::uint64_t incarnation) {
  pbf_writer message(frame);
  message.add_uint64(1, sequence);
  message.add_uint64(2, acknowledged);
  message.add_uint64(4, incarnation);
}

void add_hello(std::string& frame, std::string_view name, std::uint32_t shard) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 3);
  message.add_uint32(1, limits::kProtocol);
  message.add_string(2, name.data(), name.size());
  message.add_uint32(3, shard + 1);
}

void add_inquiry(std::string& frame, const AttemptId& id, Timestamp committed_at, EpochNumber epoch) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 12);
  add_id(message, 1, id);
  if (committed_at != 0) message.add_fixed64(3, committed_at);
  if (epoch != 0) message.add_fixed64(4, epoch);
}

void add_wound(std::string& frame, const AttemptId& id, std::uint64_t priority) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 14);
  add_id(message, 2, id);
  message.add_uint64(3, priority);
}

}  // namespace client_frame

}  // namespace claret
