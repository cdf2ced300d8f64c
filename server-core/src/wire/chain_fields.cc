#include "wire/chain_fields.h"

namespace claret {

namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::tag_and_type;

constexpr auto kVarint = pbf_wire_type::varint;
constexpr auto kFixed64 = pbf_wire_type::fixed64;
constexpr auto kBytes = pbf_wire_type::length_delimited;

void append(auto range, std::vector<std::uint64_t>& out) {
  for (const std::uint64_t item : range) out.push_back(item);
}

MemberMessage read_member(pbf_reader message) {
  MemberMessage member;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kVarint):
        member.chain = message.get_uint64();
        break;
      case tag_and_type(2, kVarint):
        member.n = message.get_uint64();
        break;
      case tag_and_type(3, kBytes):
        member.request = read_request(message.get_message());
        break;
      case tag_and_type(4, kVarint):
        member.ends = message.get_bool();
        break;
      case tag_and_type(5, kFixed64):
        member.turn = message.get_fixed64();
        break;
      case tag_and_type(6, kVarint):
        member.timed = message.get_bool();
        break;
      default:
        message.skip();
    }
  }
  return member;
}

WithdrawnMessage read_withdrawn(pbf_reader message) {
  WithdrawnMessage withdrawn;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kVarint):
        withdrawn.chain = message.get_uint64();
        break;
      case tag_and_type(2, kVarint):
        withdrawn.n = message.get_uint64();
        break;
      case tag_and_type(3, kVarint):
        withdrawn.count = message.get_uint64();
        break;
      default:
        message.skip();
    }
  }
  return withdrawn;
}

WordMessage read_word(pbf_reader message) {
  WordMessage word;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kVarint):
        word.chain = message.get_uint64();
        break;
      case tag_and_type(2, kBytes):
        append(message.get_packed_uint64(), word.members);
        break;
      case tag_and_type(2, kVarint):
        word.members.push_back(message.get_uint64());
        break;
      case tag_and_type(3, kVarint):
        word.answers = message.get_uint64();
        break;
      default:
        message.skip();
    }
  }
  return word;
}

BatchMessage read_batch(pbf_reader message) {
  BatchMessage batch;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kVarint):
        batch.chain = message.get_uint64();
        break;
      case tag_and_type(2, kBytes):
        append(message.get_packed_uint64(), batch.members);
        break;
      case tag_and_type(2, kVarint):
        batch.members.push_back(message.get_uint64());
        break;
      case tag_and_type(3, kVarint):
        batch.answers = message.get_uint64();
        break;
      case tag_and_type(4, kBytes):
        batch.request = read_request(message.get_message());
        break;
      case tag_and_type(5, kVarint):
        batch.first = message.get_uint64();
        break;
      case tag_and_type(6, kVarint):
        batch.last = message.get_uint64();
        break;
      default:
        message.skip();
    }
  }
  return batch;
}

PeekMessage read_peek(pbf_reader message) {
  PeekMessage peek;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kVarint):
        peek.ticket = message.get_uint64();
        break;
      case tag_and_type(2, kBytes):
        peek.operation = read_operation(message.get_message());
        break;
      case tag_and_type(3, kFixed64):
        peek.at = message.get_fixed64();
        break;
      default:
        message.skip();
    }
  }
  return peek;
}

}  // namespace

void read_chain_field(pbf_reader& message, ClientFrame& frame) {
  switch (message.tag_and_type()) {
    case tag_and_type(20, kBytes):
      frame.members.push_back(read_member(message.get_message()));
      break;
    case tag_and_type(21, kBytes):
      frame.withdrawn.push_back(read_withdrawn(message.get_message()));
      break;
    case tag_and_type(22, kBytes):
      frame.words.push_back(read_word(message.get_message()));
      break;
    case tag_and_type(25, kBytes):
      frame.peeks.push_back(read_peek(message.get_message()));
      break;
    case tag_and_type(26, kVarint):
      frame.boards = message.get_bool();
      break;
    case tag_and_type(27, kBytes):
      frame.batches.push_back(read_batch(message.get_message()));
      break;
    case tag_and_type(28, kVarint):
      frame.chain = message.get_uint64();
      break;
    case tag_and_type(29, kVarint):
      frame.turn = static_cast<TurnStep>(message.get_enum());
      break;
    default:
      message.skip();
  }
}

}  // namespace claret
