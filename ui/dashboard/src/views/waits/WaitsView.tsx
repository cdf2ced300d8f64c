// "Who waits for whom?", at the pointed instant, otherwise at the end of the shown span. The longest waits first, each with its
// blockers; or, as a graph, the chains of waiters behind other waiters.
import { Button, classes, formatCount, Pill } from '@claret/ui/kit';
import { Waypoints, X } from 'lucide-react';
import { useState } from 'react';
import type { Conditions } from '@claret/client/telemetry';
import { ModeMark } from '../../chart/ModeMark.tsx';
import { useFeed } from '../../feed/useFeed.tsx';
import { clockTime } from '../../time/ticks.ts';
import { useFollowing, useTelemetry } from '../../time/useTimeAxis.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { Panel } from '../../components/Panel.tsx';
import { Term } from '../../components/Term.tsx';
import { RecordKey } from '../../components/RecordKey.tsx';
import { useSelectedRecord } from '../../components/selectedRecord.ts';
import type { ShownWaiter, WaitersAt } from '../../store/telemetryStore.ts';
import { labelWords } from '../conflicts/conflictMatrix.ts';
import { msWords } from '../../components/figures.ts';
import { useHeld } from '../useHeld.ts';
import { busiestWait, waitingAt } from './busiest.ts';
import { WaitChains } from './WaitChains.tsx';
import { waitGraph } from './waitGraph.ts';
import styles from './WaitsView.module.css';
import { blockerName, blockerWords, causeWords, holderWords, obstacleWords, othersWords } from './waitWords.ts';

const WAITERS_SHOWN = 32;
/** A frame is shown for this long if a later one is missing. */
const STALE_MS = 1_500;

const idOf = ({ shard, transaction, key, operation }: ShownWaiter) => JSON.stringify([shard, transaction, key, operation]);

export function WaitsView() {
  const isFollowing = useFollowing();
  const { state } = useFeed();
  const [isChains, setIsChains] = useState(false);
  const [pinned_ms, setPinned] = useState<number | null>(null);
  const newest = useTelemetry((store, span, axis) => {
    const chosen_ms = axis.hover_ms ?? pinned_ms;
    const at_ms = chosen_ms ?? span.to_ms;
    return {
      at: recent(store.waiters.at(at_ms), at_ms),
      waiting: waitingAt(store, at_ms),
      busiest: busiestWait(store, span),
      isChosen: chosen_ms !== null,
      conditions: store.conditions,
    };
  });
  const { shown, isHeld, handlers } = useHeld(newest);
  const { busiest, isChosen, conditions } = newest;
  const { at, waiting } = isChosen ? newest : shown;
  const graph = waitGraph(at?.waiters ?? []);
  const waiters = at?.waiters.slice(0, WAITERS_SHOWN) ?? [];
  const isNow = isFollowing && !isChosen && !isHeld && (state === 'live' || state === 'recording');
  const when = at === null ? '' : isNow ? 'now' : `at ${clockTime(at.at_ms, true)}`;
  return (
    <Panel
      id="waits"
      title="Who waits for whom?"
      about={
        at === null || waiters.length === 0 ? (
          <>
            The longest{' '}
            <Term word="waiter" then=",">
              waiters
            </Term>{' '}
            and what is in their way.
          </>
        ) : (
          aboutWords(waiters.length, waiting, when)
        )
      }
      tools={
        <>
          {pinned_ms !== null && (
            <Button look="quiet" size="small" className={styles.tool} onClick={() => setPinned(null)}>
              <X size={14} aria-hidden="true" /> {clockTime(pinned_ms)}
            </Button>
          )}
          <Button look="quiet" size="small" className={styles.tool} aria-pressed={isChains} onClick={() => setIsChains(!isChains)}>
            <Waypoints size={14} aria-hidden="true" /> {graph.cycles.length > 0 ? 'Graph: a cycle' : 'Graph'}
          </Button>
        </>
      }
      table={() => <WaitersTable waiters={waiters} />}
      empty={
        waiters.length > 0 ? null : (
          <span>
            {at === null ? 'No telemetry for this instant.' : emptyWords(isNow, when, conditions, busiest !== null)}{' '}
            {busiest !== null && (
              <Button size="small" className={styles.busiest} onClick={() => setPinned(busiest.at_ms)}>
                Show {clockTime(busiest.at_ms)}, when {formatCount(busiest.waiting)} were waiting
              </Button>
            )}
          </span>
        )
      }
    >
      <div {...handlers}>
        {isChains ? (
          <WaitChains graph={graph} listed={waiters.length} />
        ) : (
          <ol className={styles.waiters}>
            {waiters.map((waiter) => (
              <WaiterItem key={idOf(waiter)} waiter={waiter} />
            ))}
          </ol>
        )}
      </div>
    </Panel>
  );
}

/** `waiting` counts transactions; a transaction that waits on two records is listed twice. */
function aboutWords(listed: number, waiting: number, when: string): string {
  return waiting > listed
    ? `The ${listed} longest of ${formatCount(waiting)} waits ${when}.`
    : `All waits ${when}: ${listed}, longest first.`;
}

function emptyWords(isNow: boolean, when: string, conditions: Conditions | null, hasWaited: boolean): string {
  if (!isNow) return `Nothing was waiting ${when}.`;
  if (conditions?.phasing === false)
    return 'Nothing waits: without phasing, an operation that conflicts is refused at once, and its client tries again.';
  return hasWaited ? 'Nothing is waiting right now.' : 'Nothing is waiting.';
}

function recent(at: WaitersAt | null, at_ms: number): WaitersAt | null {
  return at !== null && at_ms - at.at_ms <= STALE_MS ? at : null;
}

function WaiterItem({ waiter }: { waiter: ShownWaiter }) {
  const [isOpen, setIsOpen] = useState(false);
  const isSelected = useSelectedRecord() === waiter.key;
  const { blockers, moreBlockers, warranty } = waiter;
  const first = blockers[0];
  return (
    <li className={classes(styles.waiter, isSelected && styles.selected)}>
      <button type="button" className={styles.row} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <span className={styles.waited}>
          <span className="figures">{msWords(waiter.waitedMs)}</span>
        </span>
        <span className={styles.who}>
          <strong>{labelWords(waiter.label)}</strong> {waiter.operation} <ModeMark mode={waiter.mode} isNamed />
        </span>
        <span className={styles.behind}>
          {warranty !== null ? (
            obstacleWords(warranty)
          ) : first === undefined ? (
            `waits ${causeWords(waiter.cause)}`
          ) : (
            <>
              behind {blockerName(first, waiter)} ({blockerWords(first)}){othersWords(blockers.length - 1, moreBlockers)}
            </>
          )}
        </span>
      </button>
      {isOpen && <Details waiter={waiter} />}
    </li>
  );
}

function Details({ waiter }: { waiter: ShownWaiter }) {
  return (
    <div className={styles.details}>
      <p>
        On <RecordKey value={waiter.key} />, shard {waiter.shard}. It began to wait {causeWords(waiter.cause)}.
      </p>
      <ul className={styles.blockers}>
        {waiter.blockers.map((blocker, place) => (
          <li key={place}>
            {blockerName(blocker, waiter)}: <code>{blocker.operation}</code>{' '}
            <Pill tone={blocker.waits ? 'warn' : 'plain'}>{blockerWords(blocker)}</Pill>
          </li>
        ))}
        {waiter.moreBlockers && <li>possibly others</li>}
        {waiter.warranty?.holders.map((holder, place) => (
          <li key={place}>{holderWords(holder)} has not returned it yet</li>
        ))}
        {waiter.warranty?.moreHolders && <li>and others</li>}
      </ul>
    </div>
  );
}

function WaitersTable({ waiters }: { waiters: readonly ShownWaiter[] }) {
  return (
    <DataTable
      caption="Waits, longest first"
      columns={[
        { header: 'Waited', isNumber: true, cell: ({ waitedMs }) => <span className="figures">{msWords(waitedMs)}</span> },
        { header: 'Waiter', cell: ({ label }) => labelWords(label) },
        { header: 'Operation', cell: ({ operation }) => <code>{operation}</code> },
        { header: 'Record', cell: ({ key }) => <RecordKey value={key} /> },
        { header: 'Shard', isNumber: true, cell: ({ shard }) => <span className="figures">{shard}</span> },
        { header: 'Mode wanted', cell: ({ mode }) => <ModeMark mode={mode} isNamed /> },
        { header: 'Waits for', cell: ({ cause }) => causeWords(cause).replace(/^for /, '') },
        {
          header: 'In its way',
          cell: (waiter) => (
            <>
              {waiter.blockers.map((one) => `${blockerName(one, waiter)}: ${one.operation} (${blockerWords(one)})`).join('; ')}
              {waiter.moreBlockers && '; possibly others'}
              {waiter.warranty?.holders.map(holderWords).join('; ')}
              {waiter.warranty?.moreHolders && '; others'}
            </>
          ),
        },
      ]}
      rows={waiters}
      rowKey={idOf}
    />
  );
}
