// "Who blocks whom?" The conflict matrix of the shown span. A click on a cell shows its operations and records; a frozen matrix
// stands beside it, cell by cell, for comparison.
import { Button } from '@claret/ui/kit';
import { Snowflake, X } from 'lucide-react';
import { useState } from 'react';
import { clockTime } from '../../time/ticks.ts';
import { useFollowing, useTelemetry } from '../../time/useTimeAxis.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { NO_TELEMETRY, Panel } from '../../components/Panel.tsx';
import { open, useOpened } from '../../components/opened.ts';
import { Term } from '../../components/Term.tsx';
import { withinWords } from '../spanWords.ts';
import { rateWords } from './rateWords.ts';
import { conflictMatrix, labelsToShow, labelWords } from './conflictMatrix.ts';
import { conditionsTitle, conflictsOf, underOneRule } from './conflictsShown.ts';
import styles from './ConflictsView.module.css';
import { MatrixGrid, type MatrixSide } from './MatrixGrid.tsx';
import { PairDetails } from './PairDetails.tsx';
import { freeze, keepSnapshot, keptSnapshot, type ConflictSnapshot } from './snapshot.ts';

/** Remembers the labels with rows of their own, so that the set changes as little as possible. */
class LabelMemory {
  private shown: readonly string[] = [];

  choose(...matrices: readonly (ConflictSnapshot | null)[]): readonly string[] {
    this.shown = labelsToShow(
      matrices.flatMap((one) => one?.rows ?? []),
      this.shown,
    );
    return this.shown;
  }
}

function whenWords(since_ms: number | null, until_ms: number | null, otherwise: string): string {
  const end = until_ms === null ? '' : `until the load ended at ${clockTime(until_ms)}`;
  if (since_ms === null) return end || otherwise;
  return [`since the switch at ${clockTime(since_ms)}`, end].filter(Boolean).join(', ');
}

export function ConflictsView() {
  const isFollowing = useFollowing();
  const [memory] = useState(() => new LabelMemory());
  const [frozen, setFrozen] = useState(() => keptSnapshot(browserStorage()));
  const opened = useOpened();
  const { live, shown, isKnown, when } = useTelemetry((store, span) => {
    const { span: counted, since_ms, until_ms } = underOneRule(store, span);
    const conflicts = conflictsOf(store, counted);
    return {
      live: conflicts,
      shown: memory.choose(conflicts, frozen),
      isKnown: store.newest_ms !== null,
      when: whenWords(since_ms, until_ms, withinWords(span, isFollowing)),
    };
  });
  const snapshots = frozen === null ? [live] : [frozen, live];
  const sides = sidesOf(snapshots, shown, isFollowing ? 'now' : 'shown');
  const isEmpty = snapshots.every(({ rows }) => rows.length === 0);
  const hold = (snapshot: ConflictSnapshot | null) => {
    setFrozen(snapshot);
    keepSnapshot(browserStorage(), snapshot);
  };

  return (
    <>
      <Panel
        id="conflicts"
        title="Who blocks whom?"
        about={
          <>
            <Term word="conflict">Conflicts</Term> per second {when}.
            {live.leftOut > 0 && live.seconds > 0 && <> Not listed: {rateWords(live.leftOut / live.seconds)} per second of rare pairs.</>}
          </>
        }
        tools={
          <>
            {frozen !== null && (
              <Button look="quiet" size="small" className={styles.tool} onClick={() => hold(null)}>
                <X size={14} aria-hidden="true" /> Unfreeze
              </Button>
            )}
            <Button look="quiet" size="small" className={styles.tool} disabled={live.rows.length === 0} onClick={() => hold(freeze(live))}>
              <Snowflake size={14} aria-hidden="true" /> {frozen === null ? 'Freeze' : 'Freeze again'}
            </Button>
          </>
        }
        empty={isEmpty ? (isKnown ? `No conflicts ${when}.` : NO_TELEMETRY) : null}
        table={() => <MatrixTable sides={sides} />}
      >
        <MatrixGrid sides={sides} onOpen={(pair, side) => open({ pair, isFrozen: snapshots[side] === frozen })} />
        {frozen !== null && live.rows.length === 0 && <p className={styles.note}>No conflicts {when}.</p>}
      </Panel>
      {isKnown && opened !== null && 'pair' in opened && (
        <PairDetails pair={opened.pair} shown={shown} frozen={opened.isFrozen ? frozen : null} onClose={() => open(null)} />
      )}
    </>
  );
}

/** Undefined if the browser denies access. */
function browserStorage(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}

/** `newest`: the name of the side that is not frozen. */
function sidesOf(snapshots: readonly ConflictSnapshot[], shown: readonly string[], newest: string): MatrixSide[] {
  const matrices = snapshots.map(({ rows }) => conflictMatrix(rows, shown));
  const hasOthers = matrices.some(({ labels }) => labels.at(-1) === null);
  return snapshots.map(({ rows, seconds, conditions, at_ms }, at) => ({
    name: at === snapshots.length - 1 ? newest : `frozen ${clockTime(at_ms)}`,
    short: at === snapshots.length - 1 ? newest : 'frozen',
    about: conditionsTitle(conditions),
    matrix: conflictMatrix(rows, shown, hasOthers),
    seconds,
  }));
}

function MatrixTable({ sides }: { sides: readonly MatrixSide[] }) {
  const { labels } = sides[0]!.matrix;
  const rates = (row: number, column: number) =>
    sides.map(({ matrix, seconds }) => (seconds > 0 ? matrix.counts[row]![column]! / seconds : 0));
  const rows = labels
    .flatMap((holder, row) => labels.map((comer, column) => ({ holder, comer, rates: rates(row, column) })))
    .filter((row) => row.rates.some((rate) => rate > 0))
    .sort((a, b) => b.rates.at(-1)! - a.rates.at(-1)! || b.rates[0]! - a.rates[0]!);
  return (
    <DataTable
      caption="Conflicts per second, by pair of transactions"
      columns={[
        { header: 'Holder', cell: ({ holder }) => labelWords(holder) },
        { header: 'Blocked', cell: ({ comer }) => labelWords(comer) },
        ...sides.map(({ name }, side) => ({
          header: `Conflicts/s, ${name}`,
          isNumber: true,
          cell: (row: (typeof rows)[number]) => <span className="figures">{rateWords(row.rates[side]!)}</span>,
        })),
      ]}
      rows={rows}
      rowKey={({ holder, comer }) => JSON.stringify([holder, comer])}
    />
  );
}
