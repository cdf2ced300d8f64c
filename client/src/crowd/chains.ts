// Chains: the members of one session, from their writing to their end. A session has one chain at a time. When a chain is broken, the next
// one begins; members of the old one that have had their end still wait for the answer.
//
// Members are concluded one after the other, in the order of their numbers, each only with an answer that no withdrawal can have changed. So
// no body sees what another member of the session takes back, with one exception: what is executed again without a withdrawn member may be
// refused (a stock that is too low), and so change what has nothing to do with the withdrawn one. Then the body has run in vain: its word
// does not leave, or counts for nothing at the shard, which compares the answers that the word knew of with those it has sent.

import type { Delays } from '../environment/delays.ts';
import type { Environment } from '../environment/environment.ts';
import { ClaretError, stacklessError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { Counters } from '../reports/counters.ts';
import type { Session } from '../session/session.ts';
import type { ChainBroken, MemberReply, MembersCommitted } from '../wire/chain-reader.ts';
import { Chain } from './chain.ts';
import type { Member } from './member.ts';

/** Pauses before a denied member is sent again. */
const DENIED_PAUSES_US = [0, 1_000, 2_000, 4_000, 8_000];
const DENIED_PAUSE_LONGEST_US = 16_000;
/**
 * For so long a denied member is sent again before it takes locks. While a session goes over from locks to chains, locks deny nearly all members:
 * if these took locks too, it would never get there. Later it is other sessions that hold the locks.
 */
const GOING_OVER_PATIENCE_MS = 500;
const DENIED_MS_MAX = 32;
/** A body that still runs after so many turns of the event loop awaits something other than its operations (see Turns). */
const RUNNING_TURNS_MAX = 2;
/** A word waits for so long for other bodies to run: a shard breaks the chains that keep others waiting for 15 ms. */
const WORD_WAITS_MS = 1;

type ChainsSession = Pick<Session, 'enqueue' | 'withdraw' | 'word' | 'leaveNow'>;

export interface ChainsDependencies {
  readonly environment: Environment;
  readonly delays: Delays;
  readonly counters: Counters;
}

export class Chains {
  readonly #session: ChainsSession;
  readonly #dependencies: ChainsDependencies;
  readonly #goesOver: () => boolean;
  #chain = new Chain(1);
  /** broken ones, of which members have had their end and wait for the answer */
  #broken: Chain[] = [];
  /** its body runs again, and turns of the event loop have passed since */
  #running: Member | null = null;
  #runningTurns = 0;
  #concluding = false;
  /** concluded, and not yet in a word */
  #words: Member[] = [];
  #wordsSinceMs = 0;
  /** done once the words have left, since it lets bodies and callers run */
  #later: (() => void)[] = [];
  #scheduled = false;
  #stopped = false;

  /** @param goesOver the session has begun to send members a moment ago */
  constructor(session: ChainsSession, dependencies: ChainsDependencies, goesOver: () => boolean) {
    this.#session = session;
    this.#dependencies = dependencies;
    this.#goesOver = goesOver;
  }

  // ---- sending ----

  send(member: Member): void {
    if (member.state === 'queued') this.#session.enqueue(member);
  }

  /** Called as the member is written. */
  add(member: Member): number {
    this.#dependencies.counters.members++;
    return this.#chain.add(member);
  }

  /** Its owner has given it up. REQUIRES: it has not committed, or changes nothing. */
  leave(member: Member): void {
    const { state } = member;
    if (state === 'gone') return;
    this.#takeBack(member);
    member.state = 'gone';
    if (state === 'queued') return;
    const chain = this.#numbered(member.chain);
    if (chain === undefined) return;
    if (member.ends || state === 'worded' || chain !== this.#chain) return this.#forget(chain, member);
    this.#withdraw(chain, member);
    this.conclude();
  }

  #withdraw(chain: Chain, member: Member): void {
    chain.remove(member);
    chain.withdrawals++;
    this.#session.withdraw(chain.number, member.number, chain.withdrawals);
    chain.undone(member, chain.withdrawals);
  }

  // ---- receiving ----

  onMemberReply(reply: MemberReply): void {
    const { n, error, committedAt, results } = reply;
    const chain = this.#numbered(reply.chain);
    if (chain === undefined) return;
    if (error === null && committedAt === null) chain.answers++;
    const member = chain.get(n);
    if (member === null) return;
    const { owner } = member;
    if (reply.waitedLocks > 0) owner.onWaited(reply.waitedLocks, reply.waitedMicroseconds);
    const stale = error !== null || committedAt === null ? this.#takeBack(member) : false;
    if (error !== null) {
      this.#forget(chain, member);
      chain.undone(member, reply.withdrawals);
      if (error.code === codes.denied && !stale) return this.#onDenied(member, reply);
      member.state = 'gone';
      this.#later.push(() => (stale ? owner.onStale() : owner.onRefused(error)));
      return;
    }
    member.check(results);
    if (committedAt !== null) {
      this.#forget(chain, member);
      member.state = 'gone';
      this.#later.push(() => owner.onCommitted(committedAt, results));
    } else if (stale) {
      member.state = 'gone';
      this.#withdraw(chain, member);
      this.#later.push(() => owner.onStale());
    } else {
      member.results = results;
      member.withdrawals = reply.withdrawals;
    }
  }

  /**
   * The member's answer counts no more. True if its body has run on it, or runs: then its word does not leave, or does not count at the
   * shard, which breaks the chain.
   */
  #takeBack(member: Member): boolean {
    if (member === this.#running) this.#running = null;
    else if (member.state === 'concluded') this.#words = this.#words.filter((one) => one !== member);
    else return member.state === 'worded';
    return true;
  }

  #onDenied(member: Member, { error }: MemberReply): void {
    const { counters, delays } = this.#dependencies;
    counters.membersDenied++;
    member.owner.onDenied(error!);
    const nowMs = this.#dependencies.environment.monotonicMs();
    if (member.denials === 0) member.deniedSinceMs = nowMs;
    const pauseUs = DENIED_PAUSES_US[member.denials++] ?? DENIED_PAUSE_LONGEST_US;
    if (nowMs - member.deniedSinceMs >= (this.#goesOver() ? GOING_OVER_PATIENCE_MS : DENIED_MS_MAX)) {
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
      this.#later.push(() => member.owner.onCommitted(at[i]!, null));
    }
  }

  onBroken({ chain: number, decided, error }: ChainBroken): void {
    const chain = this.#chain;
    if (chain.number !== number) return;
    this.#dependencies.counters.chainsBroken++;
    const why = stacklessError({ ...(error ?? brokenChain), retryable: true });
    this.#begin();
    for (const member of chain.inOrder()) {
      if (member.number <= decided) {
        // It has had its end, whatever the client knew of it.
        if (member.state !== 'gone') member.state = 'worded';
        continue;
      }
      const wasGone = member.state === 'gone';
      member.state = 'gone';
      chain.remove(member);
      if (!wasGone) this.#later.push(() => member.owner.onBroken(why));
    }
    if (!chain.empty) this.#broken.push(chain);
  }

  onSessionLost(error: ClaretError): void {
    const chains = [...this.#broken, this.#chain];
    this.#broken = [];
    this.#begin();
    for (const chain of chains) {
      for (const { state, owner } of chain.inOrder()) if (state !== 'gone') this.#later.push(() => owner.onLost(error));
    }
    this.#doLater();
  }

  #begin(): void {
    this.#chain = new Chain(this.#chain.number + 1);
    this.#running = null;
    for (const member of this.#words) member.state = 'sent'; // its word has not left
    this.#words = [];
  }

  #numbered(number: number): Chain | undefined {
    return this.#chain.number === number ? this.#chain : this.#broken.find((chain) => chain.number === number);
  }

  #forget(chain: Chain, member: Member): void {
    chain.remove(member);
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
      const member = this.#chain.first;
      if (member === null || !member.isAnswered) break;
      if (this.#words.length > 0 && this.#nowMs - this.#wordsSinceMs >= WORD_WAITS_MS) this.#sendWords();
      this.#running = member;
      this.#runningTurns = 0;
      member.owner.onTurn(member.results!);
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
    if (isIn) {
      member.state = 'concluded';
      if (this.#words.length === 0) this.#wordsSinceMs = this.#nowMs;
      this.#words.push(member);
    } else this.#takeOut(member);
    this.conclude();
  }

  #takeOut(member: Member): void {
    member.state = 'gone';
    this.#withdraw(this.#chain, member);
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
    if (this.#words.length > 0) this.#sendWords();
    else if (this.#later.length > 0) this.#session.leaveNow();
    this.#doLater();
  }

  #sendWords(): void {
    const words = this.#words;
    this.#words = [];
    for (const member of words) {
      member.state = 'worded';
      member.owner.onWord();
    }
    this.#session.word(
      this.#chain.number,
      words.map(({ number }) => number),
      this.#chain.answers,
    );
    this.#session.leaveNow();
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

const brokenChain = { code: codes.chainBroken, message: 'The chain was broken' };
