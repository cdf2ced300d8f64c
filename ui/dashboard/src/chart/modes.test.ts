import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calledOffFor, GATHERED, HELD, LISTING } from '../store/epochParts.ts';
import { modeLook, tellApart } from './modes.ts';

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

const others = (letter: string) => Array.from({ length: 8 }, (_, at) => `${letter}e${at}, reserve`);
const seenIn = (names: readonly string[], sign: (name: string) => string) => new Set(names.map(sign)).size;
/** By colour, by pattern and by letters. */
const differences = (names: readonly string[]) => [
  seenIn(names, (name) => new RegExp(`${modeLook(name).token}: (.*);`).exec(css)![1]!),
  seenIn(names, (name) => modeLook(name).pattern),
  seenIn(names, (name) => modeLook(name).letters),
];

test('eight modes of an own type differ in colour, in pattern and in letters, also if some of them were seen before', () => {
  expect(differences(others('r'))).toEqual([8, 8, 8]);
  const names = others('s');
  for (const name of ['a1', names[0]!, 'a2', 'a3', names[5]!, 'a4', 'a5', 'a6', 'a7']) modeLook(name);
  tellApart(names);
  expect(differences(names)).toEqual([8, 8, 8]);
  expect(names.map((name) => modeLook(name).name)).toEqual(names);
});

/** Relative luminance (WCAG) of an OKLCH colour. */
function luminance(lightness: number, chroma: number, degrees: number): number {
  const [a, b] = [chroma * Math.cos((degrees * Math.PI) / 180), chroma * Math.sin((degrees * Math.PI) / 180)];
  const l = (lightness / 100 + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness / 100 - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness / 100 - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const rgb = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((part) => Math.min(1, Math.max(0, part)));
  return 0.2126 * rgb[0]! + 0.7152 * rgb[1]! + 0.0722 * rgb[2]!;
}

test('letters are legible on the colours of own types, in light and dark', () => {
  const colour = /oklch\(([\d.]+)% ([\d.]+) ([\d.]+)\)/g;
  const luminances = (token: string) =>
    [...new RegExp(`${token}: light-dark\\((.*)\\);`).exec(css)![1]!.matchAll(colour)].map(([, ...parts]) =>
      luminance(...(parts.map(Number) as [number, number, number])),
    );
  const ink = luminances('--on-mode');
  for (let place = 1; place <= 8; place++) {
    for (const [at, back] of luminances(`--mode-other-${place}`).entries()) {
      const [dark, light] = [back, ink[at]!].toSorted((one, other) => one - other);
      expect((light! + 0.05) / (dark! + 0.05), `${place}`).toBeGreaterThan(4.5);
    }
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
