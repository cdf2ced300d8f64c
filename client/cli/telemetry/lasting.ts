// Telemetry beyond the life of a gateway's process: when the stream breaks off, it is opened again until the gateway answers.

import { setTimeout as sleep } from 'node:timers/promises';
import type { TelemetryMessage } from '../../telemetry/index.ts';
import { EXIT, Problem } from '../problem.ts';
import type { Rest } from '../rest.ts';
import { telemetry } from './stream.ts';

const AGAIN_MS = 500;

export interface Line {
  /** the gateway has gone away; called once until it is back */
  onLost(problem: Problem): void;
  onBack(): void;
}

/** Yields messages until `signal`. Throws a Problem if the gateway cannot be reached at first, or sends what cannot be read. */
export async function* lastingTelemetry(rest: Rest, signal: AbortSignal, line: Line): AsyncGenerator<TelemetryMessage> {
  let isKnown = false;
  let isLost = false;
  while (!signal.aborted) {
    try {
      for await (const message of telemetry(rest, signal)) {
        if (isLost) line.onBack();
        isKnown = true;
        isLost = false;
        yield message;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!isKnown || !(error instanceof Problem) || error.exit !== EXIT.unreachable) throw error;
      if (!isLost) line.onLost(error);
      isLost = true;
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => {}); // an abort ends the loop
    }
  }
}
