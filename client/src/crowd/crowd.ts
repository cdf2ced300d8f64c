// Crowd: what one session has for transactions that are forecast and sent whole: the switch, the newest picture, peeks, and chains.

import type { ClaretError } from '../errors/claret-error.ts';
import { codes } from '../errors/error-codes.ts';
import type { CrowdReceiver } from '../session/incoming.ts';
import type { Session } from '../session/session.ts';
import type { Board, ChainBroken, MemberReply, MembersCommitted, PeekReply } from '../wire/chain-reader.ts';
import { Chains, type ChainsDependencies } from './chains.ts';
import { CrowdSwitch, type CrowdMode } from './crowd-switch.ts';
import { Peeks } from './peeks.ts';
import { Picture } from './picture.ts';

export class Crowd implements CrowdReceiver {
  readonly session: Session;
  readonly chains: Chains;
  readonly peeks: Peeks;
  /** what its boards have shown */
  picture = new Picture();
  readonly #switch = new CrowdSwitch();
  readonly #switched: (on: boolean) => void;
  /** the session was told to send boards */
  #boards = false;

  /** @param switched called when the switch goes on or off */
  constructor(session: Session, dependencies: ChainsDependencies, switched: (on: boolean) => void) {
    this.session = session;
    this.chains = new Chains(session, dependencies, () => this.#switch.goesOver(dependencies.environment.monotonicMs()));
    this.peeks = new Peeks(session);
    this.#switched = switched;
  }

  /** New transactions are forecast and sent whole. */
  get on(): boolean {
    return this.#switch.on;
  }

  configure(mode: CrowdMode): void {
    this.#switch.configure(mode);
    this.#tell();
  }

  #tell(): void {
    const { on } = this.#switch;
    if (on === this.#boards) return;
    this.#boards = on;
    if (!on) this.picture = new Picture();
    this.session.boards(on);
    this.#switched(on);
  }

  onSessionBegun(): void {
    if (this.#boards) this.session.boards(true);
  }

  onSessionLost(error: ClaretError): void {
    this.picture = new Picture();
    this.peeks.onSessionLost();
    this.chains.onSessionLost(error);
  }

  onMemberReply(reply: MemberReply): void {
    if (reply.error === null) this.#switch.member(reply.above);
    else if (reply.error.code === codes.denied) this.#switch.denied();
    this.chains.onMemberReply(reply);
  }

  onChainBroken(broken: ChainBroken): void {
    this.chains.onBroken(broken);
  }

  onMembersCommitted(committed: MembersCommitted): void {
    this.chains.onMembersCommitted(committed);
  }

  onPeekReply(reply: PeekReply): void {
    this.chains.afterWords(() => this.peeks.onReply(reply));
  }

  onBoard(board: Board): void {
    if (this.#boards) this.picture.take(board);
  }

  onFrameRead(nowMs: number): void {
    this.chains.conclude();
    this.#switch.look(nowMs, this.session.lockTimes);
    this.#tell();
  }
}
