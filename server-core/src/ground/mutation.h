// Mistakes that can be put into the core on purpose, to see that the simulation's history check finds them
// (loadtest/proofs/simulation/mutations.test.ts). They exist only in the addon claret_mutants: in the real one `mutated` is the
// constant false, and nothing of them is compiled.
#pragma once

namespace claret {

enum class Mutation {
  kNone,
  kSkipConflict,  // operations of modes that exclude each other hold a record together
  kSkipDependent,  // so do those of which the type decides by their arguments
  kCommitTwice,  // the effects of a commit are applied twice
  kMissingVoteIsYes,  // recovery commits without the votes of those who have not answered
  kForgetAbort,  // an attempt that was asked about before it came here is not refused from then on
  kReleaseReadsAtVote,  // what only reads lets go of its locks when the shard has voted
  kWoundedMayWait,  // a wounded transaction waits, and is left alone
  kForgetVoteAtRestart,  // a vote in the log does not hold its locks again
  kAnswerBeforeDurable,  // what depends on an entry of the log leaves at once
  kCheckpointKeepsFlags,  // a record that was put counts as put whatever changes it afterwards
  kCheckpointBeforeLeaving,  // a record is put although an attempt that has ended has yet to leave it
  kCheckpointForgetsVotes,  // votes without an outcome are not put
  kCheckpointBeginsLate,  // a checkpoint counts for one entry more than it holds
  kCheckpointMixesParts,  // what changes a large record while its parts are put is in some of them
  kAnswersNotLogged,  // that a transaction with an id has committed, and its answer, is not logged
  kAnswersNotPut,  // nor put into a checkpoint
  kRefuseFarOutcome,  // an outcome far ahead of the clock ends its session, and counts as taken in; and as the next
  kStartAhead,  // each start begins some seconds above the one before
  kStartBelowCeiling,  // a start begins at its wall clock
};

#ifdef CLARET_MUTANTS
inline Mutation the_mutation = Mutation::kNone;
inline bool mutated(Mutation mutation) { return mutation == the_mutation; }
#else
constexpr bool mutated(Mutation) { return false; }
#endif

}  // namespace claret
