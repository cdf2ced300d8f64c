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

test('an ordinary document is parsed unchanged', () => {
  expect(parse(' {"a":[1,-2.5,"x",true,null,{"b":{}}]}\n')).toEqual({ a: [1, -2.5, 'x', true, null, { b: {} }] });
});

describe('numbers at the edge:', () => {
  test.each([
    ['9007199254740991', 'accepted'],
    ['-9007199254740991', 'accepted'],
    ['9007199254740992', 'out_of_range'],
    ['9007199254740993', 'out_of_range'],
    ['-9007199254740993', 'out_of_range'],
    ['1e300', 'accepted'],
    ['1e308', 'accepted'],
    ['-1.5E+300', 'accepted'],
    ['9007199254740993.0', 'accepted'],
    ['1' + '0'.repeat(400), 'out_of_range'],
    ['-1e309', 'out_of_range'],
    ['1e999', 'out_of_range'],
    ['0.1', 'accepted'],
    ['1e15', 'accepted'],
    ['NaN', 'malformed_json'],
    ['Infinity', 'malformed_json'],
  ])('%s is %s', (text, code) => {
    expect(codeOf(() => parse(`{"n":[${text}]}`))).toBe(code);
  });
});

test('__proto__ and constructor are ordinary members', () => {
  const parsed = parse('{"__proto__":{"polluted":1},"constructor":2}') as object;
  expect(Object.entries(parsed)).toEqual([
    ['__proto__', { polluted: 1 }],
    ['constructor', 2],
  ]);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

describe('repeated members:', () => {
  test.each([
    ['{"a":1,"a":2}', '"a"'],
    ['{"a":1,"b":{"c":[],"d":{},"c":1}}', '"c"'],
    ['[[],{"key":"x" , "n":["key",{"key":1}] , "key" : "y"}]', '"key"'],
    ['{"a\\"b":1,"a\\"b":2}', '"a\\"b"'],
    ['{"a":1,"\\u0061":2}', '"a"'],
    ['{"__proto__":1,"__proto__":2}', '"__proto__"'],
    ['{"":1,"":2}', '""'],
  ])('%s is refused, with its name', (text, name) => {
    expect(() => parse(text)).toThrow(`The member ${name} stands twice in one object.`);
    expect(codeOf(() => parse(text))).toBe('invalid_request');
  });

  test.each([
    '{"a":{"a":{"a":1}},"b":{"a":1}}',
    '[{"a":1},{"a":1},{"a":"a","b":"a"}]',
    '{"a":["a","a",{"a":1},"a"],"b":"a,\\"a\\":","c":"{\\"a\\""}',
    '{"a":1,"A":2,"a ":3}',
  ])('%s has none', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });
});

test('brackets in strings do not count towards the depth', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  expect(codeOf(() => parse(nested(JSON_DEPTH_MAX)))).toBe('accepted');
  expect(codeOf(() => parse(nested(JSON_DEPTH_MAX + 1)))).toBe('nested_too_deep');
  expect(codeOf(() => parse('['.repeat(1_000_000)))).toBe('nested_too_deep');
  expect(parse(`"${'['.repeat(100)}\\"${'{'.repeat(100)}"`)).toHaveLength(201);
});

test('invalid UTF-8 and lone surrogates are refused', () => {
  expect(codeOf(() => parseJson(Buffer.from([0x22, 0xff, 0x22])))).toBe('invalid_utf8');
  expect(codeOf(() => parse('"\\ud800"'))).toBe('invalid_utf8');
  expect(codeOf(() => parse('{"\\udc00":1}'))).toBe('invalid_utf8');
  expect(parse('"\\ud83d\\ude00"')).toBe('😀');
});

test.each(['', '{', '{"a":1,}', "{'a':1}", '[1 2]', 'nul', '{"a":1}{"b":2}'])('%j is malformed', (text) => {
  expect(codeOf(() => parse(text))).toBe('malformed_json');
});
