// Mistakes that can be switched on in the core, to test that the simulation's history check finds them
// (loadtest/proofs/simulation/mutations.test.ts). They exist only in the addon claret_mutants: elsewhere `mutated` is the constant false,
// and the mistakes are compiled away.
#pragma once

namespace claret {

enum class Mutation {
  kNone,
  kSkipConflict,  // operations of modes that exclude each other hold a record together
  kSkipDependent,  // the same for modes whose operations the type judges by their arguments
  kCommitTwice,  // the effects of a commit are applied twice
  kMissingVoteIsYes,  // recovery commits without the votes of participants that have not answered
  kForgetAbort,  // an attempt that was asked about before it came here is not refused afterwards
  kReleaseReadsAtVote,  // observing operations release their locks at the vote
  kWoundedMayWait,  // a wounded transaction may wait, and is not aborted
  kForgetVoteAtRestart,  // a vote in the log does not get its locks back
  kAnswerBeforeDurable,  // output that depends on a log entry leaves at once
  kCheckpointKeepsFlags,  // a record that was put counts as put in spite of later changes
  kCheckpointBeforeLeaving,  // a record is put although an attempt that has ended has yet to leave it
  kCheckpointForgetsVotes,  // votes without an outcome are not put
  kCheckpointBeginsLate,  // a checkpoint claims one entry more than it holds
  kCheckpointMixesParts,  // changes to a large record while its parts are put appear in some of them
  kAnswersNotLogged,  // the commit of a transaction with an id is logged without its id and answer
  kAnswersNotPut,  // answers are not put into a checkpoint
  kRefuseFarOutcome,  // an outcome far ahead of the clock ends its session but counts as received; also does kStartAhead
  kStartAhead,  // each start begins some seconds above the one before
  kStartBelowCeiling,  // a start begins at its wall clock
  kNativeIgnoresVotes,  // a native passes holders that have voted
  kNativeSparesReaders,  // a native does not break the unvoted holders whose results it changes
  kWithdrawnCountsAsDone,  // natives that are withdrawn with their session are told as executed
  kResumedSessionStands,  // a session is resumed while it stands: its natives may be executed after they were told as not executed
  kNativesNotNumbered,  // the log does not say which natives of a session were executed
  kNativeOvertakesOwn,  // a native does not wait behind a waiting one of its session on the same record
  kNewcomersPassNatives,  // claims that come later pass a waiting native for ever
  kNativesNotCut,  // a run of natives that a cut divides is one entry of the log
  kNativesNotPositioned,  // the records that a run of natives has changed do not get the position of its entry
  kOneShotIgnoresVotes,  // what a one-shot transaction observes passes holders that have voted
};

#ifdef CLARET_MUTANTS
inline Mutation the_mutation = Mutation::kNone;
inline bool mutated(Mutation mutation) { return mutation == the_mutation; }
#else
constexpr bool mutated(Mutation) { return false; }
#endif

}  // namespace claret
