// Dice: draws the arguments of random commands.

import type { Chance } from '../../kit/random.ts';

export type KeyKind = 'string' | 'set' | 'hash' | 'sortedSet' | 'list';

/** Keys of each kind mostly hold records of that kind, though commands of others come by. */
const KEYS: Record<KeyKind, readonly string[]> = {
  string: ['text', 'text:é', 'number'],
  set: ['set:a', 'set:b', 'set:c'],
  hash: ['hash:a', 'hash:b'],
  sortedSet: ['ranking:a', 'ranking:b'],
  list: ['list:a', 'list:b'],
};
const ALL_KEYS = [...Object.values(KEYS).flat(), 'missing'];
/** The only one that may hold a HyperLogLog, which is no string. */
const ESTIMATE = 'estimate';

/** Of strings: of bytes that may be cut anywhere. */
const ASCII = [
  'a',
  'b',
  'hello',
  '',
  ' ',
  '0',
  '1',
  '-1',
  '10',
  '007',
  ' 1',
  '1.5',
  '-0',
  '3e2',
  '1e400',
  'inf',
  '9223372036854775807',
  '-9223372036854775808',
  '9223372036854775808',
  'line\r\nbreak',
];
const VALUES = [...ASCII, 'é', '漢字', '😀'];
const WRONG_NUMBERS = ['x', '', '1.5', ' 1', '01', '-0', '+1', '9223372036854775808'];
const EXTREMES = ['9223372036854775807', '-9223372036854775808', '-9223372036854775807'];
const COUNTS = ['0', '1', '2', '3', '10', '100'];
const SIGNED_COUNTS = [...COUNTS, '-1', '-2', '-5'];
const SCORES = ['-2', '-1', '0', '1', '2', '3', '5', '10', '100', '1000000', '5.0', '1e2', '0x10'];
const WRONG_SCORES = ['x', '', 'nan', ' 1', '1.5x'];
const BOUNDS = ['-inf', '+inf', 'inf', '(1', '(2.5', '1.5', '-1', '0', '2', '3', '(5', '(', '100', '(-inf', '(+inf', ' 1', ''];
const WRONG_BOUNDS = ['x', '(x', 'nan', '((1'];
const FLOATS = ['1', '-1', '0.5', '-2.25', '1e3', '0.1', '3.0e-3', '100', 'inf', '-inf'];
const PATTERNS = ['*', 'a*', '?', '[ab]', '*é*', 'hello', '[^a]*', ''];
/** Long after the test, in seconds since 1970. */
const LATER = 4_000_000_000;
/** Beyond any time that a test takes. */
const FIRST_EXPIRY_S = 1_000;
const EXPIRY_STEP_S = 10;
/** A prime: multiples of another number have different remainders. */
const EXPIRIES = 100_003;

export class Dice {
  readonly #chance: Chance;
  #expiries = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  happens(probability: number): boolean {
    return this.#chance.happens(probability);
  }
  pick<Item>(items: readonly Item[]): Item {
    return this.#chance.pick(items);
  }
  /** From `least` to `most` of them. */
  some<Item>(make: () => Item, least = 1, most = 3): Item[] {
    return Array.from({ length: least + this.#chance.below(most - least + 1) }, make);
  }
  /** Each of these options at times, in any order. */
  options(choices: readonly (() => string[])[], probability = 0.3): string[] {
    const chosen = choices.filter(() => this.happens(probability)).map((choice) => ({ words: choice(), place: this.#chance.next() }));
    return chosen.toSorted((one, other) => one.place - other.place).flatMap(({ words }) => words);
  }

  key(kind: KeyKind): string {
    return this.pick(this.happens(0.85) ? KEYS[kind] : ALL_KEYS);
  }
  /** Of any record but an estimate. */
  anyKey(): string {
    return this.pick(ALL_KEYS);
  }
  estimate(): string {
    return ESTIMATE;
  }
  /** For what treats a HyperLogLog as Redis does. */
  anyRecord(): string {
    return this.happens(0.1) ? ESTIMATE : this.anyKey();
  }

  value(): string {
    return this.pick(VALUES);
  }
  /** Of a string. */
  text(): string {
    return this.pick(ASCII);
  }
  integer(): string {
    if (this.happens(0.05)) return this.pick(EXTREMES);
    return this.#orWrong(WRONG_NUMBERS, SIGNED_COUNTS);
  }
  /** How many of something, from 0. */
  count(): string {
    if (this.happens(0.05)) return this.pick(['-1', '9223372036854775807']);
    return this.#orWrong(WRONG_NUMBERS, COUNTS);
  }
  /** Of a random choice with repetition. */
  signedCount(): string {
    return this.#orWrong(WRONG_NUMBERS, SIGNED_COUNTS);
  }
  float(): string {
    return this.#orWrong(['x', '', 'nan', ' 1', '1 '], FLOATS);
  }
  score(): string {
    return this.#orWrong(WRONG_SCORES, SCORES);
  }
  bound(): string {
    return this.#orWrong(WRONG_BOUNDS, BOUNDS);
  }
  pattern(): string {
    return this.pick(PATTERNS);
  }

  /** Two are never equal, so that it does not matter which of two servers was asked a moment earlier. */
  seconds(): string {
    if (this.happens(0.1)) return this.pick(['0', '-1', '-100', 'x', '1.5', '9223372036854775807', '-9223372036854775808']);
    return String(this.#uniqueSeconds());
  }
  milliseconds(): string {
    if (this.happens(0.1)) return this.pick(['0', '-1', 'x', '', '9223372036854775807']);
    return String(this.#uniqueSeconds() * 1_000);
  }
  /** Since 1970. Two may be equal. */
  time(): string {
    if (this.happens(0.15)) return this.pick(['0', '1', '-1', '1000000000', 'x', '9223372036854775807']);
    return String(LATER + this.#chance.below(3));
  }
  timeInMilliseconds(): string {
    if (this.happens(0.15)) return this.pick(['0', '1', '-1', '1000000000000', 'x']);
    return String((LATER + this.#chance.below(3)) * 1_000);
  }

  /** The same word to a server. */
  inAnyCase(word: string): string {
    if (this.happens(0.7)) return word;
    return [...word].map((letter) => (this.happens(0.5) ? letter.toLowerCase() : letter)).join('');
  }
  /** Now and then it is no option at all. */
  option(word: string): string {
    return this.happens(0.03) ? 'OPTION' : this.inAnyCase(word);
  }

  #orWrong(wrong: readonly string[], right: readonly string[]): string {
    return this.pick(this.happens(0.08) ? wrong : right);
  }

  #uniqueSeconds(): number {
    this.#expiries++;
    return FIRST_EXPIRY_S + EXPIRY_STEP_S * ((this.#expiries * 7_919) % EXPIRIES);
  }
}
