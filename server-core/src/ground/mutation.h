// Mistakes that can be switched on in the core, to test that the tests find them: the core's own (core_mistakes), and the
// simulation's check of histories (loadtest/proofs/simulation/mutations.long.test.ts). They exist only in core_mistakes and in the addon claret_mutants:
// elsewhere `mutated` is the constant false, and the mistakes are compiled away.
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
  kSerialRepeats,  // two sessions have one serial number
  kNativesNotNumbered,  // the log does not say which natives of a session were executed
  kNativeOvertakesOwn,  // a native does not wait behind a waiting one of its session on the same record
  kNewcomersPassNatives,  // claims that come later pass a waiting native for ever
  kCommandsDivided,  // the natives of a Redis command have a time each, and a cut may divide them
  kNativesNotCut,  // a run of natives that a cut divides is one entry of the log
  kNativesNotPositioned,  // the records that a run of natives has changed do not get the position of its entry
  kOneShotIgnoresVotes,  // what a one-shot transaction observes passes holders that have voted
  kForeignOnRun,  // a member is executed on top of another chain's undecided members
  kNoUndo,  // members that are taken out leave their effects
  kUndoForwards,  // the effects of a broken chain are undone in the order in which they were made
  kNotExecutedAgain,  // what stands on a member that is taken out is not executed again
  kNotAnsweredAgain,  // what was executed again is not answered again
  kStaleAnswerCounts,  // a word counts although a member was answered again since
  kBrokenStillCommits,  // words of a broken chain commit
  kOldChainKept,  // a new chain of a session leaves what is undecided of the old one in place
  kWordSkipsUndecided,  // a word commits members although one before them is undecided
  kLockOnTip,  // a lock is granted on a record with a run
  kNativeOnTip,  // a native is executed on a record with a run
  kOvertakesInChain,  // a member that could be executed does not wait for those before it
  kBoardOfTip,  // boards show what members did that are undecided
  kBoardOfTwoTimes,  // a board mixes results of several times
  kBoardOfOldTime,  // a mark has the time of peeks that did not see what it shows
  kWatchOfTip,  // a watch reports what members did that are undecided
  kCheckpointOfTip,  // a checkpoint puts what members did that are undecided
  kPeekOfTip,  // a peek sees what members did that are undecided
  kPeekPassesVoted,  // a peek does not see that a change has been voted for
  kPeekAnyTime,  // a peek is answered although its record has changed since the wanted time
  kLoggedAtEntry,  // a member is logged when it is executed, not when it commits
  kLossUndoesVoted,  // a batch that has voted is aborted when its session is lost
  kStoodBackStillStoodUpon,  // what stands above a batch in a run stays when the batch stands back
  kAbortedStillStoodUpon,  // what stands above a batch in a run stays when the batch is aborted
  kLaterTurnStays,  // a member of an earlier turn waits for members of a later one
  kPeekLeavesClock,  // a peek of a time to come is answered, and commits may still get that time
  kBatchIgnoresMissing,  // a batch votes although a member before its own is undecided, or was answered again
  kOwnVoteIsTime,  // a batch commits at each shard at the time of that shard's vote
  kRefusalAboveUndecided,  // a type's refusal is told although it was due to something undecided
  kTookNotAwaited,  // a shard owns a run that it has taken, and says so, before that is durable
  kGaveNotAwaited,  // a shard says that it has given a run before that is durable
  kChangedNotCopied,  // a record of a run that is given is not copied again although it has changed
  kAnswersNotMoved,  // the answers of transactions with their home in a run stay behind
  kHolderNotDrained,  // a run is given although an attempt holds one of its records
  kChangeViolatesWarranty,  // a change is let in although it violates a warranty
  kEndAtRecall,  // a warranty ends when it is recalled, not when it is returned
  kLapseEarly,  // a grant lapses after half of its term
  kFirmForgotten,  // a firm promise ends when all its grants have been returned
  kNoQuarantine,  // a start lets changes in at once although warranties from before may stand
  kNotBeforeIgnored,  // a vote may have a smaller timestamp than a warranty that its attempt has used
  kNotAfterIgnored,  // a vote may be later than the end of a warranty that its attempt has used
  kEndLeavesClock,  // the change that a warranty has kept waiting may commit below the timestamps at which it was used
  kGrantOnOwnChange,  // a warranty is granted on a record that its attempt changes
  kGrantPastWaiters,  // a warranty is granted although a change waits that would violate it
  kPastIgnoresVotes,  // a read of the past does not wait for what has voted by then
  kPastLeavesClock,  // a read of a time to come is answered, and commits may still get that time
  kPastForgetsOvertaken,  // what has taken effect behind a later commit is not in the past
  kSnapshotIgnoresAge,  // a snapshot may leave out a change that was acknowledged before its transaction began
  kSnapshotForgetsVotes,  // the same, if it was acknowledged before this shard learned of its commit
  kSnapshotNoFirstCommitter,  // a snapshot transaction may change what has been changed since its snapshot
  kExpectNotCompared,  // a result that an attempt has used is not compared with what it is now
  kEpochPassesOld,  // a member is listed beside undecided members of another epoch with which it does not go
  kEpochIgnoresHolders,  // a member is listed beside holders with which it does not go
  kEpochJoinsReaders,  // others are let in beside listed members that have no result yet
  kEpochVoteOrder,  // members take their turns in order of their votes here
  kEpochOffAfterTold,  // a shard that has told a peer of an epoch lets the manager call it off
  kEpochLateList,  // a shard lists members in an epoch that it has told a peer it has no part in
  kEpochSealsWithout,  // a manager seals an epoch without the list of a shard
  kEpochHalf,  // a manager commits a member that a participant has not listed
  kEpochVotesToClients,  // a client is told of a member's vote
  kEpochListBeforeDurable,  // a list leaves before its votes are durable
  kEpochForgetsList,  // a restart forgets the members that were listed
  kEpochOvertakes,  // a member takes its turn although an undecided one is before it
  kEpochNoMoment,  // members take their turns although another shard may still list
  kEpochManagerListsLast,  // a manager's shard lists after the others were asked to
  kSleeperKeepsPlaces,  // a request that is granted as a whole and sleeps at one record keeps its places at others
  kEpochTakesOldAnswers,  // what another shard says of a member in one epoch decides it in the next
  kEpochForgottenBeforeTurn,  // a shard confirms a commit of a member that waits for its turn, so that another forgets it
  kCutAmongListed,  // a cut is prepared while members of epochs are undecided
  // Further cells of the table (gate/table.h) that let pass. The others have names of their own above.
  kPastSeesTip,  // a read of the past does not wait for a batch that had voted by then
  kNativeViolatesWarranty,  // a native change does not wait for a warranty that it violates
  kNativeIgnoresDrain,  // a native changes a record of a slot that is about to move
  kHoldIgnoresDrain,  // a newcomer locks a record of a slot that is about to move
  kEpochOnTip,  // a member is listed at a record with a run
  kEpochViolatesWarranty,  // a member is listed although it violates a warranty
  kEpochIgnoresDrain,  // a member is listed at a record of a slot that is about to move
  kRideIgnoresHolders,  // a member of a chain is executed at a record that others hold
  kRideViolatesWarranty,  // a member of a chain is executed although it may violate a warranty
  kRideIgnoresDrain,  // a member of a chain is executed at a record of a slot that is about to move
  kRideIgnoresWaiters,  // members of chains pass those who wait, for ever
  kGrantBesideHolders,  // a warranty is granted although a holder may change the result
  kGrantOfRecalled,  // a warranty is granted although one at the record is recalled
  kGrantInDrain,  // a warranty is granted at a record of a slot that is about to move
};

#ifdef CLARET_MUTANTS
inline Mutation the_mutation = Mutation::kNone;
inline bool mutated(Mutation mutation) { return mutation == the_mutation; }
#else
constexpr bool mutated(Mutation) { return false; }
#endif

}  // namespace claret
