// The night of the law of members of epochs (epochs_laws.cc): the records, and what happens to them.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <vector>

#include "adt/laws.h"

namespace claret::laws {

struct CallOn {
  std::size_t record;
  Call call;
};

struct Happening {
  enum class What : std::uint8_t { kMember, kStranger, kStrangerCommits, kStrangerAborts, kClose, kSeal, kCallOff, kAsk, kDecide, kStep };
  What what;
  std::vector<CallOn> calls;  // of a member, or of another transaction
  std::size_t who;  // modulo the number of those present; of a close: the manager
  bool alone;  // no other shard takes part in the member
  bool asked_before;  // a peer has asked about the epoch that is closed
  std::vector<int> others;  // by how many ticks other shards' votes are later than those here; kNotListed: the member is not in their list
};

struct Night {
  std::vector<Scenario> records;  // the type of each, and the history that led to its state
  std::vector<Happening> happenings;
};

inline constexpr int kNotListed = 1000;

// Needed by RapidCheck to show a counterexample.
std::ostream& operator<<(std::ostream& out, const Night& night);

// Draws a night with two records of the type, and perhaps one of another. Call it within a property.
Night draw_night(const DataType& type);

}  // namespace claret::laws
