// The picture and the page, from a small recorded storm (testing/recorded.json).

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pngOf } from '../../../kit/figures/png.ts';
import { picture, workOf } from './picture.ts';
import { reportPage } from './report.ts';
import type { Storm } from './storm.ts';

const recorded = JSON.parse(readFileSync(new URL('testing/recorded.json', import.meta.url), 'utf8')) as Storm[];
const storms = recorded.map((storm) => ({ ...storm, folder: `/results/${storm.entry.condition}` }));
const page = (of: readonly Storm[]) =>
  reportPage({ title: 'A <storm>', picture: picture(of, 'measured here'), storms: of, provenance: 'measured here', folder: '/results' });

test('the picture has a line for each condition in each panel, and the close of the auction', () => {
  const svg = picture(storms, 'measured here');
  const lines = (condition: string) => svg.match(new RegExp(`data-condition="${condition.replaceAll('+', '\\+')}"`, 'g'))?.length;
  expect(lines('rw')).toBe(3);
  expect(lines('abstract+combining+phasing')).toBe(3);
  expect(svg).toContain('>Accepted bids<');
  expect(svg).toContain('>the auction ends<');
  expect(svg).toContain('measured here');
});

test('without shed requests there is no panel for them', () => {
  const calm = storms.map((storm) => ({ ...storm, seconds: storm.seconds.map((second) => ({ ...second, shed: 0 })) }));
  expect(picture(calm, '')).not.toContain('Sent away');
});

test('a storm without accepted work can still be drawn', () => {
  const nothing = storms.map((storm) => ({
    ...storm,
    seconds: storm.seconds.map((second) => ({ ...second, accepted: 0, p50_ms: null, p99_ms: null })),
  }));
  expect(picture(nothing, '')).not.toContain('p99, milliseconds');
});

test('conditions without a style have a line and their own name', () => {
  const svg = picture(
    [
      {
        ...storms[0]!,
        style: 'rw, phasing on, combining auto',
        entry: { ...storms[0]!.entry, condition: 'rw, phasing on, combining auto' },
      },
    ],
    '',
  );
  expect(svg).toContain('>rw, phasing on, combining auto<');
});

test('the picture becomes a PNG', async () => {
  const png = await pngOf(picture(storms, 'measured here'));
  expect([...png.slice(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
});

test('the page is self-contained: it loads nothing, and its links point to files beside it', () => {
  const html = page(storms);
  expect(html).not.toMatch(/<(?:script|link|img)\b|@import|url\(/);
  expect([...html.matchAll(/href="([^"]+)"/g)].map(([, to]) => to)).toContain('rw/k6-report.html');
  expect([...html.matchAll(/href="([^"]+)"/g)].every(([, to]) => /^[\w+.%-]+\/[\w.-]+$/.test(to!))).toBe(true);
});

test('the page shows what visitors met while a shard joined', () => {
  const stage = { seconds: 5, accepted: 50, p50_ms: 3, p99_ms: 12, longest_ms: 40, longest_gap_ms: 55, shed: 0, unknown: 0, failed: 0 };
  const move = { from: 0, slots: 8_192, bytes: 1, drains: 1, held_ms: 6, took_ms: 90 };
  const join = { moves: [move], held_p50_ms: 6, held_p99_ms: 6, held_longest_ms: 6, left_s: 4 };
  const stages = { before: stage, starting: stage, moving: stage, after: stage };
  const html = page([{ ...storms[0]!, entry: { ...storms[0]!.entry, join: { ...join, stages } } }]);
  expect(html).toContain('8,192 slots in 1 moves');
  expect(html).toContain('<th scope="col">moving</th>');
  expect(page(storms)).not.toContain('A shard joins');
});

test('foreign text is escaped on the page', () => {
  const html = page(storms.map((storm) => ({ ...storm, entry: { ...storm.entry, invariants: '<img src=x onerror=alert(1)>' } })));
  expect(html).not.toContain('<img');
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect(html).toContain('<h1>A &lt;storm&gt;</h1>');
});

test('the page first lists the faults, or says that there are none', () => {
  const sound = storms.map((storm) => ({ ...storm, entry: { ...storm.entry, thresholds: [], invariants: 'hold', failed: 0 } }));
  expect(page(sound)).toContain('Everything holds.');
  const broken = [{ ...sound[0]!, entry: { ...sound[0]!.entry, invariants: 'a bid is lost' } }, sound[1]!];
  expect(page(broken)).toContain(`<li>${sound[0]!.entry.condition}: invariants broken: a bid is lost</li>`);
});

test('each kind of work has a name', () => {
  expect([workOf('last-minute-auction'), workOf('the-dress'), workOf('flash-crowd'), workOf('steady-rubis')]).toEqual([
    'bids',
    'posts and reposts',
    'answers',
    'answers',
  ]);
});
