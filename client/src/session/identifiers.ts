// Identifiers: new names for things, made without a message. A shard's welcome tells what no other session has, and the client counts on from there:
// "start-serial-shard-count", each in base 36 (docs/decisions/0048-identifiers-without-a-message.md). What a UIdGenerator draws has two or three numbers,
// so none of them is the same.

import type { Environment } from '../environment/environment.ts';
import type { Welcome } from '../wire/server-frame.ts';
import { bigOf } from '../wire/wide.ts';

const RANDOM_BYTES = 16;

export class Identifiers {
  readonly #environment: Environment;
  /** null: no shard has welcomed this client yet */
  #stem: string | null = null;
  #count = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** A session has begun. The latest one counts: a cluster that begins empty may tell again what it told before. */
  onWelcome({ shard, incarnation, serial }: Pick<Welcome, 'shard' | 'incarnation' | 'serial'>): void {
    this.#stem = `${bigOf(incarnation).toString(36)}-${serial.toString(36)}-${shard.toString(36)}-`;
    this.#count = 0;
  }

  /** A text of 0-9, a-z and -. Until a shard has welcomed the client it has no -, and is made of 16 random bytes. */
  next(): string {
    return this.#stem === null ? this.#random() : this.#stem + (++this.#count).toString(36);
  }

  #random(): string {
    const bytes = this.#environment.randomBytes(RANDOM_BYTES);
    return bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n).toString(36);
  }
}
