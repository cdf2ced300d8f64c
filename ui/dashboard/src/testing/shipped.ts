// The recording that ships with Claret, as a store.
import { readFileSync } from 'node:fs';
import { decode } from '@claret/client/telemetry';
import { readRecording } from '../feed/recording.ts';
import { TelemetryStore } from '../store/telemetryStore.ts';
import type { Shipped } from '../story/useShippedRecording.ts';

export async function shippedRecording(): Promise<Shipped> {
  const read = await readRecording(new Blob([readFileSync(new URL('../../public/bid-spike.claret.gz', import.meta.url))]));
  if ('problem' in read) throw new Error(read.problem.code);
  const store = new TelemetryStore();
  const decoder = new TextDecoder();
  for (const line of read.recording.lines) {
    const decoded = decode(decoder.decode(line));
    if ('message' in decoded) store.take(decoded.message);
  }
  return { store, cores: read.recording.cores ?? null };
}
