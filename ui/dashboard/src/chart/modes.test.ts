import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calledOffFor, GATHERED, HELD, LISTING } from '../store/epochParts.ts';
import { modeLook } from './modes.ts';

const KNOWN = ['read', 'scan', 'add', 'increment', 'change', 'generate', 'write', 'remove', 'try', 'exclusive'];
const css = readFileSync(join(import.meta.dirname, 'modes.css'), 'utf8');

test('no two modes have the same letters, or the same colour', () => {
  expect(new Set(KNOWN.map((mode) => modeLook(mode).letters)).size).toBe(KNOWN.length);
  const colours = KNOWN.map((mode) => new RegExp(`${modeLook(mode).token}: (.*);`).exec(css)?.[1]);
  expect(colours).not.toContain(undefined);
  expect(new Set(colours).size).toBe(KNOWN.length);
});

test('the runs of a client always look the same, and like no other mode', () => {
  for (const name of ['run', 'run of app-1', 'run of app-2', 'run of x']) {
    const look = modeLook(name);
    expect(modeLook(name)).toEqual(look);
    expect(look).toMatchObject({ name, letters: 'Rn' });
    expect(css).toContain(`${look.token}:`);
  }
});

test('call-offs look alike, and say who was late', () => {
  for (const [late, name] of [
    [[], 'called off'],
    [[1], 'shard 1 late'],
    [[0, 2], 'shards 0 and 2 late'],
  ] as const) {
    expect(modeLook(calledOffFor(late))).toMatchObject({ name, letters: '×', token: '--mode-called-off' });
  }
  for (const mode of [GATHERED, LISTING, HELD, calledOffFor([])]) expect(css).toContain(`${modeLook(mode).token}:`);
});

test('an unknown mode always looks the same, and its colour is a token too', () => {
  for (const name of ['merge', 'rotate', 'ünite', '', 'x']) {
    const look = modeLook(name);
    expect(modeLook(name)).toEqual(look);
    expect(look.letters).not.toBe('');
    expect(css).toContain(`${look.token}:`);
  }
});
