import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AuthorsPeaks } from '../authors.ts';
import type { Row } from '../raw.ts';
import { Results } from '../results.ts';
import { cellRow, runRow } from '../testing.ts';
import { logarithmic } from '../../../kit/figures/axis.ts';
import { perThousand } from './conflicts.ts';
import { atLeast } from './distributions.ts';
import { drawFigures, figuresOf } from './draw.ts';
import { drawSheet } from '../../../kit/figures/sheet.ts';

const authors = AuthorsPeaks.read();
const namesOf = (rows: Row[]) => figuresOf(new Results(rows), authors).map(({ name }) => name);

const skew = ['alpha=0.8 update=0.5', 'alpha=1 update=0.5'].flatMap((point) =>
  ['none', 'rw', 'abstract+phasing'].flatMap((condition) =>
    [1, 2].map((round) => cellRow({ point, condition, round, txn_per_s: 1000 * round })),
  ),
);
const auction = ['rw', 'abstract'].map((condition) =>
  cellRow({
    workload: 'rubis',
    point: 'bid-heavy',
    condition,
    clients: 256,
    txn_per_s: 2000,
    seconds: 0.5,
    conflicts: [
      { holder: 'Bid', waiter: 'ViewAuction', count: 3 },
      { holder: 'ViewAuction', waiter: 'Bid', count: 2 },
      { holder: 'Bid', waiter: 'Bid', count: condition === 'rw' ? 50 : 0 },
    ],
  }),
);

it('only measured figures are drawn', () => {
  expect(namesOf([runRow()])).toEqual([]);
  expect(namesOf([runRow(), ...skew])).toEqual(['figure-7-rawmix-skew']);
  expect(namesOf([runRow(), ...auction])).toEqual(['figure-8-rubis', 'figure-9-rubis-conflicts']);
  expect(
    namesOf([
      runRow(),
      {
        kind: 'distribution',
        name: 'followers',
        counts: [
          [1, 5],
          [2, 3],
        ],
      },
    ]),
  ).toEqual(['figure-10-retwis-distributions']);
  expect(namesOf([runRow(), { kind: 'trace', condition: 'none', round: 0, window_s: 0.25, txn_per_s: [5, 6], closings: [0.3] }])).toEqual([
    'rubis-over-time',
  ]);
});

it('exactly the measured conditions have lines', () => {
  const [figure] = figuresOf(new Results([runRow(), ...skew]), authors);
  const drawn = new Set([...drawSheet(figure!.sheet).matchAll(/data-condition="([^"]+)"/g)].map(([, condition]) => condition));
  // The authors' panel has the authors' conditions.
  expect([...drawn].sort()).toEqual(['abstract', 'abstract+combining+phasing', 'abstract+phasing', 'none', 'rw', 'rw+phasing']);
  expect(figure!.sheet.legend.map(({ condition }) => condition)).toEqual(expect.arrayContaining(['none', 'rw', 'abstract+phasing']));
});

it('adjacent panels share their scale, so that heights are comparable', () => {
  const fast = skew.map((cell) => ({ ...cell, sending: 'one-shot' as const, txn_per_s: 10 * cell.txn_per_s }));
  const [figure] = figuresOf(new Results([runRow(), ...skew, ...fast]), authors);
  const highestTick = [...drawSheet(figure!.sheet).matchAll(/>(20,000)</g)];
  expect(highestTick).toHaveLength(2);
});

it('points that the driver may have limited have an open mark, and a caption says so', () => {
  const [free] = figuresOf(new Results([runRow(), ...skew]), authors);
  const [bound] = figuresOf(new Results([runRow(), ...skew.map((cell) => ({ ...cell, driver_cpu: 1, driver_polling: 0 }))]), authors);
  const opened = (figure: typeof free) => [
    drawSheet(figure!.sheet).includes('stroke-width="1.5"'),
    figure!.sheet.captions.some((line) => line.startsWith('Open marks')),
  ];
  expect(opened(free)).toEqual([false, false]);
  expect(opened(bound)).toEqual([true, true]);
});

it('a condition without a style is an error', () => {
  const rows = [runRow(), ...auction.map((cell) => ({ ...cell, condition: 'unheard of' }))];
  expect(() => figuresOf(new Results(rows), authors)).toThrow('no style for condition unheard of');
});

it('conflicts of a pair count in either direction, per 1,000 transactions', () => {
  expect(Object.fromEntries(perThousand(auction[0]!))).toEqual({ 'Bid – ViewAuction': 5, 'Bid – Bid': 50 });
});

it('a distribution counts the items with at least each value', () => {
  expect(
    atLeast([
      [0, 100],
      [1, 5],
      [3, 2],
    ]),
  ).toEqual([
    { x: 1, y: 7 },
    { x: 3, y: 2 },
  ]);
});

it('logarithmic axes extend from below the lowest to above the highest value, in legible steps', () => {
  const { ticks, place } = logarithmic('ms', 3, 70);
  expect(ticks).toEqual([2, 5, 10, 20, 50, 100]);
  expect(place(2)).toBeCloseTo(0);
  expect(place(100)).toBeCloseTo(1);
});

it('files are written as SVG and PNG', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-figures-'));
  try {
    const written = await drawFigures(folder, new Results([runRow(), ...skew]), authors);
    expect(written.map((path) => path.slice(folder.length + 1))).toEqual(['figure-7-rawmix-skew.svg', 'figure-7-rawmix-skew.png']);
    const [svg, png] = written.map((path) => readFileSync(path));
    expect(svg!.toString()).toContain('a made-up one, 2 cores');
    expect(png!.subarray(1, 4).toString()).toBe('PNG');
    // Two pixels for each of the SVG's thousand.
    expect(png!.readUInt32BE(16)).toBe(2000);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
