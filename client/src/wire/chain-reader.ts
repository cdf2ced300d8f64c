// ChainReader: the messages of chains in a server frame. Their objects are new for each message, so a handler may keep them.

import type { WireValue } from '../values/values.ts';
import type { MessageReader } from './message-reader.ts';
import { malformed } from './reader.ts';
import type { Wide } from './wide.ts';
import type { WireError } from './wire-error.ts';
import { FIXED64, LENGTH, VARINT } from './writer.ts';

export interface MemberReply {
  chain: number;
  n: number;
  /** members withdrawn from the chain, as far as the shard knew */
  withdrawals: number;
  results: WireValue[];
  /** set: it has left the chain */
  error: WireError | null;
  waitedMicroseconds: number;
  waitedLocks: number;
  /** it was executed on top of something undecided */
  above: boolean;
  /** set: it ends by itself, and has committed */
  committedAt: Wide | null;
  /** set for the results of a timed member: what the shard's clock had reached */
  at: Wide | null;
}

export interface MembersCommitted {
  chain: number;
  members: number[];
  /** of the member with the same index */
  at: Wide[];
}

export interface ChainBroken {
  chain: number;
  /** members up to this one have had their end */
  decided: number;
  error: WireError | null;
  /** docs/errors.md, "Broken chains" */
  reason: string;
}

export interface PeekReply {
  ticket: number;
  busy: boolean;
  /** It was right from `changedAt` to `at`. */
  value: WireValue;
  changedAt: Wide;
  at: Wide;
  error: WireError | null;
}

export interface Shown {
  key: string;
  code: number;
  args: WireValue[];
  result: WireValue;
}

export interface Turn {
  number: Wide;
  /** others want it */
  recalled: boolean;
}

export interface Board {
  at: Wide;
  /** it shows all there is: nothing of earlier boards counts any more */
  anew: boolean;
  /** nothing of these records is shown any more, except for what follows */
  gone: string[];
  shown: Shown[];
}

/** What of a frame is about chains. Implemented once, since they stand above the wire. */
export interface ChainHandler {
  onMemberReply(reply: MemberReply): void;
  onChainBroken(broken: ChainBroken): void;
  onMembersCommitted(committed: MembersCommitted): void;
  onPeekReply(reply: PeekReply): void;
  onBoard(board: Board): void;
  onTurn(turn: Turn): void;
}

export class ChainReader {
  readonly #messages: MessageReader;

  constructor(messages: MessageReader) {
    this.#messages = messages;
  }

  /** Reads the field of a frame that is open. Returns false if it is none of a chain's. */
  read(field: number, handler: ChainHandler): boolean {
    if (field === 14) handler.onMemberReply(this.#memberReply());
    else if (field === 15) handler.onChainBroken(this.#broken());
    else if (field === 16) handler.onMembersCommitted(this.#committed());
    else if (field === 17) handler.onPeekReply(this.#peekReply());
    else if (field === 19) handler.onBoard(this.#board());
    else if (field === 20) handler.onTurn(this.#turn());
    else return false;
    return true;
  }

  #memberReply(): MemberReply {
    const messages = this.#messages;
    const reply: MemberReply = {
      chain: 0,
      n: 0,
      withdrawals: 0,
      results: [],
      error: null,
      waitedMicroseconds: 0,
      waitedLocks: 0,
      above: false,
      committedAt: null,
      at: null,
    };
    const outer = messages.in.enter();
    for (let field = messages.in.tag(); field !== 0; field = messages.in.tag()) {
      if (field === 1) reply.chain = messages.number();
      else if (field === 2) reply.n = messages.number();
      else if (field === 3) reply.withdrawals = messages.number();
      else if (field === 4) reply.results.push(messages.value());
      else if (field === 5) reply.error = messages.error();
      else if (field === 6) this.#waited(reply);
      else if (field === 7) reply.above = messages.number() !== 0;
      else if (field === 8) messages.wide((reply.committedAt = newWide()));
      else if (field === 9) messages.wide((reply.at = newWide()));
      else messages.in.skip();
    }
    messages.in.leave(outer);
    return reply;
  }

  #waited(reply: MemberReply): void {
    const messages = this.#messages;
    const outer = messages.in.enter();
    for (let field = messages.in.tag(); field !== 0; field = messages.in.tag()) {
      if (field === 1) reply.waitedMicroseconds = messages.number();
      else if (field === 2) reply.waitedLocks = messages.number();
      else messages.in.skip();
    }
    messages.in.leave(outer);
  }

  #broken(): ChainBroken {
    const messages = this.#messages;
    const broken: ChainBroken = { chain: 0, decided: 0, error: null, reason: '' };
    const outer = messages.in.enter();
    for (let field = messages.in.tag(); field !== 0; field = messages.in.tag()) {
      if (field === 1) broken.chain = messages.number();
      else if (field === 2) broken.decided = messages.number();
      else if (field === 3) broken.error = messages.error();
      else if (field === 4) broken.reason = messages.text();
      else messages.in.skip();
    }
    messages.in.leave(outer);
    return broken;
  }

  #committed(): MembersCommitted {
    const messages = this.#messages;
    const committed: MembersCommitted = { chain: 0, members: [], at: [] };
    const outer = messages.in.enter();
    for (let field = messages.in.tag(); field !== 0; field = messages.in.tag()) {
      if (field === 1) committed.chain = messages.number();
      else if (field === 2) this.#numbers(committed.members);
      else if (field === 3) this.#wides(committed.at);
      else messages.in.skip();
    }
    messages.in.leave(outer);
    if (committed.members.length !== committed.at.length) throw malformed('a member committed without a time');
    return committed;
  }

  /** Packed, or one by one. */
  #numbers(into: number[]): void {
    const messages = this.#messages;
    if (messages.in.wireType === VARINT) return void into.push(messages.number());
    messages.in.expect(LENGTH);
    const outer = messages.in.enter();
    while (!messages.in.atEnd) into.push(messages.in.varint());
    messages.in.leave(outer);
  }

  #wides(into: Wide[]): void {
    const messages = this.#messages;
    const add = () => {
      messages.in.fixed64();
      into.push({ high: messages.in.high, low: messages.in.low });
    };
    if (messages.in.wireType === FIXED64) return add();
    messages.in.expect(LENGTH);
    const outer = messages.in.enter();
    while (!messages.in.atEnd) add();
    messages.in.leave(outer);
  }

  #peekReply(): PeekReply {
    const messages = this.#messages;
    const reply: PeekReply = { ticket: 0, busy: false, value: null, changedAt: newWide(), at: newWide(), error: null };
    const outer = messages.in.enter();
    for (let field = messages.in.tag(); field !== 0; field = messages.in.tag()) {
      if (field === 1) reply.ticket = messages.number();
      else if (field === 2) reply.busy = messages.number() !== 0;
      else if (field === 3) reply.value = messages.value();
      else if (field === 4) messages.wide(reply.at);
      else if (field === 5) reply.error = messages.error();
      else if (field === 6) messages.wide(reply.changedAt);
      else messages.in.skip();
    }
    messages.in.leave(outer);
    return reply;
  }

  #turn(): Turn {
    const messages = this.#messages;
    const turn: Turn = { number: newWide(), recalled: false };
    const outer = messages.in.enter();
    for (let field = messages.in.tag(); field !== 0; field = messages.in.tag()) {
      if (field === 1) messages.wide(turn.number);
      else if (field === 2) turn.recalled = messages.number() !== 0;
      else messages.in.skip();
    }
    messages.in.leave(outer);
    return turn;
  }

  #board(): Board {
    const messages = this.#messages;
    const board: Board = { at: newWide(), anew: false, gone: [], shown: [] };
    const outer = messages.in.enter();
    for (let field = messages.in.tag(); field !== 0; field = messages.in.tag()) {
      if (field === 1) messages.wide(board.at);
      else if (field === 2) board.gone.push(messages.text());
      else if (field === 3) board.shown.push(this.#shown());
      else if (field === 4) board.anew = messages.number() !== 0;
      else messages.in.skip();
    }
    messages.in.leave(outer);
    return board;
  }

  #shown(): Shown {
    const messages = this.#messages;
    const shown: Shown = { key: '', code: 0, args: [], result: null };
    const outer = messages.in.enter();
    for (let field = messages.in.tag(); field !== 0; field = messages.in.tag()) {
      if (field === 1) this.#operation(shown);
      else if (field === 2) shown.result = messages.value();
      else messages.in.skip();
    }
    messages.in.leave(outer);
    return shown;
  }

  #operation(shown: Shown): void {
    const messages = this.#messages;
    const outer = messages.in.enter();
    for (let field = messages.in.tag(); field !== 0; field = messages.in.tag()) {
      if (field === 1) shown.key = messages.text();
      else if (field === 2) shown.code = messages.number();
      else if (field === 3) shown.args.push(messages.value());
      else messages.in.skip();
    }
    messages.in.leave(outer);
  }
}

const newWide = (): Wide => ({ high: 0, low: 0 });
