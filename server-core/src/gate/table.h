// The table: what somebody who comes to a record meets at what stands there. docs/rules.md has the same table and explains it; `npm run check`
// compares the two.
//
// All that admits goes by it: claims and natives (gate.cc, native.cc, locks.cc), members of epochs (listing.cc), reads of the past, members of
// chains and warranties (in `transaction`).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ground/mutation.h"

namespace claret {

enum class Asker : std::uint8_t {
  kLook,  // observes and leaves nothing
  kPastLook,  // the same, as of a time that has passed
  kNative,  // changes and leaves nothing
  kHold,  // a claim: holds until the outcome of its transaction
  kListed,  // a member of an epoch
  kRide,  // a member of a chain: executed ahead of its commit
  kPromise,  // asks for a warranty
};

enum class Standing : std::uint8_t {
  kSoft,  // a holder that has yet to vote
  kHard,  // a holder that has voted, or leaves
  kTip,  // a run
  kWarranty,
  kDrain,  // of the record's slot
  kQueue,  // those who wait
};

enum class Cell : std::uint8_t {
  kPass,
  kWait,
  kCommute,  // pass if the two commute, otherwise wait
  kBreak,  // pass if they commute, or the other is an intent or will overwrite; otherwise break it, but wait while it is guarded
  kAsOf,  // pass if it took effect later, or if they always commute; otherwise wait
  kBeneath,  // pass beneath it, unless it has voted by then
  kItsEpoch,  // pass if it is of the same epoch or they commute; otherwise wait
  kOnTop,  // its own chain's: on top; otherwise wait
  kKeepTrue,  // pass if what was promised stays true; otherwise recall it and sleep
  kModes,  // the same, judged by modes alone
  kUnrecalled,  // pass unless it is recalled
  kInside,  // pass if its transaction held a record of these slots before; otherwise wait
  kPhase,  // pass while the phase lasts, and no native has waited for long
  kSession,  // pass unless an earlier native of its session waits
  kTurn,  // pass unless another has waited for long
};

inline constexpr std::size_t kAskers = 7;
inline constexpr std::size_t kStandings = 6;

// clang-format off
inline constexpr std::array<std::array<Cell, kStandings>, kAskers> kTable{{
    //                soft             hard             tip             warranty           drain          queue
    /* look      */ {{Cell::kPass,     Cell::kCommute,  Cell::kWait,    Cell::kPass,       Cell::kPass,   Cell::kPass}},
    /* past look */ {{Cell::kPass,     Cell::kAsOf,     Cell::kBeneath, Cell::kPass,       Cell::kPass,   Cell::kPass}},
    /* native    */ {{Cell::kBreak,    Cell::kCommute,  Cell::kWait,    Cell::kKeepTrue,   Cell::kWait,   Cell::kSession}},
    /* hold      */ {{Cell::kCommute,  Cell::kCommute,  Cell::kWait,    Cell::kKeepTrue,   Cell::kInside, Cell::kPhase}},
    /* listed    */ {{Cell::kItsEpoch, Cell::kItsEpoch, Cell::kWait,    Cell::kKeepTrue,   Cell::kWait,   Cell::kPass}},
    /* ride      */ {{Cell::kWait,     Cell::kWait,     Cell::kOnTop,   Cell::kModes,      Cell::kWait,   Cell::kTurn}},
    /* promise   */ {{Cell::kCommute,  Cell::kCommute,  Cell::kWait,    Cell::kUnrecalled, Cell::kWait,   Cell::kCommute}},
}};
// clang-format on

namespace gate_table {

// A mistake: somebody passes what the table does not let pass. Every cell that is not `pass` has one, but for two: those of a hold beside holders are
// Mutation::kSkipConflict and kSkipDependent (gate.cc), and who asks for a promise has just observed the record, so there is no tip any more.
struct Flip {
  Mutation mutation;
  Asker asker;
  std::array<Standing, 2> standing;
};

constexpr Flip flip(Mutation mutation, Asker asker, Standing standing) { return {mutation, asker, {standing, standing}}; }
constexpr Flip flip_holders(Mutation mutation, Asker asker) { return {mutation, asker, {Standing::kSoft, Standing::kHard}}; }

inline constexpr std::array kFlips{
    flip(Mutation::kOneShotIgnoresVotes, Asker::kLook, Standing::kHard),
    flip(Mutation::kNativeOnTip, Asker::kLook, Standing::kTip),
    flip(Mutation::kPastIgnoresVotes, Asker::kPastLook, Standing::kHard),
    flip(Mutation::kPastSeesTip, Asker::kPastLook, Standing::kTip),
    flip(Mutation::kNativeSparesReaders, Asker::kNative, Standing::kSoft),
    flip(Mutation::kNativeIgnoresVotes, Asker::kNative, Standing::kHard),
    flip(Mutation::kNativeOnTip, Asker::kNative, Standing::kTip),
    flip(Mutation::kNativeViolatesWarranty, Asker::kNative, Standing::kWarranty),
    flip(Mutation::kNativeIgnoresDrain, Asker::kNative, Standing::kDrain),
    flip(Mutation::kNativeOvertakesOwn, Asker::kNative, Standing::kQueue),
    flip(Mutation::kLockOnTip, Asker::kHold, Standing::kTip),
    flip(Mutation::kChangeViolatesWarranty, Asker::kHold, Standing::kWarranty),
    flip(Mutation::kHoldIgnoresDrain, Asker::kHold, Standing::kDrain),
    flip(Mutation::kNewcomersPassNatives, Asker::kHold, Standing::kQueue),
    flip_holders(Mutation::kEpochIgnoresHolders, Asker::kListed),
    flip(Mutation::kEpochOnTip, Asker::kListed, Standing::kTip),
    flip(Mutation::kEpochViolatesWarranty, Asker::kListed, Standing::kWarranty),
    flip(Mutation::kEpochIgnoresDrain, Asker::kListed, Standing::kDrain),
    flip_holders(Mutation::kRideIgnoresHolders, Asker::kRide),
    flip(Mutation::kForeignOnRun, Asker::kRide, Standing::kTip),
    flip(Mutation::kRideViolatesWarranty, Asker::kRide, Standing::kWarranty),
    flip(Mutation::kRideIgnoresDrain, Asker::kRide, Standing::kDrain),
    flip(Mutation::kRideIgnoresWaiters, Asker::kRide, Standing::kQueue),
    flip_holders(Mutation::kGrantBesideHolders, Asker::kPromise),
    flip(Mutation::kGrantOfRecalled, Asker::kPromise, Standing::kWarranty),
    flip(Mutation::kGrantInDrain, Asker::kPromise, Standing::kDrain),
    flip(Mutation::kGrantPastWaiters, Asker::kPromise, Standing::kQueue),
};

}  // namespace gate_table

constexpr Cell cell(Asker asker, Standing standing) {
#ifdef CLARET_MUTANTS
  for (const auto& [mutation, who, what] : gate_table::kFlips) {
    if (mutated(mutation) && who == asker && (what[0] == standing || what[1] == standing)) return Cell::kPass;
  }
#endif
  return kTable[static_cast<std::size_t>(asker)][static_cast<std::size_t>(standing)];
}

// Whatever the two are.
constexpr bool passes(Asker asker, Standing standing) { return cell(asker, standing) == Cell::kPass; }

}  // namespace claret
