import { describe, expect, it } from 'vitest';
import { freshSeed, randomFrom, type Random } from '../testing/random.ts';
import { decodeAnswer, encodeAnswer } from './answer.ts';

const back = (value: unknown): unknown => decodeAnswer(encodeAnswer(value));

function randomValue(random: Random, depth: number): unknown {
  switch (random.below(depth > 3 ? 6 : 8)) {
    case 0:
      return null;
    case 1:
      return random.below(2) === 0;
    case 2:
      return random.next() * 1e6;
    case 3:
      return random.text(8);
    case 4:
      return BigInt(random.below(2 ** 31)) << BigInt(random.below(90));
    case 5:
      return -random.below(1000);
    case 6:
      return Array.from({ length: random.below(4) }, () => randomValue(random, depth + 1));
    default:
      return Object.fromEntries(
        Array.from({ length: random.below(3) }, () => [
          random.pick(['$', 'a', '__proto__', random.text(3)]),
          randomValue(random, depth + 1),
        ]),
      );
  }
}

describe('an answer', () => {
  it('comes back unchanged, including bigints and objects that look like the extensions of JSON', () => {
    for (const value of [
      undefined,
      null,
      0,
      -0,
      '',
      [undefined, 1n],
      { $: '-0' },
      { $: '5n' },
      { $: { $: '' } },
      { $: 1, a: 2 },
      { a: { $: [{ $: '' }] } },
    ]) {
      expect(back(value)).toStrictEqual(value);
    }
    const seed = freshSeed();
    console.log(`seed ${seed}`);
    const random = randomFrom(seed);
    for (let round = 0; round < 500; round++) {
      const value = randomValue(random, 0);
      expect(back(value)).toStrictEqual(value);
    }
  });

  it('leaves out members that are undefined', () => {
    expect(back({ a: undefined, b: 1 })).toStrictEqual({ b: 1 });
    expect(back({ $: '5n', a: undefined })).toStrictEqual({ $: '5n' });
  });

  it.each([
    [Number.NaN],
    [Infinity],
    [new Date(0)],
    [new Map()],
    [() => 1],
    [Symbol('s')],
    ['\ud800'],
    [{ a: [new Set()] }],
    [new Uint8Array(2)],
  ])('that JSON would lose or change is refused: %o', (value) => {
    expect(() => encodeAnswer(value)).toThrow(expect.objectContaining({ code: 'invalid_answer', retryable: false }));
  });

  it('that contains itself or is too long is refused', () => {
    const itself: unknown[] = [];
    itself.push(itself);
    expect(() => encodeAnswer(itself)).toThrow(/holds itself/);
    expect(encodeAnswer('x'.repeat(64 * 1024 - 2))).toHaveLength(64 * 1024);
    expect(() => encodeAnswer('x'.repeat(64 * 1024 - 1))).toThrow(expect.objectContaining({ code: 'invalid_answer' }));
  });

  it('that throws when it is read is refused', () => {
    const thrower = {
      get bad(): never {
        throw new TypeError('not today');
      },
    };
    expect(() => encodeAnswer([thrower])).toThrow(
      expect.objectContaining({ code: 'invalid_answer', message: expect.stringContaining('not today') }),
    );
  });

  it('that no client has written cannot be decoded', () => {
    for (const text of ['{', '{"$":1}', '{"$":"x"}', '{"$":"1.5n"}', '{"$":[]}']) {
      expect(() => decodeAnswer(Buffer.from(text)), text).toThrow();
    }
  });
});
