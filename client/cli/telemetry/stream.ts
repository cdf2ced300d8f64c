// The event stream of a gateway's telemetry (docs/telemetry.md), as the command line reads it.

import { TELEMETRY_VERSION, decode, type Decoded, type TelemetryMessage } from '../../telemetry/index.ts';
import { EXIT, Problem } from '../problem.ts';
import type { Rest } from '../rest.ts';

/** Frames come five times a second; a stream that is silent for longer than this is broken. */
const SILENCE_MS = 8_000;

/** Yields messages until `signal`. Throws a Problem if the gateway goes away, falls silent, or sends another version. */
export async function* telemetry(rest: Rest, signal: AbortSignal): AsyncGenerator<TelemetryMessage> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    for await (const { event, data } of rest.events('/v1/telemetry/stream', AbortSignal.any([signal, silence.signal]))) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      if (!['welcome', 'frame', 'mark'].includes(event)) continue;
      const decoded = decode(data);
      if (!('message' in decoded)) throw unreadable(decoded);
      yield decoded.message;
    }
  } finally {
    clearTimeout(timer);
  }
  const { address } = rest.gateway;
  if (!signal.aborted) throw new Problem(EXIT.unreachable, 'no_gateway', `The gateway at ${address} has gone away.`, { address });
}

function unreadable(decoded: Decoded): Problem {
  const reads = `this command line reads version ${TELEMETRY_VERSION}`;
  const problem =
    'otherVersion' in decoded
      ? `This gateway's telemetry has version ${decoded.otherVersion}; ${reads}.`
      : `This gateway sent telemetry that cannot be read; ${reads}.`;
  return new Problem(EXIT.failed, 'other_version', problem, { hint: 'Use the `claret` of the same release as the gateway.' });
}
