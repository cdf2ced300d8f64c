// Decodes the text of a message, or reports why it cannot. No input makes it throw. An accepted message has the type that messages.ts
// gives.
import { accepts } from './accepts.ts';
import { TELEMETRY_VERSION, frameMessage, markMessage, welcomeMessage, type TelemetryMessage } from './messages.ts';
import type { Schema } from './schema.ts';

export type Decoded =
  | { message: TelemetryMessage }
  /** a welcome of another version; the messages after it cannot be read either */
  | { otherVersion: number }
  | { fault: 'malformed' };

const MALFORMED: Decoded = { fault: 'malformed' };

const SCHEMAS: Record<TelemetryMessage['kind'], Schema<TelemetryMessage>> = {
  welcome: welcomeMessage,
  frame: frameMessage,
  mark: markMessage,
};

const isKind = (kind: unknown): kind is TelemetryMessage['kind'] => typeof kind === 'string' && Object.hasOwn(SCHEMAS, kind);

/** What frames of older versions say, in recordings, in the words of today: operations could be held for several transactions. */
const renewed = (data: string): string =>
  data.replaceAll('"verdict":"joined"', '"verdict":"granted"').replaceAll('{"transaction":null,', '{"transaction":"shared",');

export function decode(data: string): Decoded {
  let message: unknown;
  try {
    message = JSON.parse(renewed(data));
  } catch {
    return MALFORMED;
  }
  if (typeof message !== 'object' || message === null) return MALFORMED;
  const { kind, version } = message as { kind?: unknown; version?: unknown };
  if (!isKind(kind)) return MALFORMED;
  if (kind === 'welcome' && version !== TELEMETRY_VERSION)
    return Number.isFinite(version) ? { otherVersion: version as number } : MALFORMED;
  return accepts(SCHEMAS[kind], message) ? { message } : MALFORMED;
}
