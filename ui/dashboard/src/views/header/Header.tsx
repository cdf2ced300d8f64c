// How the cluster is: the few figures that tell it at a glance, each with its course, and where the time of transactions goes.
import { Button, Table } from '@claret/ui/kit';
import { ChartNoAxesColumn, Table2 } from 'lucide-react';
import { useState } from 'react';
import { Chart } from '../../chart/Chart.tsx';
import { figureWords, msWords, scaleWords } from '../../parts/figures.ts';
import { retriesPerCommit } from '../../parts/retriesPerCommit.ts';
import type { TelemetryStore } from '../../store/telemetryStore.ts';
import type { Span } from '../../store/span.ts';
import { clockTime } from '../../time/ticks.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import { eachBucket } from './buckets.ts';
import { causeLook } from './causes.ts';
import { drawLines } from './drawLine.ts';
import { drawSpending } from './drawSpending.ts';
import { figuresOf, inFlight, shownOf, spendingOf, type Figures, type Spending } from './figuresShown.ts';
import styles from './Header.module.css';
import { Tile } from './Tile.tsx';

const SPENDING_PX = 64;

const drawCommitted = drawLines([{ read: ({ totals }, bucket) => totals.perSecond(bucket, 'committed') }], { words: scaleWords });
const drawRetries = drawLines([{ read: retriesPerCommit }], { words: scaleWords });
const drawLatency = drawLines(
  [
    { name: 'p50', read: ({ totals }, bucket) => totals.latency(bucket, 0.5) },
    { name: 'p99', read: ({ totals }, bucket) => totals.latency(bucket, 0.99) },
  ],
  { isLog: true, words: (ms) => (ms >= 1_000 ? `${scaleWords(ms / 1_000)} s` : `${scaleWords(ms)} ms`) },
);
const drawInFlight = drawLines([{ read: inFlight }], { words: scaleWords });

export function Header() {
  const [isTable, setIsTable] = useState(false);
  const { figures, spending, words } = useTelemetry((store, _, axis) => {
    const shown = shownOf(axis);
    return { figures: figuresOf(store, shown.span), spending: spendingOf(store, shown.span), words: shown.words };
  });
  return (
    <section className={styles.header} aria-label="How the cluster is">
      <div className={styles.tools}>
        <span className={styles.of}>{isTable ? 'newest first' : words}</span>
        <Button
          look="quiet"
          size="small"
          className={styles.switch}
          aria-pressed={isTable}
          aria-label="Figures as a table"
          title={isTable ? 'Show the pictures' : 'Show as a table'}
          onClick={() => setIsTable(!isTable)}
        >
          {isTable ? <ChartNoAxesColumn size={16} aria-hidden="true" /> : <Table2 size={16} aria-hidden="true" />}
        </Button>
      </div>
      {isTable ? <HeaderTable /> : <Tiles figures={figures} spending={spending} />}
    </section>
  );
}

function Tiles({ figures, spending }: { figures: Figures; spending: Spending[] }) {
  return (
    <div className={styles.tiles}>
      <Tile
        title="How much gets done?"
        unit="committed/s"
        about="transactions that went through"
        figure={figureWords(figures.committed_per_s)}
        draw={drawCommitted}
      />
      <Tile
        title="How often in vain?"
        unit="retries per commit"
        about="attempts that had to begin again"
        figure={figureWords(figures.retries_per_commit)}
        draw={drawRetries}
      />
      <Tile
        title="How long does it take?"
        unit="p50"
        about="half within p50, 99 % within p99, retries included"
        figure={msWords(figures.p50_ms)}
        more={`${msWords(figures.p99_ms)} p99`}
        draw={drawLatency}
      />
      <Tile
        title="How many at once?"
        unit="in flight"
        about="transactions begun and not ended"
        figure={figureWords(figures.in_flight)}
        draw={drawInFlight}
      />
      <div className={styles.tile}>
        <h2 className={styles.title}>Where does their time go?</h2>
        <ul className={styles.causes}>
          {spending.map(({ name, per_s }) => {
            const look = causeLook(name);
            return (
              <li key={name} title={look.about}>
                <i className={styles.swatch} data-hatched={look.hatch > 0} style={{ backgroundColor: `var(${look.token})` }} aria-hidden="true" />
                {look.words} <b className="figures">{figureWords(per_s)}</b>
              </li>
            );
          })}
        </ul>
        <p className={styles.about}>seconds that all transactions together spent, each second</p>
        <Chart title="Time that transactions spent, by what they did, over the time shown" height={SPENDING_PX} draw={drawSpending} />
      </div>
    </div>
  );
}

interface Row {
  bucket: Span;
  figures: Figures;
  spending: Spending[];
}

/** As many rows as one reads. */
const ROWS_MAX = 60;
const ROW_MS = [1_000, 2_000, 5_000, 10_000, 15_000];

function rowsOf(store: TelemetryStore, span: Span): Row[] {
  const width_ms = ROW_MS.find((ms) => (span.to_ms - span.from_ms) / ms <= ROWS_MAX) ?? ROW_MS.at(-1)!;
  const rows: Row[] = [];
  eachBucket(span, width_ms, store.newest_ms ?? 0, (bucket) => {
    const figures = figuresOf(store, bucket);
    if (figures.committed_per_s !== null) rows.push({ bucket, figures, spending: spendingOf(store, bucket) });
  });
  return rows.reverse();
}

function HeaderTable() {
  const rows = useTelemetry(rowsOf);
  const causes = rows[0]?.spending.map(({ name }) => name) ?? [];
  return (
    <div className={styles.table}>
      <Table
        caption="The cluster's figures over the time shown, newest first"
        rows={rows}
        rowKey={({ bucket }) => String(bucket.from_ms)}
        columns={[
          { header: 'From', cell: ({ bucket }) => <span className="figures">{clockTime(bucket.from_ms)}</span> },
          ...(
            [
              ['Committed/s', ({ committed_per_s }) => figureWords(committed_per_s)],
              ['Retries per commit', ({ retries_per_commit }) => figureWords(retries_per_commit)],
              ['p50', ({ p50_ms }) => msWords(p50_ms)],
              ['p99', ({ p99_ms }) => msWords(p99_ms)],
              ['In flight', ({ in_flight }) => figureWords(in_flight)],
            ] satisfies [string, (figures: Figures) => string][]
          ).map(([header, words]) => ({
            header,
            isNumber: true,
            cell: ({ figures }: Row) => <span className="figures">{words(figures)}</span>,
          })),
          ...causes.map((name, cause) => ({
            header: `${causeLook(name).words}, s per second`,
            isNumber: true,
            cell: ({ spending }: Row) => <span className="figures">{figureWords(spending[cause]?.per_s ?? null)}</span>,
          })),
        ]}
      />
    </div>
  );
}
