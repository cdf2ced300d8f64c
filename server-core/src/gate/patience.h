// Patience: how long those wait who come to a record, and whom they wait for then. All of it is here. docs/rules.md, section 12, has the same times;
// `npm run check` compares them.
//
// One law: who may hold something while it waits has less patience than who holds nothing. Others wait for the first, and would wait for both times.
#pragma once

namespace claret {

// In milliseconds.
struct Patience {
  // ---- who waits in the queue of a gate
  double phase_cap_ms = 5;  // older waiters, from the begin of a phase: then newcomers queue behind them
  double native_ms = 1;  // natives: then claims stay out
  double look_again_ms = 5;  // what could not expire is tried again, and chains beyond their patience are looked at again

  // ---- natives and looks at the past, which hold nothing
  double guard_ms = 5;  // for a guarded attempt: then the native breaks it
  double wait_ms = 1000;  // for all others: then it ends

  // ---- claims, whose attempts may hold other records
  double wound_delay_ms = 1;  // from the begin of a wait to its first look at who is in its way, and between looks
  double wound_grace_ms = 20;  // a wounded attempt has this time to end by itself
  double idle_ms = 1000;  // an attempt that has been silent for this time ends if another waits for it
  double sleep_ms = 20;  // for warranties that it violates: clients that are there have returned them by then. Then it ends

  // ---- transactions that were told to come again once a warranty has ended
  double comes_back_ms = 500;  // they are there within this time; until then nothing is promised firmly
  double denied_pause_ms = 50;  // without phasing, they are in no queue: until then nothing is promised

  // ---- chains
  double ride_cap_ms = 1;  // a claim or native: then members are denied
  double turn_ms = 0.2;  // the first of the chains that wait: then those that have entered something queue behind it
  double chain_least_ms = 15;  // anybody, for a chain: then it breaks, and a batch stands back; `chain_times` as long as they usually take
  double chain_most_ms = 60;
  double chain_times = 3;

  // ---- members of epochs
  double passed_over_ms = 200;  // gathered, until an epoch could take it: then it ends
  double silent_ms = 300;  // listed, until its manager speaks: then the shards settle it
};

inline constexpr Patience kPatience;
static_assert(kPatience.sleep_ms < kPatience.wait_ms && kPatience.wound_grace_ms < kPatience.wait_ms,
              "who may hold something has less patience");
static_assert(kPatience.chain_most_ms < kPatience.wait_ms && kPatience.ride_cap_ms < kPatience.wound_grace_ms);

}  // namespace claret
