// The commands of Redis's sets, on Set: SADD, SREM, SMEMBERS, SPOP, SINTER and the others whose names begin with S.
//
// What differs from Redis: members come in the order of their bytes, SSCAN answers all of them at once, and SRANDMEMBER repeats members at most
// a million times. A random member is found by walking to it, page by page.
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adt/check.h"
#include "adt/commands.h"
#include "adt/type_commands.h"

namespace claret {

namespace set_door {
namespace {

// As set.cc numbers them.
enum Operation : std::uint8_t { kAdd = 1, kRemove, kContains, kSize, kMembers, kInsert, kErase };

using Members = std::vector<std::string>;

// ---- members

std::int64_t size_of(CommandRun& run, std::string_view key) { return integer_of(run.execute(key, set_type(), kSize)); }

bool contains(CommandRun& run, std::string_view key, std::string_view member) {
  return truth_of(run.execute(key, set_type(), kContains, Value(text_of_bytes(member))));
}

// The next members behind that one.
const Value::List& page_of(CommandRun& run, std::string_view key, Value after) {
  return list_of(run.execute(key, set_type(), kMembers, Value(kItemsMax), std::move(after)));
}

Members members_of(CommandRun& run, std::string_view key) {
  Members members;
  bool may_be_more = true;
  while (may_be_more) {
    const Value::List& page = page_of(run, key, members.empty() ? Value() : Value(members.back()));
    for (const Value& member : page) members.push_back(member.text());
    may_be_more = std::cmp_equal(page.size(), kItemsMax);
  }
  return members;
}

// The member before which there are that many others. REQUIRES: there is one, unless the command has stopped.
std::string member_at(CommandRun& run, std::string_view key, std::size_t rank) {
  Value after;
  for (;;) {
    const Value::List& page = page_of(run, key, after);
    if (rank < page.size()) return page[rank].text();
    if (page.empty()) return {};
    rank -= page.size();
    after = Value(page.back());
  }
}

std::string random_member(CommandRun& run, std::string_view key, std::int64_t size) {
  return member_at(run, key, run.draw(static_cast<std::uint64_t>(size)));
}

Members chosen_of(const Members& members, const std::vector<std::size_t>& places) {
  Members chosen;
  for (const std::size_t place : places) chosen.push_back(members[place]);
  return chosen;
}

Value::List texts_of(const Members& members) { return {members.begin(), members.end()}; }

void write_members(CommandRun& run, const Members& members) {
  for (const std::string& member : members) write_text(run.reply(), member);
}

void write_set(CommandRun& run, const Members& members) {
  run.reply().unordered(members.size());
  write_members(run, members);
}

std::int64_t erase(CommandRun& run, std::string_view key, Value::List members) {
  return execute_in_pieces(run, key, set_type(), kErase, std::move(members)).sum;
}

// ---- commands with one set

void sadd(CommandRun& run) { run.reply().integer(execute_in_pieces(run, run[1], set_type(), kInsert, claret::texts_of(run.from(2))).sum); }

void srem(CommandRun& run) {
  if (run.is_missing(run[1])) return run.reply().integer(0);
  run.reply().integer(erase(run, run[1], claret::texts_of(run.from(2))));
}

void sismember(CommandRun& run) { run.reply().integer(contains(run, run[1], run[2])); }

void smismember(CommandRun& run) {
  run.reply().array(run.size() - 2);
  for (const std::string_view member : run.from(2)) run.reply().integer(contains(run, run[1], member));
}

void scard(CommandRun& run) { run.reply().integer(size_of(run, run[1])); }

void smembers(CommandRun& run) { write_set(run, members_of(run, run[1])); }

void spop_several(CommandRun& run) {
  const auto count = count_at(run, 2);
  if (!count) return;
  const Members members = members_of(run, run[1]);
  const Members taken = chosen_of(members, draw_places(run, members.size(), *count));
  write_set(run, taken);
  if (!taken.empty()) erase(run, run[1], texts_of(taken));
}

void spop(CommandRun& run) {
  if (run.size() > 3) return run.fail(resp::kSyntaxError);
  if (run.size() == 3) return spop_several(run);
  const std::int64_t size = size_of(run, run[1]);
  if (size == 0) return run.reply().null();
  const std::string member = random_member(run, run[1], size);
  erase(run, run[1], {Value(member)});
  write_text(run.reply(), member);
}

void srandmember(CommandRun& run) {
  if (run.size() > 3) return run.fail(resp::kSyntaxError);
  if (run.size() == 2) {
    const std::int64_t size = size_of(run, run[1]);
    if (size == 0) return run.reply().null();
    return write_text(run.reply(), random_member(run, run[1], size));
  }
  const auto count = signed_count_at(run, 2);
  if (!count) return;
  const Members members = members_of(run, run[1]);
  const std::vector<std::size_t> places = draw_places(run, members.size(), *count);
  run.reply().array(places.size());
  for (const std::size_t place : places) write_text(run.reply(), members[place]);
}

void sscan(CommandRun& run) {
  Scan scan;
  if (!scan.take_cursor(run)) return;
  Members members = members_of(run, run[1]);
  if (!members.empty() && !scan.take_options(run)) return;
  std::erase_if(members, [&](const std::string& member) { return !scan.wants(member); });
  for (std::string& member : members) member = bytes_of_text(member);
  Scan::answer(run, members);
}

// ---- commands with several sets

void smove(CommandRun& run) {
  const std::string_view from = run[1], to = run[2], member = run[3];
  if (run.type_of(from) == nullptr) return run.reply().integer(0);
  const DataType* type = run.type_of(to);
  const bool is_member = contains(run, from, member);
  if (type != nullptr && type != &set_type()) return run.fail(kWrongType);
  run.reply().integer(is_member);
  if (!is_member || from == to) return;
  erase(run, from, {Value(text_of_bytes(member))});
  // What is there already is left alone, so that who watches the key sees no change.
  if (!contains(run, to, member)) run.execute(to, set_type(), kAdd, Value(text_of_bytes(member)));
}

using Combine = Members (*)(const Members&, const Members&);

Members intersection(const Members& some, const Members& others) {
  Members result;
  std::set_intersection(some.begin(), some.end(), others.begin(), others.end(), std::back_inserter(result));
  return result;
}
Members sum(const Members& some, const Members& others) {
  Members result;
  std::set_union(some.begin(), some.end(), others.begin(), others.end(), std::back_inserter(result));
  return result;
}
Members difference(const Members& some, const Members& others) {
  Members result;
  std::set_difference(some.begin(), some.end(), others.begin(), others.end(), std::back_inserter(result));
  return result;
}

// Each key is read, even if the result is known before, so that one of another type is an error.
Members combine(CommandRun& run, resp::Arguments keys, Combine two) {
  Members members = members_of(run, keys[0]);
  for (const std::string_view key : keys.subspan(1)) members = two(members, members_of(run, key));
  return members;
}

template <Combine kTwo>
void answer(CommandRun& run) {
  write_set(run, combine(run, run.from(1), kTwo));
}

template <Combine kTwo>
void store(CommandRun& run) {
  const Members members = combine(run, run.from(2), kTwo);
  if (run.stopped()) return;
  if (run.type_of(run[1]) != nullptr || run.expires(run[1])) run.remove(run[1]);
  if (!members.empty()) execute_in_pieces(run, run[1], set_type(), kInsert, texts_of(members));
  run.reply().integer(static_cast<std::int64_t>(members.size()));
}

void sintercard(CommandRun& run) {
  const auto keys = count_at(run, 1, "ERR numkeys should be greater than 0");
  if (!keys) return;
  if (*keys == 0) return run.fail("ERR numkeys should be greater than 0");
  if (std::cmp_greater(*keys, run.size() - 2)) return run.fail("ERR Number of keys can't be greater than number of args");
  const auto count = static_cast<std::size_t>(*keys);
  std::int64_t limit = 0;
  for (std::size_t place = 2 + count; place < run.size(); place += 2) {
    if (!same_name(run, place, "limit") || place + 1 == run.size()) return run.fail(resp::kSyntaxError);
    const auto given = count_at(run, place + 1, "ERR LIMIT can't be negative");
    if (!given) return;
    limit = *given;
  }
  const auto size = static_cast<std::int64_t>(combine(run, run.from(2).first(count), intersection).size());
  run.reply().integer(limit == 0 ? size : std::min(size, limit));
}

// ---- specs

using namespace command_spec;

constexpr Group kSet{"set", resp::CommandCategory::kSets};

constexpr resp::CommandSpec several(resp::CommandSpec spec) { return with_keys(spec, -1); }

constexpr resp::CommandSpec kCommands[] = {
    kSet("sadd", -3, kFastGrow, "RW insert", "1.0.0", kRunner<sadd>, "Adds members to a set"),
    kSet("srem", -3, kFastWrite, "RW delete", "1.0.0", kRunner<srem>, "Removes members from a set"),
    kSet("sismember", 3, kFastRead, "RO", "1.0.0", kRunner<sismember>, "Whether a set has a member"),
    kSet("smismember", -3, kFastRead, "RO access", "6.2.0", kRunner<smismember>, "Which of some members a set has"),
    kSet("scard", 2, kFastRead, "RO", "1.0.0", kRunner<scard>, "The number of members"),
    with_tips(kSet("smembers", 2, kRead, "RO access", "1.0.0", kRunner<smembers>, "All members"), kTipsUnordered),
    with_tips(kSet("spop", -2, kFastWrite, "RW access delete", "1.0.0", kRunner<spop>, "Takes random members out of a set"), kTipsVarying),
    with_tips(kSet("srandmember", -2, kRead, "RO access", "1.0.0", kRunner<srandmember>, "Random members"), kTipsVarying),
    with_keys(kSet("smove", 4, kFastWrite, "RW access delete", "1.0.0", kAloneRunner<smove>, "Moves a member to another set"), 2),
    with_tips(
        several(kSet("sinter", -2, kRead, "RO access", "1.0.0", kAloneRunner<answer<intersection>>, "The members that all sets have")),
        kTipsUnordered),
    with_tips(several(kSet("sunion", -2, kRead, "RO access", "1.0.0", kAloneRunner<answer<sum>>, "The members of any of the sets")),
              kTipsUnordered),
    with_tips(
        several(kSet("sdiff", -2, kRead, "RO access", "1.0.0", kAloneRunner<answer<difference>>, "The members of the first set alone")),
        kTipsUnordered),
    several(kSet("sinterstore", -3, kGrow, "RW update", "1.0.0", kAloneRunner<store<intersection>>, "Stores what SINTER answers")),
    several(kSet("sunionstore", -3, kGrow, "OW update", "1.0.0", kAloneRunner<store<sum>>, "Stores what SUNION answers")),
    several(kSet("sdiffstore", -3, kGrow, "OW update", "1.0.0", kAloneRunner<store<difference>>, "Stores what SDIFF answers")),
    with_counted_keys(kSet("sintercard", -3, kRead, "RO access", "7.0.0", kAloneRunner<sintercard>, "How many members all sets have"), 1),
    with_tips(kSet("sscan", -3, kRead, "RO access", "2.8.0", kRunner<sscan>, "The members, as an iteration"), kTipsVarying),
};

}  // namespace
}  // namespace set_door

std::span<const resp::CommandSpec> set_commands() { return set_door::kCommands; }

}  // namespace claret
