// ShardCrowd: what the crowd of a client has at one shard: the newest picture that its boards have shown, and peeks.

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

export class ShardCrowd implements CrowdReceiver {
  readonly session: Session;
  readonly peeks: Peeks;
  picture = new Picture();
  readonly #crowd: Gathering;
  /** the session gets boards */
  #boards = false;

  constructor(session: Session, crowd: Gathering) {
    this.session = session;
    this.peeks = new Peeks(session);
    this.#crowd = crowd;
  }

  get shard(): number {
    return this.session.shard;
  }

  wantBoards(wanted: boolean): void {
    if (wanted === this.#boards) return;
    this.#boards = wanted;
    if (!wanted) this.picture = new Picture();
    this.session.boards(wanted);
  }

  onSessionBegun(): void {
    if (this.#boards) this.session.boards(true);
  }

  onSessionLost(): void {
    this.picture = new Picture();
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
    if (this.#boards) this.picture.take(board);
  }

  onFrameRead(nowMs: number): void {
    this.#crowd.onFrameRead(nowMs);
  }
}
