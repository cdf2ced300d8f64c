// Figures of what is not always there: natives, warranties, epochs, forecasts, batches and broken chains, each while the time shown has any. They
// come below everything else over time, so that nothing that one looks at moves when the first of them comes.
import { formatCounted } from '@claret/ui/kit';
import { figureWords, shareWords, shortFigureWords, scaleWords } from '../../components/figures.ts';
import { reasonWords } from '../../components/reasons.ts';
import { Term } from '../../components/Term.tsx';
import type { TelemetryStore } from '../../store/telemetryStore.ts';
import { useGutter } from '../../time/gutter.ts';
import { useTelemetry } from '../../time/useTimeAxis.tsx';
import { drawLines } from './drawLine.ts';
import { FigureRow } from './FigureRow.tsx';
import { around, epochShare, figuresOf, membersPerBatch, operationsPerMember, reasonsOf, shownOf, warrantedShare } from './figuresShown.ts';
import type { Figures, ReasonCount } from './figuresShown.ts';
import { rowHeights } from './rowHeights.ts';
import styles from './Header.module.css';

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
const drawWarranted = drawLines([{ read: ({ totals }, bucket) => totals.perSecond(bucket, 'warrantedAnswers') }], { words: scaleWords });
const drawEpochs = drawLines([{ read: ({ totals }, bucket) => totals.perSecond(bucket, 'epochMembers') }], { words: scaleWords });

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
  const rate = (name: 'warrantedAnswers' | 'warrantiesRecalled' | 'grantsLapsed') =>
    `${figureWords(store.totals.perSecond(around(at_ms), name))}/s`;
  const share = warrantedShare(store, around(at_ms));
  return `${rate('warrantedAnswers')}${share === null ? '' : `, ${shareWords(share)} of all operations`}; recalled ${rate('warrantiesRecalled')}, lapsed ${rate('grantsLapsed')}`;
};
const epochsAt = (store: TelemetryStore, at_ms: number) => {
  const rate = (name: 'epochMembers' | 'cameBack' | 'epochsCalledOff') => `${figureWords(store.totals.perSecond(around(at_ms), name))}/s`;
  const share = epochShare(store, around(at_ms));
  const size = figureWords(operationsPerMember(store, around(at_ms)));
  const of = share === null ? '' : `, ${shareWords(share)} of all`;
  return `${rate('epochMembers')}, of ${size} operations each${of}; came back ${rate('cameBack')}, epochs called off ${rate('epochsCalledOff')}`;
};

export function FurtherFigures() {
  const { tall, usual } = rowHeights(useGutter());
  const { figures, reasons, has } = useTelemetry((store, span, axis) => ({
    figures: figuresOf(store, shownOf(axis).span),
    reasons: reasonsOf(store, span),
    has: {
      natives: store.totals.sum(span, 'natives') > 0,
      warranted: store.totals.sum(span, 'warrantedAnswers') > 0,
      members: store.totals.sum(span, 'members') > 0,
      epochs: store.totals.sum(span, 'epochs') > 0,
      batches: store.totals.sum(span, 'batches') > 0,
      breaks: store.totals.sum(span, 'chainsBroken') + store.totals.sum(span, 'stoodBack') > 0,
    },
  }));
  if (!Object.values(has).some(Boolean)) return null;
  return (
    <section className={styles.further} aria-label="Further figures">
      {has.warranted && <WarrantedRow figures={figures} height={tall} />}
      {has.natives && <NativesRow figures={figures} height={figures.redis_per_s ? tall : usual} />}
      {has.epochs && <EpochsRow figures={figures} height={tall} />}
      {has.members && (
        <FigureRow
          title={<Term word="forecast">Forecasts</Term>}
          chartTitle="Forecasts: transactions sent whole per second, and those whose forecast was wrong, over time"
          figures={[
            { name: 'sent/s', figure: figureWords(figures.members_per_s) },
            { name: 'wrong/s', figure: figureWords(figures.withdrawn_per_s) },
          ]}
          height={tall}
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
          height={tall}
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
            height={tall}
            draw={drawBreaks}
            valueAt={breaksAt}
          />
          <Reasons reasons={reasons} />
        </>
      )}
    </section>
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

/** "5 chains, 1 batch" */
function countWords(broken: number, stoodBack: number): string {
  const chains = broken > 0 ? formatCounted(broken, 'chain', 'chains') : null;
  const batches = stoodBack > 0 ? formatCounted(stoodBack, 'batch', 'batches') : null;
  return [chains, batches].filter((words) => words !== null).join(', ');
}

/** Why chains broke and batches stood back in the time shown. */
function Reasons({ reasons }: { reasons: readonly ReasonCount[] }) {
  return (
    <ul className={styles.reasons} aria-label="Broken chains and batches that stood back in the time shown, by reason">
      {reasons.map(({ reason, broken, stoodBack }) => (
        <li key={reason}>
          {reasonWords(reason)}: <b>{countWords(broken, stoodBack)}</b>
        </li>
      ))}
    </ul>
  );
}
