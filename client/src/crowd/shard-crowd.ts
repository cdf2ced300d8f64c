// ShardCrowd: what the crowd of a client has at one shard: peeks, and the newest picture that the shard's boards have shown. Boards cost both
// sides time, so the session gets them only while forecasts use the picture.

import type { Environment } from '../environment/environment.ts';
import type { CrowdReceiver } from '../session/incoming.ts';
import type { Session } from '../session/session.ts';
import type { Board, ChainBroken, MemberReply, MembersCommitted, PeekReply, Turn } from '../wire/chain-reader.ts';
import { Peeks } from './peeks.ts';
import { Picture } from './picture.ts';

/** The crowd, as its shards see it. */
interface Gathering {
  onMemberReply(shard: number, reply: MemberReply): void;
  onChainBroken(shard: number, broken: ChainBroken): void;
  onMembersCommitted(committed: MembersCommitted): void;
  onTurn(shard: number, turn: Turn): void;
  onFrameRead(nowMs: number): void;
  afterWords(run: () => void): void;
}

/** Boards come until no forecast has used the picture for so long. */
const BOARDS_MS = 1_000;

export class ShardCrowd implements CrowdReceiver {
  readonly session: Session;
  readonly peeks: Peeks;
  readonly #crowd: Gathering;
  readonly #environment: Environment;
  #picture = new Picture();
  /** The board with which the picture begins has come. Others may still be on their way that go on from an earlier picture. */
  #begun = false;
  /** the session gets boards */
  #boards = false;
  #usedMs = 0;

  constructor(session: Session, crowd: Gathering, environment: Environment) {
    this.session = session;
    this.peeks = new Peeks(session);
    this.#crowd = crowd;
    this.#environment = environment;
  }

  get shard(): number {
    return this.session.shard;
  }

  /** The newest picture, for a forecast. It is empty until boards have come. */
  use(): Picture {
    this.#usedMs = this.#environment.monotonicMs();
    if (!this.#boards) this.#wantBoards(true);
    return this.#picture;
  }

  #wantBoards(wanted: boolean): void {
    this.#boards = wanted;
    this.session.boards(wanted);
  }

  #forget(): void {
    this.#picture = new Picture();
    this.#begun = false;
  }

  onSessionBegun(): void {
    if (this.#boards) this.session.boards(true);
  }

  onSessionLost(): void {
    this.#forget();
    this.peeks.onSessionLost();
  }

  onMemberReply(reply: MemberReply): void {
    this.#crowd.onMemberReply(this.shard, reply);
  }

  onChainBroken(broken: ChainBroken): void {
    this.#crowd.onChainBroken(this.shard, broken);
  }

  onMembersCommitted(committed: MembersCommitted): void {
    this.#crowd.onMembersCommitted(committed);
  }

  onTurn(turn: Turn): void {
    this.#crowd.onTurn(this.shard, turn);
  }

  onPeekReply(reply: PeekReply): void {
    this.#crowd.afterWords(() => this.peeks.onReply(reply));
  }

  onBoard(board: Board): void {
    // Forecasts that have begun with the old picture keep it.
    if (board.anew) this.#forget();
    this.#begun ||= board.anew;
    if (this.#begun) this.#picture.take(board);
  }

  onFrameRead(nowMs: number): void {
    this.#crowd.onFrameRead(nowMs);
    if (!this.#boards || nowMs - this.#usedMs <= BOARDS_MS) return;
    this.#wantBoards(false);
    this.#forget();
  }
}
