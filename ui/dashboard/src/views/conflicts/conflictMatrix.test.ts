import { describe, expect, it } from 'vitest';
import { seeded } from '../../../../kit/seeded.ts';
import type { ConflictRow } from '../../store/telemetryStore.ts';
import { conflictMatrix, pairWords, greatestCount, inPair, labelsToShow, rowsOfPair } from './conflictMatrix.ts';

const row = (
  holderLabel: string,
  comerLabel: string,
  count: number,
  holderOperation = 'Set.add',
  comerOperation = 'Set.size',
): ConflictRow => ({
  holderLabel,
  comerLabel,
  holderOperation,
  comerOperation,
  outcome: 'waited',
  count,
});

describe('natives in the conflict matrix', () => {
  const rows: ConflictRow[] = [
    { ...row('Transfer', '(native)', 30), outcome: 'broke' },
    row('Transfer', '(native)', 12),
    row('(native)', 'Transfer', 4),
  ];

  it('have a row and a column, which tell breaks from waits', () => {
    const { labels, counts, broke, total } = conflictMatrix(rows, labelsToShow(rows));
    expect(labels).toEqual(['(native)', 'Transfer']);
    expect(counts).toEqual([
      [0, 4],
      [42, 0],
    ]);
    expect(broke).toEqual([
      [0, 0],
      [30, 0],
    ]);
    expect(total).toBe(46);
  });

  it('are named by what they do', () => {
    expect(pairWords({ holder: 'Transfer', comer: '(native)' })).toBe('Natives meet Transfer');
    expect(pairWords({ holder: '(native)', comer: 'Transfer' })).toBe('Waiting natives keep Transfer out');
    expect(pairWords({ holder: 'Bid', comer: null })).toBe('Bid blocks others');
  });
});

describe('the conflict matrix', () => {
  it('has a row for each holder and a column for each newcomer', () => {
    const matrix = conflictMatrix(
      [row('Bid', 'ViewAuction', 3), row('Bid', 'ViewAuction', 4, 'TopK.add', 'TopK.top'), row('Bid', 'Bid', 1)],
      ['Bid', 'ViewAuction'],
    );
    expect(matrix).toEqual({
      labels: ['Bid', 'ViewAuction'],
      counts: [
        [1, 7],
        [0, 0],
      ],
      broke: [
        [0, 0],
        [0, 0],
      ],
      again: [
        [0, 0],
        [0, 0],
      ],
      total: 8,
    });
    expect(greatestCount(matrix)).toBe(7);
  });

  it('tells members that were executed again from those that waited', () => {
    const { counts, again } = conflictMatrix([{ ...row('Bid', 'View', 3), outcome: 'again' }, row('Bid', 'View', 2)], ['Bid', 'View']);
    expect(counts[0]).toEqual([0, 5]);
    expect(again[0]).toEqual([0, 3]);
  });

  it('counts labels that are not shown as others, together with the core’s own row for others', () => {
    const rows = [row('Bid', 'Post', 1), row('Post', 'Follow', 2), row('(other)', 'Bid', 4)];
    expect(labelsToShow(rows, [], 1)).toEqual(['Bid']);
    expect(conflictMatrix(rows, ['Bid'])).toEqual({
      labels: ['Bid', null],
      counts: [
        [0, 1],
        [4, 2],
      ],
      broke: [
        [0, 0],
        [0, 0],
      ],
      again: [
        [0, 0],
        [0, 0],
      ],
      total: 7,
    });
  });

  it('keeps a shown label until another has twice as many conflicts', () => {
    const rows = [row('A', 'A', 10), row('B', 'B', 19)];
    expect(labelsToShow(rows, ['A'], 1)).toEqual(['A']);
    expect(labelsToShow([...rows, row('B', 'B', 2)], ['A'], 1)).toEqual(['B']);
  });

  it('drops a label without conflicts', () => {
    expect(labelsToShow([row('B', 'C', 1)], ['A', 'B'])).toEqual(['B', 'C']);
  });

  it('loses no conflict, whichever labels are shown, and the details of each cell add up to its count', () => {
    for (const seed of ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta']) {
      const dice = seeded(seed);
      const labels = Array.from({ length: dice.integer(1, 14) }, (_, at) => (at === 0 ? '' : `T${at}`));
      const rows = Array.from({ length: dice.integer(0, 60) }, () =>
        row(dice.pick(labels), dice.pick([...labels, '(other)']), dice.integer(1, 1_000)),
      );
      const shown = labelsToShow(rows, [dice.pick(labels)], dice.integer(1, 8));
      const matrix = conflictMatrix(rows, shown, dice.chance(0.3));
      const sum = matrix.counts.flat().reduce((all, count) => all + count, 0);
      expect([sum, matrix.total], `seed ${seed}`).toEqual(Array(2).fill(rows.reduce((all, { count }) => all + count, 0)));
      for (const [holderAt, holder] of matrix.labels.entries()) {
        for (const [comerAt, comer] of matrix.labels.entries()) {
          const opened = rowsOfPair(rows, { holder, comer }, shown);
          expect(
            opened.reduce((all, { count }) => all + count, 0),
            `seed ${seed}`,
          ).toBe(matrix.counts[holderAt]![comerAt]);
        }
      }
    }
  });

  it('counts only labels that are not shown as others', () => {
    expect(inPair({ holder: null, comer: 'Bid' }, ['Bid'], 'Post', 'Bid')).toBe(true);
    expect(inPair({ holder: null, comer: 'Bid' }, ['Bid'], 'Bid', 'Bid')).toBe(false);
  });
});
