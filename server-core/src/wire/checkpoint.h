// The pairs of a shard's checkpoints (docs/wire-format.md, "Checkpoints"), as bytes and back. Numbers are unsigned,
// little-endian in lengths and values, big-endian in keys, which are ordered by their bytes:
//
//   pairs := pair*                                         the result of one call: whole pairs, to be applied in order
//   pair  := kind(u8) key_length(u32) value_length(u32) key value
//            kind 0, put: sets the key's value; kind 1, remove: removes the keys from `key` up to, but without, `value`
//
//   key                                                    value
//   header       0x01                                      format(u32) shard(u32) shards(u32) incarnation(u64)
//                                                          position(u64) highest(u64) time(u64) promised(u64)
//                                                          (type(u8) retired(u8) length(u32) definition)*
//   record       0x02 text                                 type(u8) last_position(u64) last_commit(u64) state
//                                              large:    0(u8) type(u8) last_position(u64) last_commit(u64)
//                                                          walk(u64) parts(u64)
//                                              vacant:   0xFF last_position(u64) last_commit(u64)
//                                              each of them may begin with 0xFE expires(u64)
//   vote         0x03 checkpoint(u64) position(u64)        a log of one entry: the vote
//   commit       0x04 checkpoint(u64) attempt(16)          at(u64) expires(u64) participant(u32)*
//   outcomes     0x05 until(u64) checkpoint(u64) n(u64)    (attempt(16) at(u64) until(u64))*           at 0: aborted
//   answers      0x06 until(u64) checkpoint(u64) n(u64)    a piece of kept_answer.h
//   part         0x07 text 0xFF walk(u64) n(u64)           the n-th part, from 0, of a large record's state
//   session      0x08 checkpoint(u64) session(u64)         position(u64) below(u64) dropped(u64)
//                                                            (last(u64) length(u32) fields of a ServerFrame)*
//   slots        0x09                                      what the shard owns, and its moves (slots.h)
//
// In the pieces of a run of slots that moves (slots.h), records, parts and answers are the same, and
//
//   piece        0x0A                                      what the piece is (slots.h); comes first
//
// There a large record's pair comes before its parts, with the first of them as its state.
//
// `checkpoint` is the position of the checkpoint that put the key. No timestamp before that was above `highest`. `state` is the result of
// the type's encode. `walk` is greater than that of all earlier parts (no text contains the byte 0xFF). A commit is over several shards and
// not forgotten yet. `expires`, `until` and `time` are in the shard's own time (log_entry.h); in a key, `until` is the greatest of the
// value's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "adt/adt.h"
#include "wire/log_entry.h"

namespace claret {

// Format 1 had no parts, format 2 no time, format 3 no sessions, format 4 no batches, format 5 no moves, format 6 no promises, format 7 no
// epochs, format 8 no vacant records and no expiry, format 9 no installed types; the rest means the same. The number grows with kLogFormat too, because votes are log
// entries, and the entries behind a checkpoint need not contain one that states its format.
inline constexpr std::uint32_t kCheckpointFormat = 10;

enum class PairKind : std::uint8_t { kPut = 0, kRemove = 1 };

enum class KeyKind : std::uint8_t {
  kHeader = 1,
  kRecord = 2,
  kVote = 3,
  kCommit = 4,
  kOutcomes = 5,
  kAnswers = 6,
  kPart = 7,
  kSession = 8,
  kSlots = 9,
  kPiece = 10,
};

struct Pair {
  PairKind kind = PairKind::kPut;
  std::string_view key;
  std::string_view value;
};

// Takes the next pair off the front of `pairs`. False if the bytes are not a pair.
bool take_pair(std::string_view& pairs, Pair& pair);

// Appends a put; its value is everything that is appended to `pairs` during this object's lifetime.
class Put {
 public:
  Put(std::string& pairs, std::string_view key);
  ~Put();
  Put(const Put&) = delete;
  Put& operator=(const Put&) = delete;

 private:
  std::string& pairs_;
  std::size_t key_bytes_;
  std::size_t value_begins_;
};

void add_remove(std::string& pairs, std::string_view from, std::string_view below);

// ---- keys

std::string key_of(KeyKind kind);
std::string key_of(KeyKind kind, std::string_view rest);
std::string key_of(KeyKind kind, std::uint64_t first, std::string_view rest = {});
std::string key_of(KeyKind kind, std::uint64_t first, std::uint64_t second);
std::string key_of(KeyKind kind, std::uint64_t first, std::uint64_t second, std::uint64_t third);

struct PartKey {
  std::string_view record_key;
  std::uint64_t walk = 0;
  std::uint64_t number = 0;
};
std::string key_of(const PartKey& part);
// False if the key is not a part's.
bool read_key(std::string_view key, PartKey& part);

// The number with which the key's rest begins; 0 if there is none.
std::uint64_t first_number(std::string_view key);
// The number behind it. REQUIRES: the key has two.
std::uint64_t second_number(std::string_view key);

// ---- values: each add_ appends one; each read_ and take_ returns false if the bytes are not one

struct CheckpointHeader {
  std::uint32_t format = kCheckpointFormat;
  std::uint32_t shard = 0;
  std::uint32_t shards = 0;
  std::uint64_t incarnation = 0;
  std::uint64_t position = 0;
  Timestamp highest = 0;
  std::uint64_t time_ms = 0;  // when it was taken; 0: unknown
  std::uint64_t promised_ms = 0;  // as in the log
  std::vector<LoggedType> types{};  // their definitions are those of the bytes
};
void add_value(std::string& pairs, const CheckpointHeader& header);
// For a later format, reads the format alone.
bool read_value(std::string_view bytes, CheckpointHeader& header);

// Followed by the state, unless the state is in parts.
struct RecordHead {
  static constexpr std::uint8_t kVacant = 0xFF;

  bool is_vacant() const { return type == kVacant; }

  std::uint8_t type = 0;  // kVacant: the record is not there, and has no state
  std::uint64_t last_position = 0;
  Timestamp last_commit = 0;
  std::uint64_t expires_at_ms = 0;  // 0: never
  std::uint64_t walk = 0;
  std::uint64_t parts = 0;  // number of parts; 0: the state follows
};
void add_value(std::string& pairs, const RecordHead& head);
bool read_value(std::string_view bytes, RecordHead& head, std::string_view& state);

// A commit over several shards that some participant may not have logged yet.
struct UnforgottenCommit {
  Timestamp committed_at = 0;
  std::uint64_t expires_wall_ms = 0;
  ShardList participants;
};
void add_value(std::string& pairs, const UnforgottenCommit& commit);
bool read_value(std::string_view bytes, UnforgottenCommit& commit);

struct KeptOutcome {
  AttemptId id{};
  Timestamp committed_at = 0;  // 0: aborted
  std::uint64_t until_wall_ms = 0;
};
void add_value(std::string& pairs, const KeptOutcome& outcome);
// Takes the next outcome off the front of `bytes`.
bool take_value(std::string_view& bytes, KeptOutcome& outcome);

// A session with natives: its answers (native_answers.h) follow.
struct KeptSession {
  std::uint64_t position = 0;
  std::uint64_t below = 0;
  std::uint64_t dropped = 0;
};
void add_value(std::string& pairs, const KeptSession& session);
bool take_value(std::string_view& bytes, KeptSession& session);

// The answer to natives up to number `last`.
struct KeptNatives {
  std::uint64_t last = 0;
  std::string_view bytes;
};
void add_value(std::string& pairs, const KeptNatives& natives);
bool take_value(std::string_view& bytes, KeptNatives& natives);

}  // namespace claret
