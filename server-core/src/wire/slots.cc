#include "wire/slots.h"

#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

namespace claret {

namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::pbf_writer;
using protozero::tag_and_type;

constexpr auto kVarint = pbf_wire_type::varint;
constexpr auto kFixed64 = pbf_wire_type::fixed64;
constexpr auto kBytes = pbf_wire_type::length_delimited;

enum SlotsTag : protozero::pbf_tag_type { kPosition = 1, kSpan, kGiven, kImported, kTaken };
enum SpanTag : protozero::pbf_tag_type { kSpanFirst = 1, kSpanLast, kOwned, kSpanVersion, kEmptied };
enum MoveTag : protozero::pbf_tag_type { kId = 1, kFirst, kLast, kPeer, kVersion, kAt, kPieces, kAllThere };
enum PieceTag : protozero::pbf_tag_type { kPieceFirst = 1, kPieceLast, kPieceVersion, kNumber, kComplete, kTime };

std::string text(pbf_reader& message) {
  const auto view = message.get_view();
  return {view.data(), view.size()};
}

bool read_span(pbf_reader message, SlotSpan& span) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(kSpanFirst, kVarint):
        span.slots.first = message.get_uint32();
        break;
      case tag_and_type(kSpanLast, kVarint):
        span.slots.last = message.get_uint32();
        break;
      case tag_and_type(kOwned, kVarint):
        span.owned = message.get_bool();
        break;
      case tag_and_type(kSpanVersion, kVarint):
        span.version = message.get_uint32();
        break;
      case tag_and_type(kEmptied, kVarint):
        span.emptied_at = message.get_uint64();
        break;
      default:
        return false;
    }
  }
  return span.slots.valid();
}

bool read_move(pbf_reader message, KeptMove& move) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(kId, kBytes):
        move.id = text(message);
        break;
      case tag_and_type(kFirst, kVarint):
        move.slots.first = message.get_uint32();
        break;
      case tag_and_type(kLast, kVarint):
        move.slots.last = message.get_uint32();
        break;
      case tag_and_type(kPeer, kVarint):
        move.peer = message.get_uint32();
        break;
      case tag_and_type(kVersion, kVarint):
        move.version = message.get_uint32();
        break;
      case tag_and_type(kAt, kFixed64):
        move.at = message.get_fixed64();
        break;
      case tag_and_type(kPieces, kVarint):
        move.pieces = message.get_uint64();
        break;
      case tag_and_type(kAllThere, kVarint):
        move.complete = message.get_bool();
        break;
      default:
        return false;
    }
  }
  return !move.id.empty() && move.slots.valid();
}

bool read_slots(pbf_reader message, KeptSlots& kept) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(kPosition, kVarint):
        kept.position = message.get_uint64();
        break;
      case tag_and_type(kSpan, kBytes):
        if (!read_span(message.get_message(), kept.spans.emplace_back())) return false;
        break;
      case tag_and_type(kGiven, kBytes):
        if (!read_move(message.get_message(), kept.given.emplace())) return false;
        break;
      case tag_and_type(kImported, kBytes):
        if (!read_move(message.get_message(), kept.imported.emplace())) return false;
        break;
      case tag_and_type(kTaken, kBytes):
        kept.taken = text(message);
        break;
      default:
        return false;
    }
  }
  return kept.position != 0;
}

bool read_piece(pbf_reader message, PieceHead& head) {
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(kPieceFirst, kVarint):
        head.slots.first = message.get_uint32();
        break;
      case tag_and_type(kPieceLast, kVarint):
        head.slots.last = message.get_uint32();
        break;
      case tag_and_type(kPieceVersion, kVarint):
        head.version = message.get_uint32();
        break;
      case tag_and_type(kNumber, kVarint):
        head.number = message.get_uint64();
        break;
      case tag_and_type(kComplete, kVarint):
        head.complete = message.get_bool();
        break;
      case tag_and_type(kTime, kVarint):
        head.time_ms = message.get_uint64();
        break;
      default:
        return false;
    }
  }
  return head.slots.valid() && head.number != 0;
}

void add_move(pbf_writer& parent, SlotsTag tag, const KeptMove& move) {
  pbf_writer message(parent, tag);
  message.add_bytes(kId, move.id.data(), move.id.size());
  message.add_uint32(kFirst, move.slots.first);
  message.add_uint32(kLast, move.slots.last);
  message.add_uint32(kPeer, move.peer);
  message.add_uint32(kVersion, move.version);
  if (move.at != 0) message.add_fixed64(kAt, move.at);
  if (move.pieces != 0) message.add_uint64(kPieces, move.pieces);
  if (move.complete) message.add_bool(kAllThere, true);
}

}  // namespace

void add_value(std::string& out, const KeptSlots& kept) {
  pbf_writer message(out);
  message.add_uint64(kPosition, kept.position);
  for (const SlotSpan& span : kept.spans) {
    pbf_writer one(message, kSpan);
    one.add_uint32(kSpanFirst, span.slots.first);
    one.add_uint32(kSpanLast, span.slots.last);
    if (span.owned) one.add_bool(kOwned, true);
    if (span.version != 0) one.add_uint32(kSpanVersion, span.version);
    if (span.emptied_at != 0) one.add_uint64(kEmptied, span.emptied_at);
  }
  if (kept.given) add_move(message, kGiven, *kept.given);
  if (kept.imported) add_move(message, kImported, *kept.imported);
  if (!kept.taken.empty()) message.add_bytes(kTaken, kept.taken.data(), kept.taken.size());
}

bool read_value(std::string_view bytes, KeptSlots& kept) {
  try {
    return read_slots(pbf_reader(bytes.data(), bytes.size()), kept);
  } catch (const protozero::exception&) {
    return false;
  }
}

void add_value(std::string& out, const PieceHead& head) {
  pbf_writer message(out);
  message.add_uint32(kPieceFirst, head.slots.first);
  message.add_uint32(kPieceLast, head.slots.last);
  message.add_uint32(kPieceVersion, head.version);
  message.add_uint64(kNumber, head.number);
  if (head.complete) message.add_bool(kComplete, true);
  message.add_uint64(kTime, head.time_ms);
}

bool read_value(std::string_view bytes, PieceHead& head) {
  try {
    return read_piece(pbf_reader(bytes.data(), bytes.size()), head);
  } catch (const protozero::exception&) {
    return false;
  }
}

}  // namespace claret
