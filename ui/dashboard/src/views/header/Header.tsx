// The key figures of the cluster, each with its history, and how its transactions spend their time. They are always the same ones.
import { Button, Table } from '@claret/ui/kit';
import { ChartNoAxesColumn, Table2 } from 'lucide-react';
import { useState } from 'react';
import { figureWords, msWords, NOTHING, scaleWords, shareWords } from '../../components/figures.ts';
import { retriesPerCommit } from '../../components/retriesPerCommit.ts';
import { Term } from '../../components/Term.tsx';
import type { TelemetryStore } from '../../store/telemetryStore.ts';
import type { Span } from '../../store/span.ts';
import { clockTime } from '../../time/ticks.ts';
import { useGutter } from '../../time/gutter.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import { eachBucket } from './buckets.ts';
import { causeLook } from './causes.ts';
import { drawLines } from './drawLine.ts';
import { drawSpending } from './drawSpending.ts';
import { FigureRow } from './FigureRow.tsx';
import { around, figuresOf, shownOf, spendingOf, spentPerCommit, type Figures, type Spending } from './figuresShown.ts';
import { rowHeights } from './rowHeights.ts';
import styles from './Header.module.css';

/** Less of a commit's time is not worth a word. */
const LEAST_SHARE = 0.01;

const wordsOfShare = (share: number | null) => (share === null ? NOTHING : shareWords(share));
const latencyWords = (ms: number) => (ms >= 1_000 ? `${scaleWords(ms / 1_000)} s` : `${scaleWords(ms)} ms`);
const drawThroughput = drawLines([{ read: ({ totals }, bucket) => totals.perSecond(bucket, 'committed') }], { words: scaleWords });
const drawRetries = drawLines([{ read: retriesPerCommit }], { words: scaleWords });
const drawLatency = drawLines(
  [
    { name: 'p50', read: ({ totals }, bucket) => totals.latency(bucket, 0.5) },
    { name: 'p99', read: ({ totals }, bucket) => totals.latency(bucket, 0.99) },
  ],
  { isLog: true, words: latencyWords },
);

const throughputAt = (store: TelemetryStore, at_ms: number) => `${figureWords(store.totals.perSecond(around(at_ms), 'committed'))}/s`;
const retriesAt = (store: TelemetryStore, at_ms: number) => figureWords(retriesPerCommit(store, around(at_ms)));
const latencyAt = ({ totals }: TelemetryStore, at_ms: number) =>
  `p50 ${msWords(totals.latency(around(at_ms), 0.5))}, p99 ${msWords(totals.latency(around(at_ms), 0.99))}`;
const statesAt = (store: TelemetryStore, at_ms: number) => {
  const shares = spendingOf(store, around(at_ms)).filter(({ share }) => share !== null && share >= LEAST_SHARE);
  const words = shares.map(({ name, share }) => `${causeLook(name).words} ${shareWords(share!)}`);
  return [`${msWords(spentPerCommit(store, around(at_ms)))} per commit`, ...words].join(', ');
};

export function Header() {
  const [isTable, setIsTable] = useState(false);
  const { figures, spending, words } = useTelemetry((store, _, axis) => {
    const shown = shownOf(axis);
    return {
      figures: figuresOf(store, shown.span),
      spending: spendingOf(store, shown.span),
      words: shown.words,
    };
  });
  return (
    <section id="throughput" tabIndex={-1} className={styles.header} aria-label="Key figures">
      {isTable ? <HeaderTable /> : <Rows figures={figures} />}
      <div className={styles.foot}>
        {!isTable && <States spending={spending} />}
        <span className={styles.of}>{isTable ? 'Newest first' : words}</span>
        <Button
          look="quiet"
          size="small"
          className={styles.switch}
          aria-pressed={isTable}
          aria-label="Key figures: as a table"
          title={isTable ? 'Show as charts' : 'Show as a table'}
          onClick={() => setIsTable(!isTable)}
        >
          {isTable ? <ChartNoAxesColumn size={16} aria-hidden="true" /> : <Table2 size={16} aria-hidden="true" />}
        </Button>
      </div>
    </section>
  );
}

function Rows({ figures }: { figures: Figures }) {
  const { usual, states } = rowHeights(useGutter());
  return (
    <>
      <FigureRow
        title="Throughput"
        chartTitle="Throughput: committed transactions per second, over time"
        figure={figureWords(figures.committed_per_s)}
        unit="transactions/s"
        height={usual}
        draw={drawThroughput}
        valueAt={throughputAt}
      />
      <FigureRow
        title={<Term word="retry">Retries</Term>}
        chartTitle="Retries per commit, over time"
        figure={figureWords(figures.retries_per_commit)}
        unit="per commit"
        height={usual}
        draw={drawRetries}
        valueAt={retriesAt}
      />
      <FigureRow
        title="Latency"
        chartTitle="Latency: p50 and p99, retries included, over time"
        figures={[
          { name: <Term word="p50" />, figure: msWords(figures.p50_ms) },
          { name: <Term word="p99" />, figure: msWords(figures.p99_ms) },
        ]}
        height={usual}
        draw={drawLatency}
        valueAt={latencyAt}
      />
      <FigureRow
        title="A commit’s time"
        chartTitle="A commit’s time: the share of it that was spent in each state, over time"
        figure={msWords(figures.spent_ms)}
        unit="per commit"
        height={states}
        draw={drawSpending}
        valueAt={statesAt}
      />
    </>
  );
}

/** The legend of the states, with the share of time that was spent in each. */
function States({ spending }: { spending: readonly Spending[] }) {
  return (
    <ul className={styles.states} aria-label="The share of a commit’s time that was spent in each state">
      {spending.map(({ name, share }) => {
        const look = causeLook(name);
        return (
          <li key={name}>
            <i
              className={styles.swatch}
              data-hatched={look.hatch > 0}
              style={{ backgroundColor: `var(${look.token})` }}
              aria-hidden="true"
            />
            {look.term === null ? <span title={look.about}>{look.words}</span> : <Term word={look.term}>{look.words}</Term>}{' '}
            <b className="figures">{wordsOfShare(share)}</b>
          </li>
        );
      })}
    </ul>
  );
}

interface Row {
  bucket: Span;
  figures: Figures;
  spending: Spending[];
}

/** The greatest number of rows that is still readable. */
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
        caption="Key figures over the time shown, newest first"
        rows={rows}
        rowKey={({ bucket }) => String(bucket.from_ms)}
        columns={[
          { header: 'From', cell: ({ bucket }) => <span className="figures">{clockTime(bucket.from_ms)}</span> },
          ...(
            [
              ['Transactions/s', ({ committed_per_s }) => figureWords(committed_per_s)],
              ['Answered without a message/s', ({ warranted_per_s }) => figureWords(warranted_per_s)],
              ['Natives/s', ({ natives_per_s }) => figureWords(natives_per_s)],
              ['Redis commands/s', ({ redis_per_s }) => figureWords(redis_per_s)],
              ['Members of epochs/s', ({ epochMembers_per_s }) => figureWords(epochMembers_per_s)],
              ['Operations per member', ({ operations_per_member }) => figureWords(operations_per_member)],
              ['Operations in epochs, of all', ({ epoch_share }) => wordsOfShare(epoch_share)],
              ['Came back/s', ({ cameBack_per_s }) => figureWords(cameBack_per_s)],
              ['Epochs called off/s', ({ calledOff_per_s }) => figureWords(calledOff_per_s)],
              ['Forecasts sent/s', ({ members_per_s }) => figureWords(members_per_s)],
              ['Forecasts wrong/s', ({ withdrawn_per_s }) => figureWords(withdrawn_per_s)],
              ['Executed again/s', ({ again_per_s }) => figureWords(again_per_s)],
              ['Batches/s', ({ batches_per_s }) => figureWords(batches_per_s)],
              ['Members per batch', ({ members_per_batch }) => figureWords(members_per_batch)],
              ['Chains broken/s', ({ broken_per_s }) => figureWords(broken_per_s)],
              ['Batches stood back/s', ({ stoodBack_per_s }) => figureWords(stoodBack_per_s)],
              ['Retries per commit', ({ retries_per_commit }) => figureWords(retries_per_commit)],
              ['Latency p50', ({ p50_ms }) => msWords(p50_ms)],
              ['Latency p99', ({ p99_ms }) => msWords(p99_ms)],
              ['Time per commit', ({ spent_ms }) => msWords(spent_ms)],
            ] satisfies [string, (figures: Figures) => string][]
          ).map(([header, words]) => ({
            header,
            isNumber: true,
            cell: ({ figures }: Row) => <span className="figures">{words(figures)}</span>,
          })),
          ...causes.map((name, cause) => ({
            header: `Of that, ${causeLook(name).words}`,
            isNumber: true,
            cell: ({ spending }: Row) => <span className="figures">{wordsOfShare(spending[cause]?.share ?? null)}</span>,
          })),
        ]}
      />
    </div>
  );
}
