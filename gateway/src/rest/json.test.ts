import { describe, expect, test } from 'vitest';
import type { GatewayError } from '../errors.ts';
import { JSON_DEPTH_MAX, parseJson } from './json.ts';

const parse = (text: string) => parseJson(Buffer.from(text));
const codeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as GatewayError).code;
  }
  return 'accepted';
};

test('a plain document is read as it is', () => {
  expect(parse(' {"a":[1,-2.5,"x",true,null,{"b":{}}]}\n')).toEqual({ a: [1, -2.5, 'x', true, null, { b: {} }] });
});

describe('numbers at the edge:', () => {
  test.each([
    ['9007199254740991', 'accepted'],
    ['-9007199254740991', 'accepted'],
    ['9007199254740992', 'out_of_range'],
    ['9007199254740993', 'out_of_range'],
    ['-9007199254740993', 'out_of_range'],
    ['1e300', 'out_of_range'],
    ['1e999', 'out_of_range'],
    ['0.1', 'accepted'],
    ['1e15', 'accepted'],
    ['NaN', 'malformed_json'],
    ['Infinity', 'malformed_json'],
  ])('%s is %s', (text, code) => {
    expect(codeOf(() => parse(`{"n":[${text}]}`))).toBe(code);
  });
});

test('__proto__ and constructor are members like any other', () => {
  const parsed = parse('{"__proto__":{"polluted":1},"constructor":2}') as object;
  expect(Object.entries(parsed)).toEqual([['__proto__', { polluted: 1 }], ['constructor', 2]]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('depth is counted outside of strings only', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(codeOf(() => parse(nested(JSON_DEPTH_MAX)))).toBe('accepted');
  expect(codeOf(() => parse(nested(JSON_DEPTH_MAX + 1)))).toBe('nested_too_deep');
  expect(codeOf(() => parse('['.repeat(1_000_000)))).toBe('nested_too_deep');
  expect(parse(`"${'['.repeat(100)}\\"${'{'.repeat(100)}"`)).toHaveLength(201);
});

test('bytes that are no UTF-8, and halves of surrogate pairs, are refused', () => {
  expect(codeOf(() => parseJson(Buffer.from([0x22, 0xff, 0x22])))).toBe('invalid_utf8');
  expect(codeOf(() => parse('"\\ud800"'))).toBe('invalid_utf8');
  expect(codeOf(() => parse('{"\\udc00":1}'))).toBe('invalid_utf8');
  expect(parse('"\\ud83d\\ude00"')).toBe('😀');
});

test.each(['', '{', '{"a":1,}', "{'a':1}", '[1 2]', 'nul', '{"a":1}{"b":2}'])('%j is malformed', (text) => {
  expect(codeOf(() => parse(text))).toBe('malformed_json');
});
