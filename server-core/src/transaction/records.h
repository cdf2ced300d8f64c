// All records of a shard, by key.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "gate/gate.h"
#include "structure/text_hash.h"

namespace claret {

class Records {
 public:
  // Null when no commit has made the record and nobody visits it.
  Record* find(std::string_view key) const {
    const auto found = records_.find(key);
    return found == records_.end() ? nullptr : found->second.get();
  }

  Record& find_or_create(std::string_view key, const DataType& type) {
    if (Record* record = find(key)) return *record;
    auto record = std::make_unique<Record>();
    record->key = key;
    record->type = &type;
    record->state = type.create();
    Record& made = *record;
    records_.emplace(std::string_view(made.key), std::move(record));
    return made;
  }

  // A visit refers to the record: it stays until as many unpins.
  void pin(Record& record) { ++record.pins; }
  void unpin(Record& record) { --record.pins; }

  // Drops an idle gate, and the record with it if no commit ever made it. The reference may be dead afterwards.
  void tidy(Record& record) {
    if (record.queued || record.pins != 0) return;
    if (record.gate != nullptr) {
      if (!record.gate->idle()) return;
      record.gate.reset();
    }
    if (record.last_commit == 0) records_.erase(std::string_view(record.key));
  }

  std::size_t size() const { return records_.size(); }

 private:
  absl::flat_hash_map<std::string_view, std::unique_ptr<Record>, TextHash, std::equal_to<>> records_;  // keys live in the records; never walked
};

}  // namespace claret
