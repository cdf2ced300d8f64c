#include "wire/warranty_fields.h"

namespace claret {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::pbf_writer;
using protozero::tag_and_type;

ReturnedMessage read_returned(pbf_reader message) {
  ReturnedMessage returned;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, pbf_wire_type::varint):
        returned.grant = message.get_uint64();
        break;
      case tag_and_type(2, pbf_wire_type::varint):
        returned.uses = message.get_uint32();
        break;
      default:
        message.skip();
    }
  }
  return returned;
}

UsedMessage read_used(pbf_reader message) {
  UsedMessage used;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, pbf_wire_type::fixed64):
        used.up_to = message.get_fixed64();
        break;
      case tag_and_type(2, pbf_wire_type::varint):
        used.answers = message.get_uint32();
        break;
      case tag_and_type(3, pbf_wire_type::varint):
        used.commits = message.get_uint32();
        break;
      default:
        message.skip();
    }
  }
  return used;
}

FirmWantedMessage read_firm_wanted(pbf_reader message) {
  FirmWantedMessage wanted;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(1, pbf_wire_type::varint):
        wanted.grant = message.get_uint64();
        break;
      case tag_and_type(2, pbf_wire_type::varint):
        wanted.for_ms = message.get_uint32();
        break;
      default:
        message.skip();
    }
  }
  return wanted;
}

void add_granted(pbf_writer& parent, protozero::pbf_tag_type tag, const GrantedMessage& granted) {
  pbf_writer message(parent, tag);
  if (granted.grant != 0) message.add_uint64(1, granted.grant);
  if (granted.operation != 0) message.add_uint32(2, granted.operation);
  if (granted.from != 0) message.add_fixed64(3, granted.from);
  message.add_bytes(4, reinterpret_cast<const char*>(granted.digest.data()), granted.digest.size());
}

namespace server_frame {

void add_standing(std::string& frame, const StandingMessage& standing) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 21);
  message.add_fixed64(1, standing.now);
  message.add_fixed64(2, standing.until);
  message.add_uint64(3, standing.clock_us);
}

void add_recall(std::string& frame, std::uint64_t grant, std::uint64_t priority) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 22);
  message.add_uint64(1, grant);
  message.add_uint64(2, priority);
}

void add_firm(std::string& frame, std::uint64_t grant, std::uint64_t for_us) {
  pbf_writer parent(frame);
  pbf_writer message(parent, 23);
  message.add_uint64(1, grant);
  if (for_us != 0) message.add_uint64(2, for_us);
}

}  // namespace server_frame

}  // namespace claret
