// Keeps the page and its address in agreement: the page begins as its address says, and afterwards the address follows the page. It replaces the
// entry of the history, so that "back" leads to the page before.
import { useEffect } from 'react';
import { onOpened, open, openedNow } from '../components/opened.ts';
import { onSelectedRecord, selectedRecordNow, selectRecord } from '../components/selectedRecord.ts';
import { useStore } from '../feed/useFeed.tsx';
import type { TelemetryStore } from '../store/telemetryStore.ts';
import type { TimeAxis } from '../time/timeAxis.ts';
import { useTelemetry, useTimeAxis } from '../time/useTimeAxis.tsx';
import { readAddress, writeAddress } from './address.ts';

/** Browsers refuse to replace it too often. */
const WRITE_MS = 400;

/** The moment that the address was opened with and that telemetry has not reached yet. */
let awaited_ms: number | null = null;

export function useAddress(): void {
  const axis = useTimeAxis();
  const store = useStore();
  useEffect(() => {
    begin(axis, window.location.search);
    return keepWriting(axis);
  }, [axis]);
  const newest_ms = useTelemetry(({ newest_ms: newest }) => newest);
  // The history arrives in pieces: before its end the moment would be beyond the newest.
  useEffect(() => arrive(axis, store), [axis, store, newest_ms]);
}

function begin(axis: TimeAxis, search: string): void {
  // Come back from another page, everything is as it was left.
  if (search === '') return;
  const { width_ms, at_ms, record, opened } = readAddress(search);
  axis.showWidth(width_ms);
  awaited_ms = at_ms;
  selectRecord(record);
  open(opened);
}

function arrive(axis: TimeAxis, { newest_ms }: TelemetryStore): void {
  if (awaited_ms === null || newest_ms === null || newest_ms < awaited_ms) return;
  axis.standAt(awaited_ms);
  awaited_ms = null;
}

function keepWriting(axis: TimeAxis): () => void {
  let timer = 0;
  const write = () => {
    timer = 0;
    const { from_ms, to_ms } = axis.span;
    if (!axis.following) awaited_ms = null;
    const at_ms = axis.following ? awaited_ms : to_ms;
    const search = writeAddress({ width_ms: to_ms - from_ms, at_ms, record: selectedRecordNow(), opened: openedNow() });
    if (search === window.location.search) return;
    window.history.replaceState(window.history.state, '', window.location.pathname + search + window.location.hash);
  };
  const soon = () => {
    if (timer === 0) timer = window.setTimeout(write, WRITE_MS);
  };
  const stops = [axis.onChange(soon), onSelectedRecord(soon), onOpened(soon)];
  soon();
  return () => {
    for (const stop of stops) stop();
    window.clearTimeout(timer);
  };
}
