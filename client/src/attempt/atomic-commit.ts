// AtomicCommit: two-phase commit of one attempt, from the prepare on. With a single branch the shard commits at once.
//
// undecided ──every branch voted──▶ decided: the owner is notified at once, and the shards receive the outcome later
//     └──any failure──▶ the attempt fails, and the other branches receive `aborted`
// If the answer to a prepare is lost (the session is gone, or time is up), the shard is asked for the outcome. Until it answers, the
// commit is undecided. A decided attempt stays in the client's table until every shard has the outcome.

import type { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { DecidedAttempt } from '../session/outgoing.ts';
import type { Answer } from '../wire/client-frame.ts';
import type { Wide } from '../wire/wide.ts';
import { outcomeUnknown, resultLost, sessionGone, tooLate } from './attempt-errors.ts';
import type { Branch, Coordinator } from './branch.ts';
import type { AttemptDependencies } from './dependencies.ts';
import { OutcomeInquiry, type DoubtfulCommit } from './outcome-inquiry.ts';
import { greatestVote, holdsFor } from './votes.ts';

/**
 * How long after its deadline an attempt's outcome may still be asked for. A later answer proves nothing, since shards remember a
 * commit for 10 s after the attempt's time is over.
 */
export const OUTCOME_GRACE_MS = 3_000;

/** Older than any transaction. Wounds do not reach a vote in a lost session, so its attempt must not wait at other shards. */
const OLDEST: Wide = { high: 0, low: 0 };

export class AtomicCommit implements DecidedAttempt, DoubtfulCommit {
  /** no operation on any shard changes anything */
  readonly observesOnly: boolean;
  readonly #answer: Answer | null;
  readonly #attempt: Coordinator;
  readonly #dependencies: AttemptDependencies;
  #participants: readonly number[] | null = null;
  #unvoted: number;
  #outcomesDue = 0;
  #resultsLost = false;
  /** the attempt only observes and is decided, but its owner is notified only after these branches' shards have the outcome */
  #unconfirmed: ReadonlySet<Branch> | null = null;

  /** @param answer kept with the commit by the home shard of a transaction with an id */
  constructor(attempt: Coordinator, answer: Answer | null, dependencies: AttemptDependencies) {
    this.#attempt = attempt;
    this.#dependencies = dependencies;
    this.#answer = answer;
    this.#unvoted = attempt.branches.length;
    // An answer that is kept is a change.
    this.observesOnly = answer === null && attempt.branches.every((branch) => branch.issued.observesOnly);
  }

  get number(): number {
    return this.#attempt.number;
  }

  get id(): Uint8Array {
    return this.#attempt.id;
  }

  /** Sends the prepares. */
  start(): void {
    const { branches, record, snapshot } = this.#attempt;
    if (record !== null) record.snapshot = snapshot;
    if (branches.length === 0) return this.#decideAlone();
    const { beforeCommit } = this.#dependencies;
    if (!this.observesOnly && beforeCommit !== undefined) record?.mayCommit(beforeCommit, this.#attempt.owner.deadlineMs);
    for (const branch of branches) branch.finish();
  }

  /** The shards that take part; none if there is only one. */
  participants(): readonly number[] {
    const { branches } = this.#attempt;
    this.#participants ??= branches.length > 1 ? branches.map((branch) => branch.shard) : [];
    return this.#participants;
  }

  onVote(): void {
    if (--this.#unvoted === 0) this.#decide();
  }

  #decideAlone(): void {
    const { environment, warranties } = this.#dependencies;
    if (!warranties.turnIsLong) return this.#decide();
    environment.setImmediate(() => {
      if (this.undecided) this.#decide();
    });
  }

  #decide(): void {
    const { branches } = this.#attempt;
    const at = this.#committedAt;
    this.#attempt.decided(at);
    if (branches.length <= 1 || this.#attempt.epochManager !== null) {
      this.#dependencies.attempts.remove(this.#attempt);
    } else {
      this.#outcomesDue = branches.length;
      for (const branch of branches) {
        if (branch.connected) branch.session.outbox.outcomes.commit(this, at);
        else branch.session.settleLater(this);
      }
    }
    for (const branch of branches) branch.ended = true;
    const unconfirmed = this.observesOnly ? branches.filter((branch) => !holdsFor(branch, at)) : [];
    if (unconfirmed.length === 0) return this.#committed();
    this.#unconfirmed = new Set(unconfirmed);
    if (unconfirmed.some((branch) => !branch.connected)) this.#notConfirmed(sessionGone());
  }

  /** REQUIRES: all have voted. */
  get #committedAt(): Wide {
    const { branches, readAt } = this.#attempt;
    return branches.length === 0 ? readAt : greatestVote(branches);
  }

  #committed(): void {
    const { branches, owner, record } = this.#attempt;
    const at = this.#committedAt;
    record?.end('ok', at, this.#resultsLost ? codes.resultLost : undefined);
    if (!this.#resultsLost) {
      owner.onCommitted(at);
      for (const branch of branches) branch.issued.forget();
      return;
    }
    const lost = branches.find((branch) => branch.lostResults())?.unanswered;
    const error = resultLost(lost, owner.retries);
    for (const branch of branches) branch.issued.fail(error);
    // An answer that is kept with the commit was known before it, so its owner needs no result.
    if (this.#answer === null) owner.onFailed(error);
    else owner.onCommitted(at);
  }

  /** The results may not all have been valid at one time. The attempt has changed nothing, so its transaction may run again. */
  #notConfirmed(error: ClaretError): void {
    const attempt = this.#attempt;
    this.#unconfirmed = null;
    attempt.error = error;
    for (const branch of attempt.branches) branch.issued.fail(error);
    attempt.record?.end('fail', null, error.code);
    attempt.owner.onFailed(error);
  }

  // ---- outcomes on their way ----

  outcomeTaken(shard: number): void {
    this.outcomeDelivered();
    if (this.#unconfirmed === null) return;
    const left = new Set([...this.#unconfirmed].filter((branch) => branch.shard !== shard));
    this.#unconfirmed = left;
    if (left.size > 0) return;
    // After the attempt's time a shard may have dropped the vote without the outcome.
    if (this.#attempt.owner.deadline.isPast()) return this.#notConfirmed(tooLate());
    this.#unconfirmed = null;
    this.#committed();
  }

  outcomeDelivered(): void {
    if (--this.#outcomesDue === 0) this.#dependencies.attempts.remove(this.#attempt);
  }

  // ---- failures ----

  /** Returns true if the commit deals with the loss, false if the attempt is to fail, unless it has ended. */
  onSessionLost(branch: Branch, error: ClaretError): boolean {
    if (this.#unconfirmed?.has(branch)) {
      this.#notConfirmed(error);
      return true;
    }
    if (!this.undecided || branch.ended || !branch.prepareSent) return false;
    // An attempt that changes nothing may run again after any outcome, so the outcome is not asked for.
    if (this.observesOnly && !branch.voted) return false;
    if (!branch.voted) this.#ask(branch, error);
    this.#attempt.mustNotWait(branch.shard, OLDEST);
    return true;
  }

  /** The time is over. A commit that may be decided cannot simply be called off, so the shards are asked how it ended. */
  onDeadline(error: ClaretError): void {
    if (this.#unconfirmed !== null) return this.#notConfirmed(error);
    if (!this.#mayBeDecided) return this.#attempt.fail(error);
    // A single shard has either committed or not voted, so an abort settles it. Several shards end the attempt when it expires.
    const [first, second] = this.#attempt.branches;
    if (second === undefined && !first!.asking && first!.connected) first!.session.outbox.outcomes.abort(this.number);
    for (const branch of this.#attempt.branches) if (!branch.voted && !branch.asking) this.#ask(branch, error);
  }

  /** The time to ask is over too. */
  onGraceOver(error: ClaretError): void {
    if (this.#unconfirmed !== null) this.#notConfirmed(error);
    else if (this.#mayBeDecided && !this.observesOnly) this.giveUpAsking();
    else this.#attempt.fail(error);
  }

  /** The result is no longer wanted. Returns false if the commit may be decided already: then it ends by itself. */
  callOff(error: ClaretError): boolean {
    if (this.#unconfirmed !== null) {
      this.#notConfirmed(error);
      return true;
    }
    const [first, second] = this.#attempt.branches;
    const harmless = this.observesOnly && second === undefined && !first?.asking;
    if (!this.undecided || (this.#mayBeDecided && !harmless)) return false;
    this.#attempt.fail(error);
    return true;
  }

  /** Every shard has been sent its prepare, so the attempt may commit whatever happens here. */
  get #mayBeDecided(): boolean {
    const { branches } = this.#attempt;
    return this.undecided && branches.length > 0 && branches.every((branch) => branch.prepareSent);
  }

  // ---- doubt ----

  get undecided(): boolean {
    return this.#attempt.preparing;
  }

  get alone(): boolean {
    return this.#attempt.branches.length === 1;
  }

  get durability(): string {
    return this.#dependencies.cluster.topology.durability;
  }

  get tooLateToAsk(): boolean {
    return this.#attempt.owner.deadline.isPast(OUTCOME_GRACE_MS);
  }

  /** A shard that has to be asked for the outcome cannot be reached. */
  get asksInVain(): boolean {
    return this.undecided && this.#attempt.branches.some((branch) => branch.asking && !branch.session.live);
  }

  /** @param error why the attempt fails if it left no trace */
  #ask(branch: Branch, error: ClaretError): void {
    branch.asking = true;
    new OutcomeInquiry(this, branch, this.#dependencies.delays, error).ask();
  }

  fail(error: ClaretError): void {
    this.#attempt.fail(error);
  }

  resultsLost(): void {
    this.#resultsLost = true;
  }

  /** No shard could be asked in time. The attempt may still commit, so every shard must learn how it ended before it is forgotten. */
  giveUpAsking(why = 'no shard could be asked in time'): void {
    if (this.#unconfirmed !== null) return this.#notConfirmed(tooLate());
    if (!this.undecided) return;
    const attempt = this.#attempt;
    const { branches, owner } = attempt;
    attempt.decided(null);
    const error = outcomeUnknown(why, {
      lostShard: branches.some((branch) => !branch.voted && !branch.session.live),
      // With other durabilities a shard may forget the commit and run the transaction twice.
      retryable: owner.identity !== null && this.durability === 'sync',
      retries: owner.retries,
    });
    this.#outcomesDue = branches.length;
    for (const branch of branches) {
      if (branch.connected) branch.session.outbox.outcomes.abandon(attempt.number);
      branch.ended = true;
      branch.issued.fail(error);
      branch.session.settleLater(this);
    }
    attempt.record?.end('unknown', null, error.code);
    owner.onFailed(error);
  }
}
