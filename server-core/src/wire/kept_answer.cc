#include "wire/kept_answer.h"

#include <algorithm>
#include <protozero/exception.hpp>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

namespace claret {

namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;
using protozero::tag_and_type;

enum PieceTag : protozero::pbf_tag_type { kKept = 1 };
enum KeptTag : protozero::pbf_tag_type { kTransaction = 1, kAt, kUntil, kAnswer };

constexpr auto kBytes = pbf_wire_type::length_delimited;

bool read_kept(pbf_reader message, KeptAnswer& kept) {
  bool named = false;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case tag_and_type(kTransaction, kBytes): {
        const auto view = message.get_view();
        if (view.size() != kept.id.size()) return false;
        std::copy(view.data(), view.data() + view.size(), kept.id.begin());
        named = true;
        break;
      }
      case tag_and_type(kAt, pbf_wire_type::fixed64):
        kept.committed_at = message.get_fixed64();
        break;
      case tag_and_type(kUntil, pbf_wire_type::varint):
        kept.until_wall_ms = message.get_uint64();
        break;
      case tag_and_type(kAnswer, kBytes): {
        const auto view = message.get_view();
        kept.answer = {view.data(), view.size()};
        break;
      }
      default:
        return false;
    }
  }
  return named && kept.committed_at != 0;
}

}  // namespace

void add_kept_answer(std::string& piece, const KeptAnswer& kept) {
  protozero::pbf_writer parent(piece);
  protozero::pbf_writer message(parent, kKept);
  message.add_bytes(kTransaction, reinterpret_cast<const char*>(kept.id.data()), kept.id.size());
  message.add_fixed64(kAt, kept.committed_at);
  message.add_uint64(kUntil, kept.until_wall_ms);
  if (!kept.answer.empty()) message.add_bytes(kAnswer, kept.answer.data(), kept.answer.size());
}

bool read_kept_answers(std::string_view piece, std::vector<KeptAnswer>& kept) {
  try {
    pbf_reader message(piece.data(), piece.size());
    while (message.next()) {
      if (message.tag_and_type() != tag_and_type(kKept, kBytes)) return false;
      if (!read_kept(message.get_message(), kept.emplace_back())) return false;
    }
  } catch (const protozero::exception&) {
    return false;
  }
  return true;
}

}  // namespace claret
