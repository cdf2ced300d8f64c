import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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

test('an unknown mode always looks the same, and its colour is a token too', () => {
  for (const name of ['merge', 'rotate', 'ünite', '', 'x']) {
    const look = modeLook(name);
    expect(modeLook(name)).toEqual(look);
    expect(look.letters).not.toBe('');
    expect(css).toContain(`${look.token}:`);
  }
});
