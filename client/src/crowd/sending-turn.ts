// SendingTurn: when this client may send wide members. Clients that send at the same time would be executed in different orders by different
// shards, and break each other's chains. So they take turns. A turn is only a matter of speed: nothing depends on it for being right.
//
// none ──a member comes──▶ asked ──granted──▶ held ──others want it, and all members sent in it are answered──▶ none
//                            └──nobody grants it in time──▶ held
// The sequencer is the live shard with the lowest number. A client that nobody else disturbs keeps its turn.

import type { Delays } from '../environment/delays.ts';
import type { Environment } from '../environment/environment.ts';
import type { ChainSteps } from '../session/chain-steps.ts';
import type { Session } from '../session/session.ts';
import type { Turn } from '../wire/chain-reader.ts';
import { isBefore, type Wide } from '../wire/wide.ts';
import type { Member } from './member.ts';

/** The session with the sequencer. */
export type TurnSession = Pick<Session, 'shard'> & { readonly outbox: { readonly chains: Pick<ChainSteps, 'turn'> } };

interface SendingTurnDependencies {
  readonly environment: Environment;
  readonly delays: Delays;
  sequencer(): TurnSession;
}

/**
 * Then the client takes a turn of its own, since the sequencer seems to be dead. Where turns usually take longer to come, it waits for so many times
 * as long: clients that send at the same time undo each other.
 */
const GRANT_MS_MAX = 20;
const GRANT_TIMES = 4;
const GRANT_MS_LONGEST = 250;
/** of the newest one in how long turns usually take to come */
const NEWEST_SHARE = 1 / 8;
const NONE: Wide = { high: 0, low: 0 };

export class SendingTurn {
  readonly #dependencies: SendingTurnDependencies;
  readonly #number: (member: Member) => void;
  #state: 'none' | 'asked' | 'held' = 'none';
  /** of the last turn */
  #turn: Wide = NONE;
  /** who was asked, or granted the turn; null: it is the client's own */
  #sequencer: TurnSession | null = null;
  /** who was asked, and had not granted a turn when the client took one of its own */
  #late: TurnSession | null = null;
  #recalled = false;
  #asks = 0;
  #askedMs = 0;
  #usualMs = 0;
  #pending: Member[] = [];
  /**
   * Members sent in this turn and not answered. They are marked with the number of the period, which ends with their chain. That spares a Set,
   * which would keep them alive (see Deadlines).
   */
  #unanswered = 0;
  #period = 1;

  /** @param number gives the member its number, and sends it */
  constructor(dependencies: SendingTurnDependencies, number: (member: Member) => void) {
    this.#dependencies = dependencies;
    this.#number = number;
  }

  /** Sends it now, or in the next turn. */
  send(member: Member): void {
    if (this.#state === 'held' && !this.#recalled) return this.#send(member);
    member.owner.receipt?.wantsTurn(this.#dependencies.environment.monotonicMs());
    this.#pending.push(member);
    if (this.#state === 'none') this.#ask();
  }

  #send(member: Member): void {
    member.turn = this.#turn;
    member.owner.receipt?.hasTurn(this.#dependencies.environment.monotonicMs());
    this.sent(member);
    this.#number(member);
  }

  sent(member: Member): void {
    if (member.unansweredIn === this.#period) return;
    member.unansweredIn = this.#period;
    this.#unanswered++;
  }

  /** Every shard has answered the member, or its answer counts no more. */
  answered(member: Member): void {
    if (member.unansweredIn !== this.#period) return;
    member.unansweredIn = 0;
    this.#unanswered--;
    this.#mayEnd();
  }

  /** A new chain has begun: nothing of the old one is answered any more. */
  begun(): void {
    this.#unanswered = 0;
    this.#period++;
    this.#mayEnd();
  }

  #ask(): void {
    this.#state = 'asked';
    this.#sequencer = this.#dependencies.sequencer();
    this.#askedMs = this.#dependencies.environment.monotonicMs();
    this.#sequencer.outbox.chains.turn('want');
    this.#awaitGrant();
  }

  #learn(): void {
    const ms = Math.min(this.#dependencies.environment.monotonicMs() - this.#askedMs, GRANT_MS_LONGEST / GRANT_TIMES);
    this.#usualMs += NEWEST_SHARE * (ms - this.#usualMs);
  }

  #awaitGrant(): void {
    const ask = ++this.#asks;
    const patienceMs = Math.min(GRANT_MS_LONGEST, Math.max(GRANT_MS_MAX, GRANT_TIMES * this.#usualMs));
    this.#dependencies.delays.after(patienceMs * 1_000, () => {
      if (this.#state === 'asked' && this.#asks === ask) this.#hold(null, ownNumber(this.#dependencies.environment.wallMs()), true);
    });
  }

  onTurn(shard: number, { number, recalled }: Turn): void {
    if (this.#state === 'asked' || this.#late?.shard === shard) this.#learn();
    const isNew = this.#state === 'asked' || number.high !== this.#turn.high || number.low !== this.#turn.low;
    if (this.#sequencer?.shard !== shard) {
      if (this.#late?.shard === shard) this.#late.outbox.chains.turn('back');
      this.#late = null;
      return;
    }
    if (this.#state === 'none') return this.#sequencer.outbox.chains.turn('back');
    if (isNew) return this.#hold(this.#sequencer, number, recalled);
    if (!recalled) return;
    this.#recalled = true;
    this.#mayEnd();
  }

  #hold(sequencer: TurnSession | null, number: Wide, recalled: boolean): void {
    this.#state = 'held';
    this.#late = sequencer === null ? this.#sequencer : null;
    this.#sequencer = sequencer;
    if (isBefore(this.#turn, number)) this.#turn = number;
    this.#recalled = recalled;
    // What was gathered is sent before a recall is heeded: otherwise turns would go round unused.
    const pending = this.#pending;
    this.#pending = [];
    for (const member of pending) if (member.state === 'queued') this.#send(member);
    this.#mayEnd();
  }

  #mayEnd(): void {
    if (this.#state !== 'held' || !this.#recalled || this.#unanswered > 0) return;
    this.#state = 'none';
    this.#recalled = false;
    const wants = this.#pending.some(({ state }) => state === 'queued');
    // A client that asks for a turn gives back the one that it has.
    if (wants) this.#ask();
    else this.#sequencer?.outbox.chains.turn('back');
  }

  /** The session with the shard is lost, and what was asked or granted there. */
  onSessionLost(shard: number): void {
    if (this.#sequencer?.shard !== shard) return;
    if (this.#state === 'asked') return this.#ask();
    this.#sequencer = null;
    this.#recalled = true;
    this.#mayEnd();
  }
}

/** The number has the form of the shards' timestamps: the wall time in quarters of a microsecond, and 8 more bits. */
function ownNumber(wallMs: number): Wide {
  const ticks = Math.floor(wallMs * 4_000);
  return { high: Math.floor(ticks / 2 ** 24), low: ((ticks % 2 ** 24) * 256) >>> 0 };
}
