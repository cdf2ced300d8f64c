#include "resp/command_details.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace claret::resp {

namespace {

using Flag = CommandFlag;
using Category = CommandCategory;

constexpr std::string_view kFlagNames[] = {
    "write",        "readonly",     "denyoom", "admin", "pubsub",  "noscript",          "blocking", "loading",   "stale",
    "skip_monitor", "skip_slowlog", "asking",  "fast",  "no_auth", "no_mandatory_keys", "no_multi", "allow_busy"};
constexpr std::string_view kCategoryNames[] = {"keyspace", "read",   "write",       "set",       "sortedset",  "list",        "hash",
                                               "string",   "bitmap", "hyperloglog", "geo",       "stream",     "pubsub",      "admin",
                                               "fast",     "slow",   "blocking",    "dangerous", "connection", "transaction", "scripting"};

FewOf<Category> categories_of(const CommandSpec& spec) {
  FewOf<Category> categories = spec.categories;
  const auto follows = [&](Flag flag, Category category) {
    if (spec.has(flag)) categories.add(category);
  };
  follows(Flag::kWrite, Category::kWrite);
  if (!categories.has(Category::kScripting)) follows(Flag::kReadonly, Category::kRead);
  follows(Flag::kAdmin, Category::kAdmin);
  follows(Flag::kAdmin, Category::kDangerous);
  follows(Flag::kPubsub, Category::kPubsub);
  follows(Flag::kFast, Category::kFast);
  follows(Flag::kBlocking, Category::kBlocking);
  if (!spec.has(Flag::kFast)) categories.add(Category::kSlow);
  return categories;
}

void write_flags(ReplyWriter& reply, const CommandSpec& spec) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < std::size(kFlagNames); ++i) {
    if (spec.has(static_cast<Flag>(i))) names.push_back(kFlagNames[i]);
  }
  if (spec.key_count_at != 0) names.push_back("movablekeys");
  reply.unordered(names.size());
  for (const auto name : names) reply.simple(name);
}

void write_categories(ReplyWriter& reply, const CommandSpec& spec) {
  const auto categories = categories_of(spec);
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < std::size(kCategoryNames); ++i) {
    if (categories.has(static_cast<Category>(i))) names.push_back(kCategoryNames[i]);
  }
  reply.unordered(names.size());
  for (const auto name : names) reply.simple(std::string("@").append(name));
}

struct Field {
  std::string_view name;
  int value;
};

// One of the two parts of a key specification.
template <std::size_t kFields>
void write_search(ReplyWriter& reply, std::string_view part, std::string_view type, const Field (&fields)[kFields]) {
  reply.bulk(part);
  reply.map(2);
  reply.bulk("type");
  reply.bulk(type);
  reply.bulk("spec");
  reply.map(kFields);
  for (const auto& [name, value] : fields) {
    reply.bulk(name);
    reply.integer(value);
  }
}

void write_key_specs(ReplyWriter& reply, const CommandSpec& spec) {
  reply.unordered((spec.first_key != 0) + (spec.key_count_at != 0));
  if (spec.first_key != 0) {
    reply.map(3);
    reply.bulk("flags");
    write_key_use(reply, spec, false);
    write_search(reply, "begin_search", "index", {{"index", spec.first_key}});
    const int last = spec.last_key < 0 ? spec.last_key : spec.last_key - spec.first_key;
    write_search(reply, "find_keys", "range", {{"lastkey", last}, {"keystep", spec.key_step}, {"limit", 0}});
  }
  if (spec.key_count_at != 0) {
    reply.map(3);
    reply.bulk("flags");
    write_key_use(reply, spec, true);
    write_search(reply, "begin_search", "index", {{"index", spec.key_count_at}});
    write_search(reply, "find_keys", "keynum", {{"keynumidx", 0}, {"firstkey", 1}, {"keystep", 1}});
  }
}

}  // namespace

void write_key_use(ReplyWriter& reply, const CommandSpec& spec, bool counted) {
  std::string_view use = counted ? spec.counted_key_use : spec.key_use;
  if (use.empty()) use = spec.has(Flag::kWrite) ? "RW access update" : "RO access";
  std::vector<std::string_view> words;
  while (!use.empty()) {
    const std::size_t end = std::min(use.find(' '), use.size());
    words.push_back(use.substr(0, end));
    use.remove_prefix(std::min(end + 1, use.size()));
  }
  reply.unordered(words.size());
  for (const auto word : words) reply.simple(word);
}

bool is_in_category(const CommandSpec& spec, std::string_view category) {
  for (std::size_t i = 0; i < std::size(kCategoryNames); ++i) {
    if (same_name(kCategoryNames[i], category)) return categories_of(spec).has(static_cast<Category>(i));
  }
  return false;
}

void write_details(ReplyWriter& reply, const CommandTable& table, const CommandTable::Entry& entry) {
  const CommandSpec& spec = *entry.spec;
  reply.array(10);
  reply.bulk(spec.name);
  reply.integer(spec.arity);
  write_flags(reply, spec);
  // A command whose only keys are counted has none at a fixed place.
  reply.integer(spec.first_key);
  reply.integer(spec.last_key);
  reply.integer(spec.key_step);
  write_categories(reply, spec);
  reply.unordered(spec.tips.size());
  for (const auto tip : spec.tips) reply.bulk(tip);
  write_key_specs(reply, spec);
  if (entry.in_order.empty()) return reply.unordered(0);
  reply.array(entry.in_order.size());
  for (const auto place : entry.in_order) write_details(reply, table, table.entries()[place]);
}

void write_docs(ReplyWriter& reply, const CommandTable& table, const CommandTable::Entry& entry) {
  const CommandSpec& spec = *entry.spec;
  reply.bulk(spec.name);
  const std::pair<std::string_view, std::string_view> fields[] = {{"summary", spec.summary}, {"since", spec.since}, {"group", spec.group}};
  std::size_t count = entry.in_order.empty() ? 0 : 1;
  for (const auto& [name, value] : fields) count += !value.empty();
  reply.map(count);
  for (const auto& [name, value] : fields) {
    if (value.empty()) continue;
    reply.bulk(name);
    reply.bulk(value);
  }
  if (entry.in_order.empty()) return;
  reply.bulk("subcommands");
  reply.map(entry.in_order.size());
  for (const auto place : entry.in_order) write_docs(reply, table, table.entries()[place]);
}

}  // namespace claret::resp
