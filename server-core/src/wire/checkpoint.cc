#include "wire/checkpoint.h"

#include <algorithm>

namespace claret {

namespace {

constexpr std::size_t kLengthBytes = 4;
// Never the id of a type.
constexpr std::uint8_t kInParts = 0;
constexpr std::uint8_t kExpires = 0xFE;
constexpr char kEndOfText = '\xFF';

template <typename Number>
void add_number(std::string& out, Number number) {
  for (std::size_t i = 0; i < sizeof(Number); ++i) out.push_back(static_cast<char>(number >> 8 * i));
}

// False if the bytes end too early.
template <typename Number>
bool take_number(std::string_view& bytes, Number& number) {
  if (bytes.size() < sizeof(Number)) return false;
  number = 0;
  for (std::size_t i = sizeof(Number); i-- > 0;) {
    number = static_cast<Number>(std::uint64_t{number} << 8 | static_cast<unsigned char>(bytes[i]));
  }
  bytes.remove_prefix(sizeof(Number));
  return true;
}

// REQUIRES: the key has at least 8 bytes from `begins` on.
std::uint64_t number_at(std::string_view key, std::size_t begins) {
  std::uint64_t number = 0;
  for (const char byte : key.substr(begins, sizeof number)) number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

void add_to_key(std::string& key, std::uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8) key.push_back(static_cast<char>(number >> shift));
}

}  // namespace

bool take_pair(std::string_view& pairs, Pair& pair) {
  std::uint8_t kind = 0;
  std::uint32_t key_length = 0, value_length = 0;
  if (!take_number(pairs, kind) || kind > 1 || !take_number(pairs, key_length) || !take_number(pairs, value_length)) return false;
  if (key_length == 0 || std::uint64_t{key_length} + value_length > pairs.size()) return false;
  pair = {static_cast<PairKind>(kind), pairs.substr(0, key_length), pairs.substr(key_length, value_length)};
  pairs.remove_prefix(std::size_t{key_length} + value_length);
  return true;
}

Put::Put(std::string& pairs, std::string_view key) : pairs_(pairs), key_bytes_(key.size()) {
  add_number(pairs_, static_cast<std::uint8_t>(PairKind::kPut));
  add_number(pairs_, static_cast<std::uint32_t>(key.size()));
  add_number(pairs_, std::uint32_t{0});
  pairs_ += key;
  value_begins_ = pairs_.size();
}

Put::~Put() {
  std::string length;
  add_number(length, static_cast<std::uint32_t>(pairs_.size() - value_begins_));
  std::copy(length.begin(), length.end(), pairs_.begin() + static_cast<std::ptrdiff_t>(value_begins_ - key_bytes_ - kLengthBytes));
}

void add_remove(std::string& pairs, std::string_view from, std::string_view below) {
  add_number(pairs, static_cast<std::uint8_t>(PairKind::kRemove));
  add_number(pairs, static_cast<std::uint32_t>(from.size()));
  add_number(pairs, static_cast<std::uint32_t>(below.size()));
  pairs += from;
  pairs += below;
}

// ---- keys

std::string key_of(KeyKind kind) { return std::string(1, static_cast<char>(kind)); }

std::string key_of(KeyKind kind, std::string_view rest) {
  std::string key = key_of(kind);
  key += rest;
  return key;
}

std::string key_of(KeyKind kind, std::uint64_t first, std::string_view rest) {
  std::string key = key_of(kind);
  add_to_key(key, first);
  key += rest;
  return key;
}

std::string key_of(KeyKind kind, std::uint64_t first, std::uint64_t second) {
  std::string key = key_of(kind, first);
  add_to_key(key, second);
  return key;
}

std::string key_of(KeyKind kind, std::uint64_t first, std::uint64_t second, std::uint64_t third) {
  std::string key = key_of(kind, first, second);
  add_to_key(key, third);
  return key;
}

std::string key_of(const PartKey& part) {
  std::string key = key_of(KeyKind::kPart, part.record_key);
  key.push_back(kEndOfText);
  add_to_key(key, part.walk);
  add_to_key(key, part.number);
  return key;
}

bool read_key(std::string_view key, PartKey& part) {
  constexpr std::size_t kNumberBytes = sizeof(std::uint64_t);
  constexpr std::size_t kTailBytes = 1 + 2 * kNumberBytes;
  if (key.size() < 1 + kTailBytes || key[key.size() - kTailBytes] != kEndOfText) return false;
  part.record_key = key.substr(1, key.size() - 1 - kTailBytes);
  part.walk = number_at(key, key.size() - 2 * kNumberBytes);
  part.number = number_at(key, key.size() - kNumberBytes);
  return true;
}

std::uint64_t first_number(std::string_view key) { return key.size() < 1 + sizeof(std::uint64_t) ? 0 : number_at(key, 1); }

std::uint64_t second_number(std::string_view key) { return number_at(key, 1 + sizeof(std::uint64_t)); }

// ---- values

void add_value(std::string& pairs, const CheckpointHeader& header) {
  add_number(pairs, header.format);
  add_number(pairs, header.shard);
  add_number(pairs, header.shards);
  add_number(pairs, header.incarnation);
  add_number(pairs, header.position);
  add_number(pairs, header.highest);
  add_number(pairs, header.time_ms);
  add_number(pairs, header.promised_ms);
  for (const LoggedType& type : header.types) {
    add_number(pairs, type.id);
    add_number(pairs, static_cast<std::uint8_t>(type.retired));
    add_number(pairs, static_cast<std::uint32_t>(type.definition.size()));
    pairs += type.definition;
  }
}

namespace {

bool take_types(std::string_view& bytes, std::vector<LoggedType>& types) {
  while (!bytes.empty()) {
    LoggedType type;
    std::uint8_t retired = 0;
    std::uint32_t length = 0;
    if (!take_number(bytes, type.id) || !take_number(bytes, retired) || retired > 1 || !take_number(bytes, length) || length > bytes.size())
      return false;
    type.retired = retired == 1;
    type.definition = bytes.substr(0, length);
    bytes.remove_prefix(length);
    types.push_back(type);
  }
  return true;
}

}  // namespace

bool read_value(std::string_view bytes, CheckpointHeader& header) {
  if (!take_number(bytes, header.format)) return false;
  if (header.format > kCheckpointFormat) return true;
  return take_number(bytes, header.shard) && take_number(bytes, header.shards) && take_number(bytes, header.incarnation) &&
         take_number(bytes, header.position) && take_number(bytes, header.highest) &&
         (header.format < 3 || take_number(bytes, header.time_ms)) && (header.format < 7 || take_number(bytes, header.promised_ms)) &&
         (header.format < 10 || take_types(bytes, header.types)) && bytes.empty();
}

void add_value(std::string& pairs, const RecordHead& head) {
  if (head.expires_at_ms != 0) {
    add_number(pairs, kExpires);
    add_number(pairs, head.expires_at_ms);
  }
  if (head.parts != 0) add_number(pairs, kInParts);
  add_number(pairs, head.type);
  add_number(pairs, head.last_position);
  add_number(pairs, head.last_commit);
  if (head.parts == 0) return;
  add_number(pairs, head.walk);
  add_number(pairs, head.parts);
}

bool read_value(std::string_view bytes, RecordHead& head, std::string_view& state) {
  if (!take_number(bytes, head.type)) return false;
  if (head.type == kExpires && (!take_number(bytes, head.expires_at_ms) || !take_number(bytes, head.type))) return false;
  const bool in_parts = head.type == kInParts;
  if (in_parts && !take_number(bytes, head.type)) return false;
  if (!take_number(bytes, head.last_position) || !take_number(bytes, head.last_commit)) return false;
  state = bytes;
  if (head.is_vacant()) return !in_parts && state.empty();
  if (!in_parts) return true;
  return take_number(state, head.walk) && take_number(state, head.parts) && state.empty() && head.parts != 0;
}

void add_value(std::string& pairs, const UnforgottenCommit& commit) {
  add_number(pairs, commit.committed_at);
  add_number(pairs, commit.expires_wall_ms);
  for (const std::uint32_t shard : commit.participants) add_number(pairs, shard);
}

bool read_value(std::string_view bytes, UnforgottenCommit& commit) {
  if (!take_number(bytes, commit.committed_at) || !take_number(bytes, commit.expires_wall_ms)) return false;
  while (!bytes.empty()) {
    if (!take_number(bytes, commit.participants.emplace_back())) return false;
  }
  return true;
}

void add_value(std::string& pairs, const KeptOutcome& outcome) {
  pairs.append(outcome.id.begin(), outcome.id.end());
  add_number(pairs, outcome.committed_at);
  add_number(pairs, outcome.until_wall_ms);
}

bool take_value(std::string_view& bytes, KeptOutcome& outcome) {
  if (bytes.size() < outcome.id.size()) return false;
  std::copy_n(bytes.begin(), outcome.id.size(), outcome.id.begin());
  bytes.remove_prefix(outcome.id.size());
  return take_number(bytes, outcome.committed_at) && take_number(bytes, outcome.until_wall_ms);
}

void add_value(std::string& pairs, const KeptSession& session) {
  add_number(pairs, session.position);
  add_number(pairs, session.below);
  add_number(pairs, session.dropped);
}

bool take_value(std::string_view& bytes, KeptSession& session) {
  return take_number(bytes, session.position) && take_number(bytes, session.below) && take_number(bytes, session.dropped);
}

void add_value(std::string& pairs, const KeptNatives& natives) {
  add_number(pairs, natives.last);
  add_number(pairs, static_cast<std::uint32_t>(natives.bytes.size()));
  pairs += natives.bytes;
}

bool take_value(std::string_view& bytes, KeptNatives& natives) {
  std::uint32_t length = 0;
  if (!take_number(bytes, natives.last) || !take_number(bytes, length) || length > bytes.size()) return false;
  natives.bytes = bytes.substr(0, length);
  bytes.remove_prefix(length);
  return true;
}

}  // namespace claret
