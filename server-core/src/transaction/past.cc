#include "transaction/past.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "ground/check.h"

namespace claret {

namespace {

// A shard does not wake up for each change that is to be forgotten.
constexpr double kTogetherMs = 50;
// A chunk takes changes for this part of the time that they are kept, and this part of the memory.
constexpr double kChunksMin = 16;
constexpr std::size_t kChunkBytesMax = 64U << 10U;

// What a version begins with. Then come its arguments, its result, and what undoing it needs.
struct Header {
  Timestamp at;
  Timestamp before;
  std::uint64_t previous;  // the position of the record's version before it
  double voted_ms;
  const DataType* type;
  const OperationSpec* operation;
  std::uint32_t arguments;  // their number
  std::uint32_t made;
};

enum class Tag : std::uint8_t { kAbsent, kFalse, kTrue, kInteger, kNumber, kText, kList };

std::size_t size_of(const Value& value) {
  if (value.is_integer() || value.is_number()) return 1 + sizeof(std::int64_t);
  if (value.is_text()) return 1 + sizeof(std::uint32_t) + value.text().size();
  if (!value.is_list()) return 1;
  std::size_t bytes = 1 + sizeof(std::uint32_t);
  for (const Value& item : value.list()) bytes += size_of(item);
  return bytes;
}

class Writer {
 public:
  explicit Writer(std::byte* to) : to_(to) {}

  void raw(const void* from, std::size_t bytes) {
    if (bytes != 0) std::memcpy(to_, from, bytes);
    to_ += bytes;
  }
  void value(const Value& value) {
    if (value.absent()) return tag(Tag::kAbsent);
    if (value.is_boolean()) return tag(value.boolean() ? Tag::kTrue : Tag::kFalse);
    if (value.is_integer()) return fixed(Tag::kInteger, value.integer());
    if (value.is_number()) return fixed(Tag::kNumber, value.number());
    if (value.is_text()) {
      fixed(Tag::kText, static_cast<std::uint32_t>(value.text().size()));
      return raw(value.text().data(), value.text().size());
    }
    fixed(Tag::kList, static_cast<std::uint32_t>(value.list().size()));
    for (const Value& item : value.list()) this->value(item);
  }
  const std::byte* end() const { return to_; }

 private:
  void tag(Tag tag) { *to_++ = static_cast<std::byte>(tag); }
  template <typename T>
  void fixed(Tag tag, T number) {
    this->tag(tag);
    raw(&number, sizeof number);
  }

  std::byte* to_;
};

class Reader {
 public:
  explicit Reader(const std::byte* from) : from_(from) {}

  template <typename T>
  T fixed() {
    T number;
    std::memcpy(&number, from_, sizeof number);
    from_ += sizeof number;
    return number;
  }
  Value value() {
    switch (static_cast<Tag>(*from_++)) {
      case Tag::kAbsent:
        return {};
      case Tag::kFalse:
        return false;
      case Tag::kTrue:
        return true;
      case Tag::kInteger:
        return fixed<std::int64_t>();
      case Tag::kNumber:
        return fixed<double>();
      case Tag::kText: {
        const auto bytes = fixed<std::uint32_t>();
        std::string text(reinterpret_cast<const char*>(from_), bytes);
        from_ += bytes;
        return text;
      }
      case Tag::kList:
        return list();
    }
    return {};
  }

 private:
  Value list() {
    Value::List items(fixed<std::uint32_t>());
    for (Value& item : items) item = value();
    return items;
  }

  const std::byte* from_;
};

}  // namespace

Past::Past(const PastSettings& settings)
    : settings_(settings),
      chunk_bytes_(std::clamp<std::size_t>(settings.bytes_max / static_cast<std::size_t>(kChunksMin), 1, kChunkBytesMax)) {
  static_assert(kChunkBytesMax <= std::size_t{1} << kOffsetBits);
}

void Past::keep(Record& record, Timestamp at, Timestamp before, double voted_ms, const DataType& type, const Call& call,
                const Value& result, const Value& kept) {
  std::size_t bytes = sizeof(Header) + size_of(result) + size_of(kept);
  for (const Value& argument : call.arguments) bytes += size_of(argument);
  std::byte* to = take(bytes);
  if (to == nullptr) {
    record.past = 0;
    return;
  }
  const Header header{at,
                      before,
                      record.past,
                      std::min(voted_ms, now_ms_),
                      &type,
                      call.operation,
                      static_cast<std::uint32_t>(call.arguments.size()),
                      record.made ? 1U : 0U};
  Writer writer(to);
  writer.raw(&header, sizeof header);
  for (const Value& argument : call.arguments) writer.value(argument);
  writer.value(result);
  writer.value(kept);
  CLARET_CHECK(writer.end() == to + bytes);
  Chunk& chunk = chunks_.back();
  record.past = (first_chunk_ + chunks_.size() - 1) << kOffsetBits | chunk.used;
  chunk.used += bytes;
  chunk.last_ms = now_ms_;
  ++chunk.count;
  ++count_;
}

bool Past::since(const Record& record, Timestamp at, Versions& newest_first) const {
  newest_first.clear();
  std::uint64_t position = record.past;
  for (Timestamp up_to = record.last_commit; up_to > at;) {
    const std::uint64_t number = position >> kOffsetBits;
    if (number < first_chunk_ || newest_first.size() == kVersionsPerReadMax) return false;
    Reader reader(chunks_[number - first_chunk_].bytes.get() + (position & ((std::uint64_t{1} << kOffsetBits) - 1)));
    const auto header = reader.fixed<Header>();
    Version& version = newest_first.emplace_back();
    version.at = header.at;
    version.before = header.before;
    version.voted_ms = header.voted_ms;
    version.type = header.type;
    version.made = header.made != 0;
    version.call.operation = header.operation;
    version.call.arguments.resize(header.arguments);
    for (Value& argument : version.call.arguments) argument = reader.value();
    version.result = reader.value();
    version.kept = reader.value();
    position = header.previous;
    up_to = header.before;
  }
  return true;
}

std::byte* Past::take(std::size_t bytes) {
  const bool fits = !chunks_.empty() && chunks_.back().capacity - chunks_.back().used >= bytes &&
                    now_ms_ - chunks_.back().first_ms <= std::max(kTogetherMs, keep_ms() / kChunksMin);
  if (!fits && !begin_chunk(std::max(bytes, chunk_bytes_))) return nullptr;
  Chunk& chunk = chunks_.back();
  return chunk.bytes.get() + chunk.used;
}

bool Past::begin_chunk(std::size_t bytes) {
  if (bytes > settings_.bytes_max) return false;
  while (bytes_ + bytes > settings_.bytes_max) forget_oldest();
  Chunk chunk = bytes == spare_.capacity ? std::exchange(spare_, {}) : Chunk{std::make_unique_for_overwrite<std::byte[]>(bytes), bytes};
  chunk.first_ms = now_ms_;
  bytes_ += bytes;
  chunks_.push_back(std::move(chunk));
  return true;
}

void Past::forget_oldest() {
  Chunk& oldest = chunks_.front();
  bytes_ -= oldest.capacity;
  count_ -= oldest.count;
  if (oldest.capacity == chunk_bytes_) spare_ = {std::move(oldest.bytes), oldest.capacity};
  chunks_.pop_front();
  ++first_chunk_;
}

// A record's versions have no gap: those from before the next lease are forgotten, since changes in between are not kept.
void Past::end_lease() {
  leased_ = false;
  if (settings_.keep_ms > 0) return;
  forget();
  spare_ = {};
}

void Past::forget() {
  while (!chunks_.empty()) forget_oldest();
}

bool Past::change(const Change& change) {
  // Nothing that was executed before can be undone after records have got another form.
  if (change.kind == ChangeKind::kType && change.step == ChangeStep::kMaking && change.migrates) forget();
  return true;
}

void Past::due() {
  while (!chunks_.empty() && chunks_.front().last_ms + keep_ms() <= now_ms_) forget_oldest();
}

double Past::next_due_ms() const {
  return chunks_.empty() ? std::numeric_limits<double>::infinity() : chunks_.front().last_ms + keep_ms() + kTogetherMs;
}

}  // namespace claret
