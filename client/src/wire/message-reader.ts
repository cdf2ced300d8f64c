// MessageReader: reads the messages that several others contain: values and errors.

import type { WireValue } from '../values/values.ts';
import { Reader } from './reader.ts';
import type { Wide } from './wide.ts';
import type { WireError } from './wire-error.ts';
import { FIXED64, LENGTH, VARINT } from './writer.ts';

export class MessageReader {
  readonly in = new Reader();

  number(): number {
    this.in.expect(VARINT);
    return this.in.varint();
  }

  text(): string {
    this.in.expect(LENGTH);
    return this.in.text();
  }

  wide(into: Wide): void {
    this.in.expect(FIXED64);
    this.in.fixed64();
    into.high = this.in.high;
    into.low = this.in.low;
  }

  /** Reads a 64-bit number that is written as a varint, such as a priority. `wide` reads those of fixed size. */
  wideVarint(into: Wide): void {
    this.in.expect(VARINT);
    this.in.varint64();
    into.high = this.in.high;
    into.low = this.in.low;
  }

  value(): WireValue {
    const input = this.in;
    let value: WireValue = null;
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) {
        input.expect(VARINT);
        value = input.zigzag();
      } else if (field === 2) {
        input.expect(FIXED64);
        value = input.double();
      } else if (field === 3) value = this.text();
      else if (field === 4) value = this.number() !== 0;
      else if (field === 5) value = this.list();
      else input.skip();
    }
    input.leave(outer);
    return value;
  }

  list(): WireValue[] {
    const input = this.in;
    const items: WireValue[] = [];
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) items.push(this.value());
      else input.skip();
    }
    input.leave(outer);
    return items;
  }

  error(): WireError {
    const input = this.in;
    const error: WireError = {
      code: '',
      message: '',
      key: '',
      operation: '',
      blockingOperation: '',
      blockingLabel: '',
      retryable: false,
      cause: '',
      retryAfterMs: 0,
      at: { high: 0, low: 0 },
    };
    const outer = input.enter();
    for (let field = input.tag(); field !== 0; field = input.tag()) {
      if (field === 1) error.code = this.text();
      else if (field === 2) error.message = this.text();
      else if (field === 3) error.key = this.text();
      else if (field === 4) error.operation = this.text();
      else if (field === 5) error.blockingOperation = this.text();
      else if (field === 6) error.blockingLabel = this.text();
      else if (field === 7) error.retryable = this.number() !== 0;
      else if (field === 8) error.cause = this.text();
      else if (field === 9) error.retryAfterMs = this.number();
      else if (field === 10) this.wide(error.at);
      else input.skip();
    }
    input.leave(outer);
    return error;
  }
}
