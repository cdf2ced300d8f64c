#include "wire/client_frame.h"

#include <protozero/exception.hpp>

#include "wire/chain_fields.h"
#include "wire/value_codec.h"
#include "wire/warranty_fields.h"

namespace claret {

namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::tag_and_type;

constexpr auto kVarint = pbf_wire_type::varint;
constexpr auto kFixed64 = pbf_wire_type::fixed64;
constexpr auto kBytes = pbf_wire_type::length_delimited;

std::string_view text(pbf_reader& message) {
  const auto view = message.get_view();
  return {view.data(), view.size()};
}

template <typename Range, typename Out>
void append(Range range, Out& out) {
  for (const auto item : range) out.push_back(item);
}

}  // namespace

OperationMessage read_operation(pbf_reader message) {
  OperationMessage operation;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kBytes):
        operation.key = text(message);
        break;
      case tag_and_type(2, kVarint):
        operation.code = message.get_uint32();
        break;
      case tag_and_type(3, kBytes):
        operation.arguments.push_back(read_value(message.get_message(), operation.problem));
        break;
      case tag_and_type(4, kBytes):
        operation.name = text(message);
        break;
      case tag_and_type(6, kVarint):
        operation.intent = message.get_bool();
        break;
      case tag_and_type(7, kVarint):
        operation.warrant = message.get_uint32();
        break;
      case tag_and_type(8, kBytes):
        operation.expect = text(message);
        break;
      case tag_and_type(9, kFixed64):
        operation.at = message.get_fixed64();
        break;
      case tag_and_type(10, kVarint):
        operation.snapshot = message.get_uint32();
        break;
      case tag_and_type(11, kBytes):
        operation.guess = read_value(message.get_message(), operation.problem);
        break;
      default:
        message.skip();
    }
  }
  return operation;
}

namespace {

BeginMessage read_begin(pbf_reader message) {
  BeginMessage begin;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kBytes):
        begin.id = text(message);
        break;
      case tag_and_type(2, kBytes):
        begin.label = text(message);
        break;
      case tag_and_type(3, kVarint):
        begin.priority = message.get_uint64();
        break;
      case tag_and_type(4, kVarint):
        begin.retries = message.get_uint32();
        break;
      case tag_and_type(5, kVarint):
        begin.home = message.get_uint32();
        break;
      case tag_and_type(6, kVarint):
        begin.expires_in_ms = message.get_uint32();
        break;
      case tag_and_type(7, kBytes):
        begin.exclusive.push_back(text(message));
        break;
      case tag_and_type(8, kVarint):
        begin.age_us = message.get_uint32();
        break;
      case tag_and_type(9, kBytes):
        begin.transaction = text(message);
        break;
      case tag_and_type(10, kVarint):
        begin.thrown_away_us = message.get_uint32();
        break;
      case tag_and_type(11, kVarint):
        begin.backing_off_us = message.get_uint32();
        break;
      case tag_and_type(12, kVarint):
        begin.queued_us = message.get_uint32();
        break;
      case tag_and_type(13, kVarint):
        begin.breaks = message.get_uint32();
        break;
      case tag_and_type(14, kVarint):
        begin.epoch_manager_plus_one = message.get_uint32();
        break;
      default:
        message.skip();
    }
  }
  return begin;
}

PrepareMessage read_prepare(pbf_reader message) {
  PrepareMessage prepare;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kBytes):
        append(message.get_packed_uint32(), prepare.participants);
        break;
      case tag_and_type(1, kVarint):
        prepare.participants.push_back(message.get_uint32());
        break;
      case tag_and_type(2, kFixed64):
        prepare.not_after = message.get_fixed64();
        break;
      case tag_and_type(3, kVarint):
        prepare.observes_only = message.get_bool();
        break;
      case tag_and_type(4, kBytes):
        prepare.answer = text(message);
        break;
      case tag_and_type(5, kVarint):
        prepare.keep_ms = message.get_uint32();
        break;
      case tag_and_type(6, kFixed64):
        prepare.not_before = message.get_fixed64();
        break;
      case tag_and_type(7, kVarint):
        prepare.not_after_us = message.get_uint64();
        break;
      case tag_and_type(8, kVarint):
        prepare.warranted = message.get_uint32();
        break;
      case tag_and_type(9, kFixed64):
        prepare.snapshot = message.get_fixed64();
        break;
      default:
        message.skip();
    }
  }
  return prepare;
}

}  // namespace

RequestMessage read_request(pbf_reader message) {
  RequestMessage request;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kVarint):
        request.attempt = message.get_uint64();
        break;
      case tag_and_type(2, kBytes):
        request.begin = read_begin(message.get_message());
        break;
      case tag_and_type(3, kVarint):
        request.sent_before = message.get_uint32();
        break;
      case tag_and_type(4, kBytes):
        request.operations.push_back(read_operation(message.get_message()));
        break;
      case tag_and_type(5, kBytes):
        request.prepare = read_prepare(message.get_message());
        break;
      case tag_and_type(7, kVarint):
        request.whole = message.get_bool();
        break;
      default:
        message.skip();
    }
  }
  return request;
}

namespace {

HelloMessage read_hello(pbf_reader message) {
  HelloMessage hello;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kVarint):
        hello.protocol = message.get_uint32();
        break;
      case tag_and_type(2, kBytes):
        hello.name = text(message);
        break;
      case tag_and_type(3, kVarint):
        hello.shard_plus_one = message.get_uint32();
        break;
      case tag_and_type(4, kFixed64):
        hello.session = message.get_fixed64();
        break;
      case tag_and_type(5, kFixed64):
        hello.resumes = message.get_fixed64();
        break;
      case tag_and_type(6, kVarint):
        hello.warranties = message.get_bool();
        break;
      default:
        message.skip();
    }
  }
  return hello;
}

WatchMessage read_watch(pbf_reader message) {
  WatchMessage watch;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kVarint):
        watch.id = message.get_uint64();
        break;
      case tag_and_type(2, kBytes):
        watch.operation = read_operation(message.get_message());
        break;
      case tag_and_type(3, kFixed64):
        watch.since = message.get_fixed64();
        break;
      default:
        message.skip();
    }
  }
  return watch;
}

WoundMessage read_wound(pbf_reader message) {
  WoundMessage wound;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kVarint):
        wound.attempt = message.get_uint64();
        break;
      case tag_and_type(2, kBytes):
        wound.id = text(message);
        break;
      case tag_and_type(3, kVarint):
        wound.priority = message.get_uint64();
        break;
      default:
        message.skip();
    }
  }
  return wound;
}

NativesMessage read_natives(pbf_reader message) {
  NativesMessage natives;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kVarint):
        natives.first = message.get_uint64();
        break;
      case tag_and_type(3, kVarint):
        natives.below = message.get_uint64();
        break;
      case tag_and_type(2, kBytes):
        natives.operations.push_back(read_operation(message.get_message()));
        break;
      default:
        message.skip();
    }
  }
  return natives;
}

void read_frame(pbf_reader message, ClientFrame& frame) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kVarint):
        frame.sequence = message.get_uint64();
        break;
      case tag_and_type(2, kVarint):
        frame.acknowledged = message.get_uint64();
        break;
      case tag_and_type(3, kBytes):
        frame.hello = read_hello(message.get_message());
        break;
      case tag_and_type(4, kVarint):
        frame.incarnation = message.get_uint64();
        break;
      case tag_and_type(5, kBytes):
        append(message.get_packed_uint64(), frame.committed);
        break;
      case tag_and_type(5, kVarint):
        frame.committed.push_back(message.get_uint64());
        break;
      case tag_and_type(6, kBytes):
        append(message.get_packed_fixed64(), frame.committed_at);
        break;
      case tag_and_type(6, kFixed64):
        frame.committed_at.push_back(message.get_fixed64());
        break;
      case tag_and_type(7, kBytes):
        append(message.get_packed_uint64(), frame.aborted);
        break;
      case tag_and_type(7, kVarint):
        frame.aborted.push_back(message.get_uint64());
        break;
      case tag_and_type(8, kVarint):
        frame.forgotten_below = message.get_uint64();
        break;
      case tag_and_type(9, kBytes):
        frame.requests.push_back(read_request(message.get_message()));
        break;
      case tag_and_type(10, kBytes):
        frame.watches.push_back(read_watch(message.get_message()));
        break;
      case tag_and_type(11, kBytes):
        append(message.get_packed_uint64(), frame.unwatched);
        break;
      case tag_and_type(11, kVarint):
        frame.unwatched.push_back(message.get_uint64());
        break;
      case tag_and_type(12, kBytes):
        frame.inquiries.push_back(read_inquiry(message.get_message()));
        break;
      case tag_and_type(14, kBytes):
        frame.wounds.push_back(read_wound(message.get_message()));
        break;
      case tag_and_type(16, kBytes):
        append(message.get_packed_uint64(), frame.abandoned);
        break;
      case tag_and_type(16, kVarint):
        frame.abandoned.push_back(message.get_uint64());
        break;
      case tag_and_type(17, kBytes):
        frame.natives.push_back(read_natives(message.get_message()));
        break;
      case tag_and_type(30, kBytes):
        frame.returned.push_back(read_returned(message.get_message()));
        break;
      case tag_and_type(31, kBytes):
        frame.used = read_used(message.get_message());
        break;
      case tag_and_type(32, kBytes):
        frame.firm_wanted.push_back(read_firm_wanted(message.get_message()));
        break;
      default:
        if (!read_epoch_field(message, frame)) read_chain_field(message, frame);
    }
  }
}

}  // namespace

InquiryMessage read_inquiry(pbf_reader message) {
  InquiryMessage inquiry;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kBytes):
        inquiry.id = text(message);
        break;
      case tag_and_type(2, kVarint):
        inquiry.ticket = message.get_uint64();
        break;
      case tag_and_type(3, kFixed64):
        inquiry.committed_at = message.get_fixed64();
        break;
      case tag_and_type(4, kFixed64):
        inquiry.epoch = message.get_fixed64();
        break;
      default:
        message.skip();
    }
  }
  return inquiry;
}

InquiryAnswerMessage read_answer(pbf_reader message) {
  InquiryAnswerMessage answer;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kVarint):
        answer.ticket = message.get_uint64();
        break;
      case tag_and_type(2, kVarint): {
        const auto state = message.get_enum();
        answer.state = state >= 0 && state <= 3 ? static_cast<AttemptState>(state) : AttemptState::kPending;
        break;
      }
      case tag_and_type(3, kFixed64):
        answer.timestamp = message.get_fixed64();
        break;
      case tag_and_type(4, kBytes):
        answer.id = text(message);
        break;
      case tag_and_type(5, kFixed64):
        answer.epoch = message.get_fixed64();
        break;
      default:
        message.skip();
    }
  }
  return answer;
}

bool decode(std::string_view bytes, ClientFrame& frame) {
  try {
    read_frame(pbf_reader(bytes.data(), bytes.size()), frame);
  } catch (const protozero::exception&) {
    return false;
  }
  return frame.committed.size() == frame.committed_at.size();
}

}  // namespace claret
