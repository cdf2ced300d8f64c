// The recording that ships with Claret, whole, as a store of its own: what a page shows before anything was measured. It is read once, in
// pieces, while nothing else is to be done.
import { decode } from '@claret/client/telemetry';
import { useEffect, useState } from 'react';
import { SHIPPED_RECORDING } from '../feed/feed.ts';
import { readRecording } from '../feed/recording.ts';
import { TelemetryStore } from '../store/telemetryStore.ts';

export interface Shipped {
  store: TelemetryStore;
  /** of the machine on which it was made; null: unknown */
  cores: number | null;
}

/** The page draws itself between pieces of this length. */
const WORK_MS = 30;

let reading: Promise<Shipped | null> | null = null;

async function read(): Promise<Shipped | null> {
  const response = await fetch(SHIPPED_RECORDING);
  if (!response.ok) return null;
  const result = await readRecording(await response.blob());
  if ('problem' in result) return null;
  const { lines, cores } = result.recording;
  const store = new TelemetryStore();
  const decoder = new TextDecoder();
  let rested_ms = performance.now();
  for (const line of lines) {
    const decoded = decode(decoder.decode(line));
    if ('message' in decoded) store.take(decoded.message);
    if (performance.now() - rested_ms < WORK_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    rested_ms = performance.now();
  }
  return { store, cores: cores ?? null };
}

/** Null until it is read, or if it cannot be. */
export function useShippedRecording(): Shipped | null {
  const [shipped, setShipped] = useState<Shipped | null>(null);
  useEffect(() => {
    let isGone = false;
    reading ??= read().catch(() => null);
    void reading.then((found) => {
      if (found === null) reading = null;
      if (!isGone) setShipped(found);
    });
    return () => {
      isGone = true;
    };
  }, []);
  return shipped;
}
