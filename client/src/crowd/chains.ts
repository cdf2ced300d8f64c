// Chains: the members of one client, from their numbering to their end. A client has one chain at a time, over all shards. When it is
// broken, the next one begins; members of the old one that have had their end still wait for the answer.
//
// Members are concluded one after the other, in the order of their numbers at each shard, each only with answers that no withdrawal can have
// changed. So no body sees what another member of the client takes back, with one exception: what is executed again without a withdrawn
// member may be refused (a stock that is too low), and so change what has nothing to do with the withdrawn one. Then the body has run in
// vain: its word does not leave, or counts for nothing at the shard, which compares the answers that the word knew of with those it has sent.
//
// Members of one shard commit by words, wide ones in batches. At most one batch is undecided at a shard; what stands above it waits.

import type { Delays } from '../environment/delays.ts';
import type { Environment } from '../environment/environment.ts';
import { ClaretError, stacklessError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { Counters } from '../reports/counters.ts';
import type { ChainBroken, MemberReply, MembersCommitted, Turn } from '../wire/chain-reader.ts';
import type { Wide } from '../wire/wide.ts';
import type { WireError } from '../wire/wire-error.ts';
import { Batch, type BatchDependencies, type BatchSession } from './batch.ts';
import { Chain } from './chain.ts';
import { GoingOver, type GoingOverDependencies } from './going-over.ts';
import type { ChainSession } from './lane.ts';
import type { Member, MemberPart } from './member.ts';
import { SendingTurn, type TurnSession } from './sending-turn.ts';
import { nextWords } from './words.ts';

/** Pauses before a denied member is sent again. */
const DENIED_PAUSES_US = [0, 1_000, 2_000, 4_000, 8_000];
const DENIED_PAUSE_LONGEST_US = 16_000;
/** A body that still runs after so many turns of the event loop awaits something other than its operations (see Turns). */
const RUNNING_TURNS_MAX = 2;
/** Reasons for which chains break (docs/errors.md). */
const STOOD_BACK = 'stood_back';
const BATCH_ABORTED = 'batch_aborted';
/** A word waits for so long for other bodies to run: a shard breaks the chains that keep others waiting for too long, at the least 15 ms. */
const WORD_WAITS_MS = 1;

export interface ChainsDependencies extends BatchDependencies, GoingOverDependencies {
  readonly environment: Environment;
  readonly delays: Delays;
  readonly counters: Counters;
  sessionAt(shard: number): ChainSession & BatchSession;
  /** The sequencer of turns. */
  sequencer(): TurnSession;
}

export class Chains {
  readonly #dependencies: ChainsDependencies;
  readonly #goingOver: GoingOver;
  readonly #onBroken: () => void;
  readonly #onMet: () => void;
  readonly #turn: SendingTurn;
  #chain: Chain;
  /** broken ones, of which members have had their end and wait for the answer */
  #broken: Chain[] = [];
  /** its body runs again, and turns of the event loop have passed since */
  #running: Member | null = null;
  #runningTurns = 0;
  #concluding = false;
  /** in the order in which they were concluded; not yet in a word or a batch */
  #concluded: Member[] = [];
  #concludedSinceMs = 0;
  /** some of them may be able to go */
  #mayGo = false;
  /** by shard, the batch that is undecided there. It is no Map, which would keep batches alive (see Deadlines). */
  readonly #batchAt: (Batch | null)[] = [];
  /** done once the words have left, since it lets bodies and callers run */
  #later: (() => void)[] = [];
  #scheduled = false;
  #stopped = false;

  /**
   * @param onBroken what was seen of the present chain may never have been
   * @param onMet a member has met a lock
   */
  constructor(dependencies: ChainsDependencies, onBroken: () => void, onMet: () => void) {
    this.#onMet = onMet;
    this.#dependencies = dependencies;
    this.#goingOver = new GoingOver(dependencies, (member) => this.#send(member));
    this.#onBroken = onBroken;
    this.#chain = new Chain(1, (shard) => dependencies.sessionAt(shard));
    this.#turn = new SendingTurn(dependencies, (member) => this.#number(member));
  }

  // ---- sending ----

  send(member: Member): void {
    this.#goingOver.send(member);
  }

  #send(member: Member): void {
    if (member.state !== 'queued') return; // it was left meanwhile
    if (member.wide) this.#turn.send(member);
    else this.#number(member);
  }

  #number(member: Member): void {
    if (member.state !== 'queued') return;
    // Its parts at the other shards would hold up the chain there.
    if (member.wide && !member.parts.every(({ session }) => session.live)) {
      member.state = 'gone';
      this.#turn.answered(member);
      this.#later.push(() => member.owner.onRefused(shardAway));
      return this.#leaveLater();
    }
    this.#dependencies.counters.members++;
    this.#chain.add(member);
  }

  /** Its owner has given it up. REQUIRES: it has not committed, or changes nothing. */
  leave(member: Member): void {
    const { state } = member;
    if (state === 'gone') return;
    this.#takeBack(member);
    member.state = 'gone';
    const chain = this.#numbered(member.chain);
    if (chain === undefined || member.batch !== null) return;
    if (member.endsAlone || state === 'worded' || chain !== this.#chain) return this.#forget(chain, member);
    this.#withdraw(member);
    this.conclude();
  }

  /** @param but its part here has left the chain already */
  #withdraw(member: Member, but: MemberPart | null = null): void {
    const chain = this.#chain;
    for (const part of member.parts) {
      if (!part.written || part === but) continue;
      const lane = chain.laneOf(part);
      lane.withdrawals++;
      lane.session.outbox.chains.withdraw(chain.number, member.number, lane.withdrawals);
      lane.undone(part, lane.withdrawals);
    }
    chain.remove(member);
    this.#turn.answered(member);
  }

  // ---- receiving ----

  onTurn(shard: number, turn: Turn): void {
    this.#turn.onTurn(shard, turn);
  }

  onMemberReply(shard: number, reply: MemberReply): void {
    const { n, error, committedAt, results } = reply;
    const chain = this.#numbered(reply.chain);
    const lane = chain?.laneAt(shard);
    if (chain === undefined || lane == null) return;
    if (error === null && committedAt === null) lane.answers++;
    const member = chain.get(n);
    const part = member?.partAt(shard);
    if (member === null || part === undefined) return;
    const { owner } = member;
    if (reply.waitedLocks > 0) owner.onWaited(reply.waitedLocks, reply.waitedMicroseconds);
    // It is told only that it counts more withdrawals.
    if (error === null && committedAt === null && part.isSame(results)) return part.answer(results, reply.withdrawals, reply.at);
    // A member that ends has no body that would have to run again.
    const stays = error === null && (committedAt !== null || (member.ends && member.state === 'concluded'));
    const stale = !stays && this.#takeBack(member);
    if (error !== null) {
      lane.undone(part, reply.withdrawals);
      if (chain === this.#chain) this.#withdraw(member, part);
      this.#forget(chain, member);
      if (error.code === codes.denied && !stale) return this.#onDenied(member, reply);
      member.state = 'gone';
      this.#later.push(() => (stale ? owner.onStale() : owner.onRefused(error)));
      return;
    }
    if (committedAt !== null) {
      part.check(results);
      this.#forget(chain, member);
      member.state = 'gone';
      this.#later.push(() => owner.onCommitted(committedAt, results));
    } else if (stale) {
      member.state = 'gone';
      this.#withdraw(member);
      this.#later.push(() => owner.onStale());
    } else {
      part.answer(results, reply.withdrawals, reply.at);
      if (member.wide && member.hasResults) this.#turn.answered(member);
    }
  }

  /**
   * The member's answer counts no more. True if its body has run on it, or runs: then its word does not leave, or does not count at the
   * shard, which breaks the chain.
   */
  #takeBack(member: Member): boolean {
    if (member === this.#running) this.#running = null;
    else if (member.state === 'concluded') this.#concluded = this.#concluded.filter((one) => one !== member);
    else return member.state === 'worded';
    return true;
  }

  #onDenied(member: Member, { error }: MemberReply): void {
    const { counters, delays } = this.#dependencies;
    counters.membersDenied++;
    member.owner.onDenied(error!);
    const nowMs = this.#nowMs;
    if (member.denials === 0) {
      member.deniedSinceMs = nowMs;
      if (member.patient) this.#onMet();
    }
    const pauseUs = DENIED_PAUSES_US[member.denials++] ?? DENIED_PAUSE_LONGEST_US;
    if (!member.patient || member.owner.fallBack(nowMs - member.deniedSinceMs)) {
      member.state = 'gone';
      this.#later.push(() => member.owner.onRefused(error!));
      return;
    }
    member.again();
    if (pauseUs === 0) this.send(member);
    else delays.after(pauseUs, () => this.send(member));
  }

  onMembersCommitted({ chain: number, members, at }: MembersCommitted): void {
    const chain = this.#numbered(number);
    if (chain === undefined) return;
    for (let i = 0; i < members.length; i++) {
      const member = chain.get(members[i]!);
      if (member === null) continue;
      this.#forget(chain, member);
      member.state = 'gone';
      this.#later.push(() => member.owner.onCommitted(at[i]!, member.ends ? member.results : null));
    }
  }

  /** A shard has broken the chain, or says how far it got with an old one. */
  onBroken(shard: number, { chain: number, decided, error, reason }: ChainBroken): void {
    if (reason === STOOD_BACK) for (const { owner } of this.#batchAt[shard]?.members ?? []) owner.receipt?.stoodBack();
    const chain = this.#numbered(number);
    if (chain === undefined) return;
    const why = error === null ? brokenChain : stacklessError({ ...error, retryable: true });
    if (chain === this.#chain) {
      this.#dependencies.counters.chainsBroken++;
      this.#break(why, shard, reason);
    }
    for (const member of chain.inOrder()) {
      if (member.wide || member.parts[0]!.session.shard !== shard) continue;
      // It has had its end, whatever the client knew of it.
      if (member.number > decided) this.#undone(chain, member, why, reason);
      else if (member.state !== 'gone') member.state = 'worded';
    }
    this.#forgetIfEmpty(chain);
  }

  /**
   * Begins the next chain.
   * @param shard where the old one is broken; the others learn it now, and say what of it has had its end. null: nowhere
   */
  #break(error: ClaretError, shard: number | null, reason: string): void {
    const old = this.#chain;
    this.#begin();
    for (const { session } of old.lanes) if (session.shard !== shard) session.outbox.chains.begin(this.#chain.number);
    for (const member of old.inOrder()) {
      if (member.state === 'gone') continue;
      if (member.state === 'queued') this.#numberAnew(old, member);
      else if (member.wide || (member.parts[0]!.session.shard !== shard && !member.mayBeDecided)) {
        this.#undone(old, member, shard !== null && member.partAt(shard) !== undefined ? error : brokenChain, reason);
      }
    }
    if (!old.empty) this.#broken.push(old);
  }

  /** None of it has left: it keeps its place. */
  #numberAnew(old: Chain, member: Member): void {
    old.remove(member);
    this.#chain.add(member);
    if (member.wide) this.#turn.sent(member);
  }

  #undone(chain: Chain, member: Member, error: ClaretError, reason: string): void {
    const wasGone = member.state === 'gone';
    member.state = 'gone';
    chain.remove(member);
    if (!wasGone) this.#later.push(() => member.owner.onBroken(error, reason));
  }

  onSessionLost(shard: number, error: ClaretError): void {
    this.#turn.onSessionLost(shard);
    if (this.#chain.laneAt(shard) !== null) this.#break(error, shard, codes.sessionLost);
    for (const chain of [...this.#broken]) {
      for (const member of chain.inOrder()) {
        if (member.wide || member.parts[0]!.session.shard !== shard) continue;
        chain.remove(member);
        if (member.state !== 'gone') this.#later.push(() => member.owner.onLost(error));
      }
      this.#forgetIfEmpty(chain);
    }
    this.#doLater();
  }

  #begin(): void {
    this.#chain = new Chain(this.#chain.number + 1, (shard) => this.#dependencies.sessionAt(shard));
    this.#onBroken();
    this.#turn.begun();
    this.#running = null;
    for (const member of this.#concluded) member.state = 'sent'; // its word has not left
    this.#concluded = [];
  }

  #numbered(number: number): Chain | undefined {
    return this.#chain.number === number ? this.#chain : this.#broken.find((chain) => chain.number === number);
  }

  #forget(chain: Chain, member: Member): void {
    chain.remove(member);
    this.#forgetIfEmpty(chain);
  }

  #forgetIfEmpty(chain: Chain): void {
    if (chain !== this.#chain && chain.empty) this.#broken = this.#broken.filter((one) => one !== chain);
  }

  // ---- concluding ----

  /** Done once the words of this turn have left. */
  afterWords(run: () => void): void {
    this.#later.push(run);
  }

  /** Runs all bodies that can run again now, one after the other. Then their words leave, and then callers learn of what has committed. */
  conclude(): void {
    if (this.#concluding || this.#stopped) return;
    if (this.#running !== null) return this.#leaveLater();
    this.#concluding = true;
    while (this.#running === null) {
      const member = this.#chain.next;
      if (member === null) break;
      if (this.#mayGo && this.#nowMs - this.#concludedSinceMs >= WORD_WAITS_MS) this.#sendWords();
      if (member.ends) {
        this.#isIn(member);
        continue;
      }
      this.#running = member;
      this.#runningTurns = 0;
      member.owner.onTurn(member.results);
    }
    this.#concluding = false;
    if (this.#running === null) this.#leave();
    else this.#leaveLater();
  }

  /** The client is closing: no body runs any more. */
  stop(): void {
    this.#stopped = true;
  }

  /** The body of the member has run again. `isIn`: it made the same operations. */
  concluded(member: Member, isIn: boolean): void {
    if (this.#running !== member) return;
    this.#running = null;
    if (isIn) this.#isIn(member);
    else this.#takeOut(member);
    this.conclude();
  }

  #isIn(member: Member): void {
    member.state = 'concluded';
    member.owner.receipt?.concluded(this.#nowMs);
    if (!this.#mayGo) this.#concludedSinceMs = this.#nowMs;
    this.#mayGo = true;
    this.#concluded.push(member);
  }

  #takeOut(member: Member): void {
    member.state = 'gone';
    this.#withdraw(member);
    this.#later.push(() => member.owner.onOut());
  }

  /** A body that awaits more than its operations must not hold up its chain: it could even wait for a member above it. */
  #leaveLater(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#dependencies.environment.setImmediate(() => {
      this.#scheduled = false;
      if (this.#running !== null && ++this.#runningTurns >= RUNNING_TURNS_MAX) {
        const member = this.#running;
        this.#running = null;
        this.#takeOut(member);
        return this.conclude();
      }
      this.#leave();
      if (this.#running !== null) this.#leaveLater();
    });
  }

  #leave(): void {
    if (this.#mayGo) this.#sendWords();
    if (this.#later.length > 0) for (const { session } of this.#chain.lanes) session.leaveNow();
    this.#doLater();
  }

  #sendWords(): void {
    const chain = this.#chain;
    this.#mayGo = false;
    const { words, batch, shares, left } = nextWords(this.#concluded, (shard) => this.#batchAt[shard] != null);
    this.#concluded = left;
    for (const [shard, members] of words) {
      const lane = chain.laneAt(shard)!;
      const numbers = members.map(({ number }) => number);
      lane.worded(numbers.at(-1)!);
      for (const member of members) worded(member);
      lane.session.outbox.chains.word(chain.number, numbers, lane.answers);
    }
    if (batch.length > 0) this.#prepare(batch, shares);
    for (const { session } of chain.lanes) session.leaveNow();
  }

  // ---- batches ----

  #prepare(concluded: readonly Member[], shares: ReadonlyMap<number, readonly number[]>): void {
    const chain = this.#chain;
    const { counters } = this.#dependencies;
    counters.batches++;
    counters.batchMembers += concluded.length;
    const parts = [...shares].map(([shard, members]) => {
      const lane = chain.laneAt(shard)!;
      lane.worded(members.at(-1)!);
      return { session: this.#dependencies.sessionAt(shard), members, answers: lane.answers };
    });
    const members = concluded.toSorted((a, b) => a.number - b.number);
    const batch = new Batch(chain.number, members, parts, this.#dependencies, {
      committed: (at) => this.#batchCommitted(batch, at),
      aborted: (error) => this.#batchAborted(batch, error),
      unknown: () => this.#batchOver(batch, ({ owner }) => owner.onUnknown()),
    });
    for (const shard of shares.keys()) this.#batchAt[shard] = batch;
    for (const member of members) {
      member.batch = batch;
      member.owner.receipt?.batched(members.length, [...shares.keys()], this.#nowMs);
      worded(member);
      chain.removeWorded(member);
    }
    batch.start();
  }

  #batchCommitted(batch: Batch, at: Wide): void {
    this.#batchOver(batch, (member) => member.owner.onCommitted(batch.timeOf(member, at), member.ends ? member.results : null));
  }

  /** The shards break the chain at its abort, if they have not done so before. */
  #batchAborted(batch: Batch, error: ClaretError): void {
    this.#dependencies.counters.batchesAborted++;
    if (this.#chain.number === batch.chain) this.#break(error, null, BATCH_ABORTED);
    this.#batchOver(batch, ({ owner }) => owner.onBroken(error, BATCH_ABORTED));
  }

  #batchOver(batch: Batch, tell: (member: Member) => void): void {
    for (const shard of batch.shards) if (this.#batchAt[shard] === batch) this.#batchAt[shard] = null;
    for (const member of batch.members) {
      const wasGone = member.state === 'gone';
      member.state = 'gone';
      if (!wasGone) this.#later.push(() => tell(member));
    }
    // The next batch leaves with the outcome of this one, once the frame is read.
    this.#mayGo = this.#concluded.length > 0;
    this.#leaveLater();
  }

  get #nowMs(): number {
    return this.#dependencies.environment.monotonicMs();
  }

  #doLater(): void {
    const later = this.#later;
    if (later.length === 0) return;
    this.#later = [];
    for (const run of later) run();
  }
}

function worded(member: Member): void {
  member.state = 'worded';
  member.owner.onWord();
}

/** The member takes locks instead. */
const shardAway: WireError = {
  code: codes.denied,
  message: 'A shard is away',
  key: '',
  operation: '',
  blockingOperation: '',
  blockingLabel: '',
  retryable: true,
  cause: codes.shardUnavailable,
  retryAfterMs: 0,
  at: { high: 0, low: 0 },
};
const brokenChain = stacklessError({ code: codes.chainBroken, message: 'The chain was broken', retryable: true });
