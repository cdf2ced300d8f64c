#include "wire/epoch_fields.h"

#include <algorithm>
#include <protozero/pbf_writer.hpp>

#include "wire/client_frame.h"

namespace claret {

namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::pbf_writer;
using protozero::tag_and_type;

constexpr auto kVarint = pbf_wire_type::varint;
constexpr auto kFixed64 = pbf_wire_type::fixed64;
constexpr auto kBytes = pbf_wire_type::length_delimited;

void read_shards(pbf_reader& message, auto& shards) {
  for (const std::uint32_t shard : message.get_packed_uint32()) shards.push_back(shard);
}

// An id of a wrong length names no attempt.
ListedMember read_member(pbf_reader message) {
  ListedMember member;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kBytes): {
        const auto bytes = message.get_view();
        if (bytes.size() == member.id.size()) std::copy_n(bytes.data(), bytes.size(), member.id.begin());
        break;
      }
      case tag_and_type(2, kBytes):
        read_shards(message, member.others);
        break;
      case tag_and_type(3, kFixed64):
        member.voted_at = message.get_fixed64();
        break;
      default:
        message.skip();
    }
  }
  return member;
}

EpochWantMessage read_epoch_want(pbf_reader message) {
  EpochWantMessage want;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kVarint):
        want.urgent = message.get_bool();
        break;
      case tag_and_type(2, kBytes):
        read_shards(message, want.shards);
        break;
      default:
        message.skip();
    }
  }
  return want;
}

EpochListMessage read_epoch_list(pbf_reader message) {
  EpochListMessage list;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kFixed64):
        list.epoch = message.get_fixed64();
        break;
      case tag_and_type(2, kBytes):
        list.members.push_back(read_member(message.get_message()));
        break;
      default:
        message.skip();
    }
  }
  return list;
}

}  // namespace

bool read_epoch_field(pbf_reader& message, ClientFrame& frame) {
  switch (message.tag_and_type()) {
    case tag_and_type(33, kBytes):
      frame.epoch_want = read_epoch_want(message.get_message());
      return true;
    case tag_and_type(34, kBytes):
      frame.epoch_lists.push_back(read_epoch_list(message.get_message()));
      return true;
    case tag_and_type(35, kFixed64):
      frame.epochs_asked.push_back(message.get_fixed64());
      return true;
    case tag_and_type(35, kBytes):
      for (const EpochNumber epoch : message.get_packed_fixed64()) frame.epochs_asked.push_back(epoch);
      return true;
    default:
      return false;
  }
}

EpochCloseMessage read_epoch_close(pbf_reader message) {
  EpochCloseMessage close;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kFixed64):
        close.epoch = message.get_fixed64();
        break;
      case tag_and_type(2, kFixed64):
        close.floor = message.get_fixed64();
        break;
      case tag_and_type(3, kBytes):
        read_shards(message, close.shards);
        break;
      default:
        message.skip();
    }
  }
  return close;
}

EpochSealMessage read_epoch_seal(pbf_reader message) {
  EpochSealMessage seal;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kFixed64):
        seal.epoch = message.get_fixed64();
        break;
      case tag_and_type(2, kBytes):
        for (const std::uint64_t one : message.get_packed_uint64()) seal.committed.push_back(one);
        break;
      case tag_and_type(3, kVarint):
        seal.called_off = message.get_bool();
        break;
      case tag_and_type(4, kBytes):
        read_shards(message, seal.late);
        break;
      default:
        message.skip();
    }
  }
  return seal;
}

EpochAnswerMessage read_epoch_answer(pbf_reader message) {
  EpochAnswerMessage answer;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, kFixed64):
        answer.epoch = message.get_fixed64();
        break;
      case tag_and_type(2, kVarint):
        answer.undecided = message.get_bool();
        break;
      default:
        message.skip();
    }
  }
  return answer;
}

namespace client_frame {

void add_epoch_want(std::string& frame, const EpochWantMessage& want) {
  std::string bytes;
  pbf_writer message(bytes);
  if (want.urgent) message.add_bool(1, true);
  message.add_packed_uint32(2, want.shards.begin(), want.shards.end());
  // Not as a nested writer: that leaves an empty message out, and members of this shard alone would never be heard of.
  pbf_writer(frame).add_message(33, bytes);
}

void add_epoch_list(std::string& frame, const EpochListMessage& list) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 34);
  message.add_fixed64(1, list.epoch);
  for (const ListedMember& member : list.members) {
    pbf_writer listed(message, 2);
    listed.add_bytes(1, reinterpret_cast<const char*>(member.id.data()), member.id.size());
    listed.add_packed_uint32(2, member.others.begin(), member.others.end());
    listed.add_fixed64(3, member.voted_at);
  }
}

void add_epoch_asked(std::string& frame, EpochNumber epoch) { pbf_writer(frame).add_fixed64(35, epoch); }

}  // namespace client_frame

namespace server_frame {

void add_epoch_close(std::string& frame, const EpochCloseMessage& close) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 24);
  message.add_fixed64(1, close.epoch);
  message.add_fixed64(2, close.floor);
  message.add_packed_uint32(3, close.shards.begin(), close.shards.end());
}

void add_epoch_seal(std::string& frame, const EpochSealMessage& seal) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 25);
  message.add_fixed64(1, seal.epoch);
  message.add_packed_uint64(2, seal.committed.begin(), seal.committed.end());
  if (seal.called_off) message.add_bool(3, true);
  message.add_packed_uint32(4, seal.late.begin(), seal.late.end());
}

void add_epoch_answer(std::string& frame, const EpochAnswerMessage& answer) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 26);
  message.add_fixed64(1, answer.epoch);
  if (answer.undecided) message.add_bool(2, true);
}

}  // namespace server_frame

}  // namespace claret
