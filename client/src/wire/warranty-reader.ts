// WarrantyReader: reads what a shard says of warranties.

import type { MessageReader } from './message-reader.ts';
import type { Wide } from './wide.ts';
import { LENGTH } from './writer.ts';

/** While the session holds the grant, an operation of its request has the result that the reply gives. */
export interface Granted {
  /** 1, 2, 3, ... within the session; 0: only the digest is told */
  grant: number;
  /** index of the operation in its request */
  operation: number;
  /** The result is right from this timestamp on. */
  from: Wide;
  digest: Uint8Array;
}

/** The shard's times. */
export interface Standing {
  /** a timestamp that no commit has */
  now: Wide;
  /** What violates a grant that the session holds, if it does not return it first, commits above this timestamp. */
  until: Wide;
  /** the shard's steady clock */
  clockUs: number;
}

/** What of a frame is about warranties. Implemented once, since they stand above the wire. */
export interface WarrantyHandler {
  onStanding(standing: Standing): void;
  /** Something waits for the end of the grant. `priority`: of the transaction that waits. */
  onRecall(grant: number, priority: Wide): void;
  /** The answer to the oldest question about the grant that has none: it is firm for so long from when the question left. 0: it is not. */
  onFirm(grant: number, forUs: number): void;
}

const NOTHING = new Uint8Array(0);

export class WarrantyReader {
  readonly #messages: MessageReader;

  constructor(messages: MessageReader) {
    this.#messages = messages;
  }

  /** Returns false if the field of the frame says nothing of warranties. */
  read(field: number, handler: WarrantyHandler): boolean {
    if (field === 21) handler.onStanding(this.#standing());
    else if (field === 22) this.#recall(handler);
    else if (field === 23) this.#firm(handler);
    else return false;
    return true;
  }

  granted(): Granted {
    const input = this.#messages.in;
    const granted: Granted = { grant: 0, operation: 0, from: { high: 0, low: 0 }, digest: NOTHING };
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) granted.grant = this.#messages.number();
      else if (field === 2) granted.operation = this.#messages.number();
      else if (field === 3) this.#messages.wide(granted.from);
      else if (field === 4) {
        input.expect(LENGTH);
        granted.digest = input.bytes();
      } else input.skip();
    }
    input.leave(outer);
    return granted;
  }

  #standing(): Standing {
    const input = this.#messages.in;
    const standing: Standing = { now: { high: 0, low: 0 }, until: { high: 0, low: 0 }, clockUs: 0 };
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) this.#messages.wide(standing.now);
      else if (field === 2) this.#messages.wide(standing.until);
      else if (field === 3) standing.clockUs = this.#messages.number();
      else input.skip();
    }
    input.leave(outer);
    return standing;
  }

  #firm(handler: WarrantyHandler): void {
    const input = this.#messages.in;
    let grant = 0;
    let forUs = 0;
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) grant = this.#messages.number();
      else if (field === 2) forUs = this.#messages.number();
      else input.skip();
    }
    input.leave(outer);
    handler.onFirm(grant, forUs);
  }

  #recall(handler: WarrantyHandler): void {
    const input = this.#messages.in;
    let grant = 0;
    const priority: Wide = { high: 0, low: 0 };
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) grant = this.#messages.number();
      else if (field === 2) this.#messages.wideVarint(priority);
      else input.skip();
    }
    input.leave(outer);
    handler.onRecall(grant, priority);
  }
}
