// Batch: members of several shards that commit together, by two-phase commit, as one attempt.
//
// preparing ──every shard has voted──▶ committed: its members commit at the greatest vote
//     └──any failure──▶ aborted: its members run again
// If the answer of a shard is lost, the shard is asked for the outcome, as for any attempt.

import { OUTCOME_GRACE_MS } from '../attempt/atomic-commit.ts';
import type { AttemptUnderWay } from '../attempt/dependencies.ts';
import { OutcomeInquiry, type DoubtfulCommit, type DoubtfulPart } from '../attempt/outcome-inquiry.ts';
import { greatestVote, type Vote } from '../attempt/votes.ts';
import type { Delays } from '../environment/delays.ts';
import type { Environment } from '../environment/environment.ts';
import { stacklessError, type ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { PlaceInBatch } from '../reports/attempt-record.ts';
import type { ReplyReceiver } from '../session/incoming.ts';
import type { DecidedAttempt, Preparing } from '../session/outgoing.ts';
import type { Session } from '../session/session.ts';
import { BATCH_REQUEST, beginBatch } from '../wire/chain-writer.ts';
import { beginRequest, writeBegin, writePrepare, ID_BYTES, type Begin } from '../wire/client-frame.ts';
import type { Reply } from '../wire/server-frame.ts';
import { isBefore, plus, type Wide } from '../wire/wide.ts';
import type { FrameWriter } from '../wire/writer.ts';
import type { Member, MemberBatch } from './member.ts';
import type { AttemptId } from './whole-attempt.ts';

/** A timestamp ends with the number of a shard, in 8 bits. */
const TIMESTAMPS_PER_TICK = 256;

export type BatchSession = Pick<Session, 'shard' | 'live' | 'epoch' | 'starts' | 'outbox' | 'settleLater' | 'inquire'>;

export interface BatchDependencies {
  readonly environment: Environment;
  readonly delays: Delays;
  /** the attempts under way */
  readonly attempts: { add(attempt: AttemptUnderWay): void; remove(attempt: AttemptUnderWay): void };
  nextId(): AttemptId;
  /** The durability of the cluster. */
  durability(): string;
}

/** What of the batch is at one shard. */
export interface BatchShare {
  readonly session: BatchSession;
  /** of its members there, in order */
  readonly members: readonly number[];
  /** see `writeWord` */
  readonly answers: number;
}

interface BatchListener {
  committed(at: Wide): void;
  aborted(error: ClaretError): void;
  /** It may have committed, and no shard could be asked. */
  unknown(): void;
}

export class Batch implements AttemptUnderWay, DecidedAttempt, DoubtfulCommit, MemberBatch {
  /** given by the table of attempts */
  number = 0;
  /** by number */
  readonly members: readonly Member[];
  readonly observesOnly = false;
  readonly alone = false;
  undecided = true;
  readonly #id: AttemptId;
  /** the number of its chain */
  readonly chain: number;
  readonly #parts: readonly BatchPart[];
  readonly #dependencies: BatchDependencies;
  readonly #listener: BatchListener;
  /** the last deadline of its members */
  readonly #deadlineMs: number;
  #unvoted: number;
  #outcomesDue = 0;

  constructor(
    chain: number,
    members: readonly Member[],
    shares: readonly BatchShare[],
    dependencies: BatchDependencies,
    listener: BatchListener,
  ) {
    this.chain = chain;
    this.members = members;
    this.#id = dependencies.nextId();
    this.#parts = shares.map((share) => new BatchPart(this, share));
    this.#unvoted = shares.length;
    this.#dependencies = dependencies;
    this.#listener = listener;
    this.#deadlineMs = members.reduce((last, { owner }) => Math.max(last, owner.deadlineMs), 0);
  }

  get id(): Uint8Array {
    return this.#id.bytes.subarray(this.#id.at, this.#id.at + ID_BYTES);
  }

  get shards(): readonly number[] {
    return this.#parts.map(({ session }) => session.shard);
  }

  start(): void {
    this.#dependencies.attempts.add(this);
    for (const part of this.#parts) part.session.outbox.chains.batch(part);
  }

  /** Written at each of its shards, as any attempt that prepares. */
  writeAt(out: FrameWriter, { members, answers, session: { shard } }: BatchPart, nowMs: number): void {
    const mark = beginBatch(out, this.chain, members, answers, { first: this.members[0]!.number, last: this.members.at(-1)!.number });
    const request = beginRequest(out, this.number, 0, BATCH_REQUEST);
    writeBegin(out, this.#beginAt(shard, nowMs));
    writePrepare(out, this.shards, false);
    out.end(request);
    out.end(mark);
  }

  // It is as old as its oldest member, so that nobody waits longer for it than for that one.
  #beginAt(shard: number, nowMs: number): Begin {
    const oldest = this.members.reduce((first, one) => (isBefore(one.owner.priority, first.owner.priority) ? one : first));
    return {
      ...oldest.owner.beginOf(shard, nowMs),
      ids: this.#id.bytes,
      idAt: this.#id.at,
      expiresInMs: Math.max(1, Math.ceil(this.#deadlineMs - nowMs)),
    };
  }

  // ---- votes and outcome ----

  branchAt(shard: number): ReplyReceiver | null {
    return this.#parts.find(({ session }) => session.shard === shard) ?? null;
  }

  voted(): void {
    if (!this.undecided || --this.#unvoted > 0) return;
    this.undecided = false;
    const at = greatestVote(this.#parts);
    this.#outcomesDue = this.#parts.length;
    for (const part of this.#parts) {
      if (part.connected) part.session.outbox.outcomes.commit(this, at);
      else part.session.settleLater(this);
    }
    this.#listener.committed(at);
  }

  /** Each member has a timestamp of its own: as many ticks after that of the batch as its number is after that of the first. */
  timeOf(member: Member, at: Wide): Wide {
    return plus(at, this.placeOf(member).after);
  }

  placeOf({ number }: Member): PlaceInBatch {
    return { id: this.id, after: (number - this.members[0]!.number) * TIMESTAMPS_PER_TICK };
  }

  /** A shard has refused it, or forgotten it: nothing of it has an effect. */
  fail(error: ClaretError): void {
    if (!this.undecided) return;
    this.undecided = false;
    this.#dependencies.attempts.remove(this);
    for (const part of this.#parts) if (part.connected && !part.ended) part.session.outbox.outcomes.abort(this.number);
    this.#listener.aborted(stacklessError({ ...error, retryable: true }));
  }

  outcomeTaken(): void {
    this.outcomeDelivered();
  }

  outcomeDelivered(): void {
    if (--this.#outcomesDue === 0) this.#dependencies.attempts.remove(this);
  }

  // ---- doubt ----

  /** Nobody waits for its locks, as long as the client answers. */
  onWound(): void {}

  onSessionLost(shard: number): void {
    const part = this.#parts.find(({ session }) => session.shard === shard);
    if (part !== undefined && this.undecided && !part.voted) this.#ask(part);
  }

  /** The time of one of its members is over. */
  onDeadline(): void {
    if (!this.undecided) return;
    for (const part of this.#parts) if (!part.voted) this.#ask(part);
  }

  #ask(part: BatchPart): void {
    if (part.asking) return;
    part.asking = true;
    new OutcomeInquiry(this, part, this.#dependencies.delays, noTrace).ask();
  }

  /** A shard that has to be asked cannot be reached. */
  get asksInVain(): boolean {
    return this.undecided && this.#parts.some(({ asking, session }) => asking && !session.live);
  }

  get durability(): string {
    return this.#dependencies.durability();
  }

  get tooLateToAsk(): boolean {
    return this.members.every(({ owner }) => owner.deadline.isPast(OUTCOME_GRACE_MS));
  }

  /** The results were known before it prepared. */
  resultsLost(): void {}

  giveUpAsking(): void {
    if (!this.undecided) return;
    this.undecided = false;
    this.#outcomesDue = this.#parts.length;
    for (const part of this.#parts) {
      if (part.connected) part.session.outbox.outcomes.abandon(this.number);
      part.session.settleLater(this);
    }
    this.#listener.unknown();
  }
}

const noTrace = stacklessError({ code: codes.chainBroken, message: 'The batch left no trace', retryable: true });

class BatchPart implements ReplyReceiver, Preparing, DoubtfulPart, Vote {
  readonly session: BatchSession;
  readonly members: readonly number[];
  readonly answers: number;
  votedAt: Wide = { high: 0, low: 0 };
  readonly holdsUntil: Wide = { high: 0, low: 0 };
  voted = false;
  /** the shard has refused it */
  ended = false;
  asking = false;
  readonly #batch: Batch;
  readonly #epoch: number;
  /** the shard's starts as it was sent */
  readonly #starts: number;

  constructor(batch: Batch, { session, members, answers }: BatchShare) {
    this.#batch = batch;
    this.session = session;
    this.members = members;
    this.answers = answers;
    this.#epoch = session.epoch;
    this.#starts = session.starts;
  }

  /** The session in which it prepares stands. */
  get connected(): boolean {
    return this.session.live && this.session.epoch === this.#epoch;
  }

  get restarted(): boolean {
    return this.session.starts !== this.#starts;
  }

  write(out: FrameWriter, nowMs: number): void {
    if (this.#batch.undecided) this.#batch.writeAt(out, this, nowMs);
  }

  onReply({ error, votedAt }: Reply): void {
    if (this.voted || this.ended) return;
    if (error === null) return this.vote(votedAt);
    this.ended = true;
    this.#batch.fail(stacklessError(error));
  }

  vote({ high, low }: Wide): void {
    if (this.voted) return;
    this.voted = true;
    this.votedAt = { high, low };
    this.#batch.voted();
  }

  lostResults(): boolean {
    return false;
  }
}
