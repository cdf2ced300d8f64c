#include "wire/value_codec.h"

#include <cmath>

#include "ground/errors.h"
#include "ground/utf8.h"
#include "wire/limits.h"

namespace claret {

namespace {

enum : protozero::pbf_tag_type { kInteger = 1, kNumber = 2, kText = 3, kBoolean = 4, kList = 5 };
enum : protozero::pbf_tag_type { kItems = 1 };

// protozero drops a submessage without content; here an empty one has a meaning.
void add_empty(protozero::pbf_writer& parent, protozero::pbf_tag_type tag) { parent.add_bytes(tag, "", 0); }

Value read_list(protozero::pbf_reader message, std::string_view& problem, int depth) {
  Value::List items;
  while (message.next(kItems, protozero::pbf_wire_type::length_delimited)) {
    items.push_back(read_value(message.get_message(), problem, depth + 1));
  }
  return Value(std::move(items));
}

}  // namespace

Value read_value(protozero::pbf_reader message, std::string_view& problem, int depth) {
  Value value;
  while (message.next()) {
    switch (message.tag_and_type()) {
      case protozero::tag_and_type(kInteger, protozero::pbf_wire_type::varint):
        value = Value(message.get_sint64());
        break;
      case protozero::tag_and_type(kNumber, protozero::pbf_wire_type::fixed64): {
        const double number = message.get_double();
        if (!std::isfinite(number)) problem = errors::kNotFinite;
        value = Value(number);
        break;
      }
      case protozero::tag_and_type(kText, protozero::pbf_wire_type::length_delimited): {
        const auto view = message.get_view();
        if (!is_valid_utf8({view.data(), view.size()})) problem = errors::kInvalidUtf8;
        value = Value(std::string(view.data(), view.size()));
        break;
      }
      case protozero::tag_and_type(kBoolean, protozero::pbf_wire_type::varint):
        value = Value(message.get_bool());
        break;
      case protozero::tag_and_type(kList, protozero::pbf_wire_type::length_delimited):
        if (depth >= limits::kValueDepthMax) {
          problem = errors::kNestedTooDeep;
          message.skip();
          break;
        }
        value = read_list(message.get_message(), problem, depth);
        break;
      default:
        message.skip();
    }
  }
  return value;
}

void write_value(protozero::pbf_writer& message, const Value& value) {
  if (value.is_integer()) {
    message.add_sint64(kInteger, value.integer());
  } else if (value.is_text()) {
    message.add_string(kText, value.text());
  } else if (value.is_number()) {
    message.add_double(kNumber, value.number());
  } else if (value.is_boolean()) {
    message.add_bool(kBoolean, value.boolean());
  } else if (value.is_list()) {
    if (value.list().empty()) return add_empty(message, kList);
    protozero::pbf_writer list(message, kList);
    for (const Value& item : value.list()) add_value(list, kItems, item);
  }
}

void add_value(protozero::pbf_writer& parent, protozero::pbf_tag_type tag, const Value& value) {
  if (value.absent()) return add_empty(parent, tag);
  protozero::pbf_writer message(parent, tag);
  write_value(message, value);
}

}  // namespace claret
