import { expect, it } from 'vitest';
import { randomFrom } from '@claret/client/testing';
import { timeOfRequestKey } from '../../ui/site/api/requestKeys.ts';
import { headersOf, keyOf, serversOf, timesOf } from './browser.ts';

const SEED = 7;
const NOW_MS = 1_796_000_000_000;
const random = () => {
  const { next } = randomFrom(SEED);
  return next;
};

it('what is posted has a key of its own, and only that', () => {
  const draw = random();
  const keys = Array.from({ length: 100 }, () => keyOf('POST', draw, NOW_MS));
  expect(new Set(keys).size).toBe(100);
  expect(keys.every((key) => timeOfRequestKey(key!) === NOW_MS)).toBe(true);
  expect((['GET', 'PUT', 'DELETE'] as const).map((method) => keyOf(method, draw, NOW_MS))).toEqual([null, null, null]);
});

it('a twentieth of the changes is sent again, half of these at once, and nothing without a key', () => {
  const draw = random();
  const times = Array.from({ length: 20_000 }, () => timesOf('key', draw));
  const share = (which: string) => times.filter((one) => one === which).length / times.length;
  expect(share('again')).toBeCloseTo(0.025, 2);
  expect(share('twice')).toBeCloseTo(0.025, 2);
  expect(timesOf(null, () => 0)).toBe('once');
});

it('a visitor sends to one server, and again to another, if there is one', () => {
  const draw = random();
  expect(serversOf(['a'], draw)).toEqual(['a']);
  for (let i = 0; i < 20; i++) expect(new Set(serversOf(['a', 'b', 'c'], draw)).size).toBe(2);
});

it('only changes name their origin and have a key, and only people who are logged in send a cookie', () => {
  const look = headersOf({ method: 'GET', origin: 'http://site', cookie: null, hasBody: false, key: null });
  const change = headersOf({ method: 'POST', origin: 'http://site', cookie: 'c=1', hasBody: true, key: 'k' });
  const added = Object.keys(change).filter((name) => !(name in look));
  expect(added.sort()).toEqual(['content-type', 'cookie', 'idempotency-key', 'origin']);
});
