// The matrix: a row for each holder, a column for each blocked newcomer; a snapshot is compared cell by cell: what is shown stands beside what is
// frozen. A cell shows its rate, with a colour on a logarithmic scale common to all cells; where natives are the newcomers, it says
// how often they broke the holder and how often they waited; where members were executed again, it says how often. Cells with conflicts are buttons: the
// Tab key stops once, and the arrow keys move between them.
import { classes } from '@claret/ui/kit';
import { Fragment, useRef, useState, useSyncExternalStore, type KeyboardEvent } from 'react';
import { HeatScale } from '../../chart/heatRamp.ts';
import { onPalette, palette } from '../../chart/palette.ts';
import { rateWords } from './rateWords.ts';
import { greatestCount, isNative, labelWords, type ConflictMatrix, type Pair, type ShownLabel } from './conflictMatrix.ts';
import styles from './MatrixGrid.module.css';

export interface MatrixSide {
  name: string;
  /** its name in a column's head */
  short: string;
  /** the conditions */
  about: string;
  matrix: ConflictMatrix;
  /** observed time */
  seconds: number;
}

export interface MatrixGridProps {
  /** one side, or two with the same labels, the frozen one first */
  sides: readonly MatrixSide[];
  onOpen(pair: Pair, side: number): void;
}

interface Cell {
  row: number;
  /** across all sides */
  column: number;
}

const STEPS: Record<string, Cell> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
};

export function MatrixGrid({ sides, onOpen }: MatrixGridProps) {
  const { heat } = useSyncExternalStore(onPalette, palette);
  const [cell, setCell] = useState<Cell | null>(null);
  const table = useRef<HTMLTableElement>(null);
  const { labels } = sides[0]!.matrix;
  const rate = (count: number, { seconds }: MatrixSide) => (seconds > 0 ? count / seconds : 0);
  const scale = new HeatScale(Math.max(...sides.map((side) => rate(greatestCount(side.matrix), side))));
  const countAt = ({ row, column }: Cell) =>
    column < 0 ? null : (sides[column % sides.length]!.matrix.counts[row]?.[Math.floor(column / sides.length)] ?? null);
  const stop = cell !== null && (countAt(cell) ?? 0) > 0 ? cell : firstCell(sides);

  const go = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (step === undefined || stop === null) return;
    event.preventDefault();
    let next = { row: stop.row + step.row, column: stop.column + step.column };
    while (countAt(next) === 0) next = { row: next.row + step.row, column: next.column + step.column };
    if (next.row < 0 || next.column < 0 || countAt(next) === null) return;
    setCell(next);
    table.current?.querySelector<HTMLElement>(`[data-cell="${next.row} ${next.column}"]`)?.focus();
  };

  return (
    <div className={styles.scroll}>
      {sides.length > 1 && (
        <ul className={styles.sides}>
          {sides.map(({ name, about }) => (
            <li key={name}>
              <b>{name}</b> {about}
            </li>
          ))}
        </ul>
      )}
      <table className={styles.matrix} ref={table}>
        <caption className="visually-hidden">Conflicts per second, by holder (rows) and blocked newcomer (columns)</caption>
        <MatrixHead sides={sides} />
        <tbody>
          {labels.map((holder, row) => (
            <tr key={holder}>
              <th scope="row" className={styles.holder} title={labelWords(holder)}>
                {labelWords(holder)}
              </th>
              {labels.map((comer, place) =>
                sides.map((side, at) => {
                  const column = place * sides.length + at;
                  const count = side.matrix.counts[row]![place]!;
                  const words = cellWords(comer, {
                    all: rate(count, side),
                    broke: rate(side.matrix.broke[row]![place]!, side),
                    again: rate(side.matrix.again[row]![place]!, side),
                  });
                  const step = heat[scale.step(rate(count, side))];
                  return (
                    <td key={column} className={classes(styles.cell, at === 0 && place > 0 && sides.length > 1 && styles.apart)}>
                      {count === 0 || step === undefined ? (
                        <span className={styles.nothing} aria-label="0">
                          ·
                        </span>
                      ) : (
                        <button
                          type="button"
                          className={classes(styles.button, 'figures')}
                          style={{ background: step.colour, color: step.ink }}
                          data-cell={`${row} ${column}`}
                          tabIndex={stop?.row === row && stop.column === column ? 0 : -1}
                          aria-label={`${words.join(', ')} ${isNative(comer) ? '' : 'conflicts '}per second: ${labelWords(holder)} blocks ${labelWords(comer)}${sides.length > 1 ? `, ${side.name}` : ''}`}
                          onKeyDown={go}
                          onFocus={() => setCell({ row, column })}
                          onClick={() => onOpen({ holder, comer }, at)}
                        >
                          {words.map((line, i) => (
                            <Fragment key={line}>
                              {/* Without it the accessible name, which has the words one by one, would not contain the text. */}
                              {i > 0 && ' '}
                              <span className={styles.line}>{line}</span>
                            </Fragment>
                          ))}
                        </button>
                      )}
                    </td>
                  );
                }),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * The lines of a cell: the rate; for natives, "120 broke" and "8 waited", and where members were executed again, "8 waited" and "3 again", as
 * far as there were any.
 */
function cellWords(comer: ShownLabel, per_s: { all: number; broke: number; again: number }): string[] {
  if (!isNative(comer) && per_s.again === 0) return [rateWords(per_s.all)];
  const parts: [string, number][] = [
    ['broke', per_s.broke],
    ['waited', per_s.all - per_s.broke - per_s.again],
    ['again', per_s.again],
  ];
  return parts.filter(([, rate]) => rate > 0).map(([word, rate]) => `${rateWords(rate)} ${word}`);
}

function MatrixHead({ sides }: Pick<MatrixGridProps, 'sides'>) {
  const { labels } = sides[0]!.matrix;
  const corner = (
    <td className={styles.corner} rowSpan={Math.min(2, sides.length)}>
      <span>blocks ↓</span> <span>is blocked →</span>
    </td>
  );
  const isCompared = sides.length > 1;
  return (
    <thead>
      <tr>
        {corner}
        {labels.map((label, place) => (
          <th
            key={label}
            scope={isCompared ? 'colgroup' : 'col'}
            colSpan={sides.length}
            className={classes(styles.comer, isCompared && place > 0 && styles.apart)}
          >
            <span title={labelWords(label)}>{labelWords(label)}</span>
          </th>
        ))}
      </tr>
      {isCompared && (
        <tr>
          {labels.map((label, place) =>
            sides.map(({ short }, at) => (
              <th key={`${label} ${short}`} scope="col" className={classes(styles.side, at === 0 && place > 0 && styles.apart)}>
                {short}
              </th>
            )),
          )}
        </tr>
      )}
    </thead>
  );
}

/** The cell that the Tab key focuses: the hottest one of the first side with conflicts. */
function firstCell(sides: readonly MatrixSide[]): Cell | null {
  for (const [at, { matrix }] of sides.entries()) {
    const greatest = greatestCount(matrix);
    if (greatest === 0) continue;
    const row = matrix.counts.findIndex((counts) => counts.includes(greatest));
    return { row, column: matrix.counts[row]!.indexOf(greatest) * sides.length + at };
  }
  return null;
}
