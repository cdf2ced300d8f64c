// The key figures of the cluster, each with its history, and how its transactions spend their time.
import { Button, formatCount, Table } from '@claret/ui/kit';
import { ChartNoAxesColumn, Table2 } from 'lucide-react';
import { useState } from 'react';
import { figureWords, msWords, NOTHING, scaleWords, shareWords, shortFigureWords } from '../../components/figures.ts';
import { reasonWords } from '../../components/reasons.ts';
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
import {
  around,
  epochShare,
  figuresOf,
  inAllStates,
  membersPerBatch,
  operationsPerMember,
  reasonsOf,
  shownOf,
  spendingOf,
  warrantedShare,
} from './figuresShown.ts';
import type { Figures, ReasonCount, Spending } from './figuresShown.ts';
import styles from './Header.module.css';

/** In a narrow gutter, names take more lines. */
const ROW_PX = { wide: 45, narrow: 64 };
/** Two figures that may be large stand below each other. */
const TWO_FIGURES_PX = 62;
const STATES_PX = 52;

const latencyWords = (ms: number) => (ms >= 1_000 ? `${scaleWords(ms / 1_000)} s` : `${scaleWords(ms)} ms`);
const drawThroughput = drawLines([{ read: ({ totals }, bucket) => totals.perSecond(bucket, 'committed') }], { words: scaleWords });
const drawNatives = drawLines([{ read: ({ totals }, bucket) => totals.perSecond(bucket, 'natives') }], { words: scaleWords });
const drawForecasts = drawLines(
  [
    { name: 'wrong', read: ({ totals }, bucket) => totals.perSecond(bucket, 'withdrawn') },
    { name: 'sent', read: ({ totals }, bucket) => totals.perSecond(bucket, 'members') },
  ],
  { words: scaleWords },
);
const drawBatches = drawLines(
  [
    { name: 'batches', read: ({ totals }, bucket) => totals.perSecond(bucket, 'batches') },
    { name: 'members', read: ({ totals }, bucket) => totals.perSecond(bucket, 'batchMembers') },
  ],
  { words: scaleWords },
);
const drawBreaks = drawLines(
  [
    { name: 'stood back', read: ({ totals }, bucket) => totals.perSecond(bucket, 'stoodBack') },
    { name: 'broken', read: ({ totals }, bucket) => totals.perSecond(bucket, 'chainsBroken') },
  ],
  { words: scaleWords },
);
const drawWarranted = drawLines([{ read: ({ totals }, bucket) => totals.perSecond(bucket, 'warranted') }], { words: scaleWords });
const drawEpochs = drawLines([{ read: ({ totals }, bucket) => totals.perSecond(bucket, 'epochMembers') }], { words: scaleWords });
const drawRetries = drawLines([{ read: retriesPerCommit }], { words: scaleWords });
const drawLatency = drawLines(
  [
    { name: 'p50', read: ({ totals }, bucket) => totals.latency(bucket, 0.5) },
    { name: 'p99', read: ({ totals }, bucket) => totals.latency(bucket, 0.99) },
  ],
  { isLog: true, words: latencyWords },
);

const throughputAt = (store: TelemetryStore, at_ms: number) => `${figureWords(store.totals.perSecond(around(at_ms), 'committed'))}/s`;
const nativesAt = ({ totals }: TelemetryStore, at_ms: number) => {
  const rate = (name: 'natives' | 'nativeBreaks' | 'redisCommands') => `${figureWords(totals.perSecond(around(at_ms), name))}/s`;
  const isDoorUsed = totals.sum(around(at_ms), 'redisCommands') > 0;
  return `${rate('natives')}, broke ${rate('nativeBreaks')}${isDoorUsed ? `; Redis door: ${rate('redisCommands')} commands` : ''}`;
};
const forecastsAt = ({ totals }: TelemetryStore, at_ms: number) => {
  const rate = (name: 'members' | 'withdrawn' | 'answeredAgain') => `${figureWords(totals.perSecond(around(at_ms), name))}/s`;
  return `sent ${rate('members')}, wrong ${rate('withdrawn')}, executed again ${rate('answeredAgain')}`;
};
const batchesAt = (store: TelemetryStore, at_ms: number) =>
  `${figureWords(store.totals.perSecond(around(at_ms), 'batches'))}/s, of ${figureWords(membersPerBatch(store, around(at_ms)))} members`;
const breaksAt = (store: TelemetryStore, at_ms: number) => {
  const rate = (name: 'chainsBroken' | 'stoodBack') => `${figureWords(store.totals.perSecond(around(at_ms), name))}/s`;
  const why = reasonsOf(store, around(at_ms)).map(({ reason }) => reasonWords(reason));
  return `broken ${rate('chainsBroken')}, stood back ${rate('stoodBack')}${why.length > 0 ? `: ${why.join('; ')}` : ''}`;
};
const warrantedAt = (store: TelemetryStore, at_ms: number) => {
  const rate = (name: 'warranted' | 'recalled' | 'lapsed') => `${figureWords(store.totals.perSecond(around(at_ms), name))}/s`;
  const share = warrantedShare(store, around(at_ms));
  return `${rate('warranted')}${share === null ? '' : `, ${shareWords(share)} of all operations`}; recalled ${rate('recalled')}, lapsed ${rate('lapsed')}`;
};
const epochsAt = (store: TelemetryStore, at_ms: number) => {
  const rate = (name: 'epochMembers' | 'cameBack' | 'epochsCalledOff') => `${figureWords(store.totals.perSecond(around(at_ms), name))}/s`;
  const share = epochShare(store, around(at_ms));
  const size = figureWords(operationsPerMember(store, around(at_ms)));
  const of = share === null ? '' : `, ${shareWords(share)} of all`;
  return `${rate('epochMembers')}, of ${size} operations each${of}; came back ${rate('cameBack')}, epochs called off ${rate('epochsCalledOff')}`;
};
const retriesAt = (store: TelemetryStore, at_ms: number) => figureWords(retriesPerCommit(store, around(at_ms)));
const latencyAt = ({ totals }: TelemetryStore, at_ms: number) =>
  `p50 ${msWords(totals.latency(around(at_ms), 0.5))}, p99 ${msWords(totals.latency(around(at_ms), 0.99))}`;
const statesAt = (store: TelemetryStore, at_ms: number) => `${figureWords(inAllStates(store, around(at_ms)))} at once`;

export function Header() {
  const [isTable, setIsTable] = useState(false);
  const { figures, spending, reasons, has, words } = useTelemetry((store, span, axis) => {
    const shown = shownOf(axis);
    return {
      figures: figuresOf(store, shown.span),
      spending: spendingOf(store, shown.span),
      reasons: reasonsOf(store, span),
      has: {
        natives: store.totals.sum(span, 'natives') > 0,
        warranted: store.totals.sum(span, 'warranted') > 0,
        members: store.totals.sum(span, 'members') > 0,
        epochs: store.totals.sum(span, 'epochs') > 0,
        batches: store.totals.sum(span, 'batches') > 0,
        breaks: store.totals.sum(span, 'chainsBroken') + store.totals.sum(span, 'stoodBack') > 0,
      },
      words: shown.words,
    };
  });
  return (
    <section id="throughput" tabIndex={-1} className={styles.header} aria-label="Key figures">
      {isTable ? <HeaderTable /> : <Rows figures={figures} has={has} reasons={reasons} />}
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

interface RowsProps {
  figures: Figures;
  has: Record<'natives' | 'warranted' | 'members' | 'epochs' | 'batches' | 'breaks', boolean>;
  reasons: readonly ReasonCount[];
}

/** The rows of natives, warranties, epochs, forecasts, batches and broken chains are there while the time shown has any. */
function Rows({ figures, has, reasons }: RowsProps) {
  const { isWide, scale } = useGutter();
  const row_px = Math.round((isWide ? ROW_PX.wide : ROW_PX.narrow) * scale);
  const tall_px = Math.max(row_px, Math.round(TWO_FIGURES_PX * scale));
  return (
    <>
      <FigureRow
        title="Throughput"
        chartTitle="Throughput: committed transactions per second, over time"
        figure={figureWords(figures.committed_per_s)}
        unit="transactions/s"
        height={row_px}
        draw={drawThroughput}
        valueAt={throughputAt}
      />
      {has.warranted && <WarrantedRow figures={figures} height={tall_px} />}
      {has.natives && <NativesRow figures={figures} height={figures.redis_per_s ? tall_px : row_px} />}
      {has.epochs && <EpochsRow figures={figures} height={tall_px} />}
      {has.members && (
        <FigureRow
          title={<Term word="forecast">Forecasts</Term>}
          chartTitle="Forecasts: transactions sent whole per second, and those whose forecast was wrong, over time"
          figures={[
            { name: 'sent/s', figure: figureWords(figures.members_per_s) },
            { name: 'wrong/s', figure: figureWords(figures.withdrawn_per_s) },
          ]}
          height={tall_px}
          draw={drawForecasts}
          valueAt={forecastsAt}
        />
      )}
      {has.batches && (
        <FigureRow
          title={<Term word="batch">Batches</Term>}
          chartTitle="Batches per second at all shards, and the members in them, over time"
          figures={[
            { name: 'batches/s', figure: figureWords(figures.batches_per_s) },
            { name: 'members each', figure: figureWords(figures.members_per_batch) },
          ]}
          height={tall_px}
          draw={drawBatches}
          valueAt={batchesAt}
        />
      )}
      {has.breaks && (
        <>
          <FigureRow
            title={<Term word="broken chain">Broken chains</Term>}
            chartTitle="Broken chains, and batches that stood back, per second at all shards, over time"
            figures={[
              { name: 'broken/s', figure: figureWords(figures.broken_per_s) },
              { name: <Term word="stand back">stood back/s</Term>, figure: figureWords(figures.stoodBack_per_s) },
            ]}
            height={tall_px}
            draw={drawBreaks}
            valueAt={breaksAt}
          />
          <Reasons reasons={reasons} />
        </>
      )}
      <FigureRow
        title={<Term word="retry">Retries</Term>}
        chartTitle="Retries per commit, over time"
        figure={figureWords(figures.retries_per_commit)}
        unit="per commit"
        height={row_px}
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
        height={row_px}
        draw={drawLatency}
        valueAt={latencyAt}
      />
      <FigureRow
        title="Transactions by state"
        chartTitle="Transactions by state: the average number in each, over time"
        figure={figureWords(figures.at_a_time)}
        unit="at once"
        height={Math.max(STATES_PX, row_px)}
        draw={drawSpending}
        valueAt={statesAt}
      />
    </>
  );
}

function NativesRow({ figures, height }: { figures: Figures; height: number }) {
  return (
    <FigureRow
      title={<Term word="native">Natives</Term>}
      chartTitle="Natives: operations outside transactions per second, over time"
      {...(figures.redis_per_s
        ? {
            figures: [
              { name: 'natives/s', figure: shortFigureWords(figures.natives_per_s) },
              { name: 'Redis door/s', figure: shortFigureWords(figures.redis_per_s) },
            ],
          }
        : { figure: figureWords(figures.natives_per_s), unit: 'natives/s' })}
      height={height}
      draw={drawNatives}
      valueAt={nativesAt}
    />
  );
}

function WarrantedRow({ figures, height }: { figures: Figures; height: number }) {
  return (
    <FigureRow
      title={<Term word="warranty">From memory</Term>}
      chartTitle="Answered without a message: operations per second that warranties answered, over time"
      figures={[
        { name: 'answers/s', figure: shortFigureWords(figures.warranted_per_s) },
        { name: 'of all', figure: shareWords(figures.warranted_share ?? 0).replace('over ', '>') },
      ]}
      height={height}
      draw={drawWarranted}
      valueAt={warrantedAt}
    />
  );
}

function EpochsRow({ figures, height }: { figures: Figures; height: number }) {
  return (
    <FigureRow
      title={<Term word="epoch">Epochs</Term>}
      chartTitle="Epochs: lists that committed in one per second, at all their shards, over time; size: their operations there"
      figures={[
        { name: 'lists/s', figure: shortFigureWords(figures.epochMembers_per_s) },
        { name: 'size', figure: figureWords(figures.operations_per_member) },
      ]}
      height={height}
      draw={drawEpochs}
      valueAt={epochsAt}
    />
  );
}

/** Why chains broke and batches stood back in the time shown. */
function Reasons({ reasons }: { reasons: readonly ReasonCount[] }) {
  return (
    <ul className={styles.reasons} aria-label="Broken chains and batches that stood back in the time shown, by reason">
      {reasons.map(({ reason, broken, stoodBack }) => (
        <li key={reason}>
          {reasonWords(reason)} {broken > 0 && <b className="figures">{formatCount(broken)}</b>}
          {stoodBack > 0 && (
            <>
              {broken > 0 && ' and'} <b className="figures">{formatCount(stoodBack)}</b> {stoodBack === 1 ? 'batch' : 'batches'}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The legend of the states, with the average number of transactions in each. */
function States({ spending }: { spending: readonly Spending[] }) {
  return (
    <ul className={styles.states} aria-label="Average number of transactions in each state">
      {spending.map(({ name, per_s }) => {
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
            <b className="figures">{figureWords(per_s)}</b>
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
              ['Operations in epochs, of all', ({ epoch_share }) => (epoch_share === null ? NOTHING : shareWords(epoch_share))],
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
              ['Transactions at once', ({ at_a_time }) => figureWords(at_a_time)],
            ] satisfies [string, (figures: Figures) => string][]
          ).map(([header, words]) => ({
            header,
            isNumber: true,
            cell: ({ figures }: Row) => <span className="figures">{words(figures)}</span>,
          })),
          ...causes.map((name, cause) => ({
            header: `Average ${causeLook(name).words}`,
            isNumber: true,
            cell: ({ spending }: Row) => <span className="figures">{figureWords(spending[cause]?.per_s ?? null)}</span>,
          })),
        ]}
      />
    </div>
  );
}
