// The bookkeeping of a copy: the records of a run of slots that is to be given to another shard. Giving takes it (giving.h), piece by piece
// while the shard keeps running.
//
// The copy walks over the run's records, slot by slot. A record that changes after its copy is copied again, and so is one that is created in
// a slot that the walk has begun. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "transaction/record_walk.h"

namespace claret {

struct SlotCopy {
  bool under_way = false;
  SlotRun slots;
  std::uint16_t number = 0;  // of this copy: records that have it are as they were copied
  std::uint32_t begun_below = 0;  // the walk has begun the slots below
  Record* next = nullptr;  // of the slot begun last
  std::size_t left = 0;  // records that the walk has yet to come to; more if some have gone meanwhile
  std::deque<Record*> again;  // each once
  RecordWalk walk;

  // An entry has changed the record.
  void changed(Record& record) {
    if (!under_way || record.copied != number) return;
    record.copied = 0;
    again.push_back(&record);
  }
  // The record's state is about to be replaced: what has been copied of it is void.
  void replacing(Record& record) {
    if (&record != walk.record) return;
    walk = {};
    record.copied = 0;
    again.push_back(&record);
  }
  // A commit creates the record.
  void made(Record& record) {
    if (!under_way || !slots.contains(record.slot)) return;
    if (record.slot < begun_below) {
      again.push_back(&record);
    } else {
      ++left;
    }
  }
};

}  // namespace claret
