// ShardCrowd: what the crowd of a client has at one shard: peeks, and the newest picture that the shard's boards have shown. Boards cost both
// sides time, so the session gets them only while forecasts use the picture.

import type { Environment } from '../environment/environment.ts';
import type { CrowdReceiver } from '../session/incoming.ts';
import type { Session } from '../session/session.ts';
import type { AheadSwitch, LockTimes } from '../ways/ahead-switch.ts';
import type { Board, ChainBroken, MemberReply, MembersCommitted, PeekReply, Turn } from '../wire/chain-reader.ts';
import type { Chains } from './chains.ts';
import { Peeks } from './peeks.ts';
import { Picture } from './picture.ts';

/** What the crowd of a client has for all shards. */
export interface ShardCrowdDependencies {
  readonly environment: Environment;
  readonly chains: Chains;
  readonly ahead: AheadSwitch;
  /** of all shards */
  readonly lockTimes: () => LockTimes;
}

/** Boards come until no forecast has used the picture for so long. */
const BOARDS_MS = 1_000;

export class ShardCrowd implements CrowdReceiver {
  readonly session: Session;
  readonly peeks: Peeks;
  readonly #dependencies: ShardCrowdDependencies;
  #picture = new Picture();
  /** The board with which the picture begins has come. Others may still be on their way that go on from an earlier picture. */
  #begun = false;
  /** the session gets boards */
  #boards = false;
  #usedMs = 0;

  constructor(session: Session, dependencies: ShardCrowdDependencies) {
    this.session = session;
    this.peeks = new Peeks(session);
    this.#dependencies = dependencies;
  }

  get shard(): number {
    return this.session.shard;
  }

  /** The newest picture, for a forecast. It is empty until boards have come. */
  use(): Picture {
    this.#usedMs = this.#dependencies.environment.monotonicMs();
    if (!this.#boards) this.#wantBoards(true);
    return this.#picture;
  }

  #wantBoards(wanted: boolean): void {
    this.#boards = wanted;
    this.session.outbox.chains.boards(wanted);
  }

  #forget(): void {
    this.#picture = new Picture();
    this.#begun = false;
  }

  onSessionBegun(): void {
    if (this.#boards) this.session.outbox.chains.boards(true);
  }

  onSessionLost(): void {
    this.#forget();
    this.peeks.onSessionLost();
  }

  onMemberReply(reply: MemberReply): void {
    const { chains, ahead } = this.#dependencies;
    if (reply.error === null) ahead.member(reply.above || reply.waitedLocks > 0);
    chains.onMemberReply(this.shard, reply);
  }

  onChainBroken(broken: ChainBroken): void {
    this.#dependencies.chains.onBroken(this.shard, broken);
  }

  onMembersCommitted(committed: MembersCommitted): void {
    const last = committed.at.at(-1);
    if (last !== undefined) this.session.time.told(last, this.session.heardMs);
    this.#dependencies.chains.onMembersCommitted(committed);
  }

  onTurn(turn: Turn): void {
    this.#dependencies.chains.onTurn(this.shard, turn);
  }

  onPeekReply(reply: PeekReply): void {
    this.#dependencies.chains.afterWords(() => this.peeks.onReply(reply));
  }

  onBoard(board: Board): void {
    // Forecasts that have begun with the old picture keep it.
    if (board.anew) this.#forget();
    this.#begun ||= board.anew;
    if (this.#begun) this.#picture.take(board);
  }

  onFrameRead(nowMs: number): void {
    const { chains, ahead, lockTimes } = this.#dependencies;
    chains.conclude();
    ahead.look(nowMs, lockTimes);
    if (!this.#boards || nowMs - this.#usedMs <= BOARDS_MS) return;
    this.#wantBoards(false);
    this.#forget();
  }
}
