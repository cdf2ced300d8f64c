// The bodies of messages that hold neither entries nor pairs (docs/wire-format.md, "The log on JetStream"), as JSON. Each message of
// both streams is a segment (segment.ts) around such a body, around entries, or around pairs.
import { isStarts } from '../lineage.ts';
import type { Start } from '../lineage.ts';

/** A message of a stream, as the place after which a reader begins. */
export interface Mark {
  /** of the message in its stream; 0: before the first */
  sequence: number;
  /** the last position up to this message */
  last: number;
  /** the message's hash, in hex: `before` of the next one */
  hash: string;
}

/** The log's identity, and the starts that wrote it. */
export interface Lineage {
  id: string;
  starts: readonly Start[];
}

/** The first message of each start in the log stream: no other writer can append after it. */
export type StartBody = Lineage;

/** The first message of each start in the checkpoint stream. `sealed`: the last part that was sealed by then; a later `last` is void. */
export interface CheckpointStartBody {
  sealed: number;
}

/** Makes a checkpoint valid. */
export interface SealBody extends Lineage {
  /** counts the checkpoints of the log */
  checkpoint: number;
  /** entries up to this one are not needed */
  position: number;
  /** message of the checkpoint stream with the last pairs */
  part: number;
  /** its hash, in hex */
  hash: string;
  /** the place in the checkpoint stream behind which the pairs begin */
  base: Mark;
  /** bytes of the pairs that were written whole there */
  baseBytes: number;
  /** the place in the log stream behind which the needed entries begin */
  from: Mark;
}

export const encodeBody = (body: StartBody | CheckpointStartBody | SealBody): Uint8Array => Buffer.from(JSON.stringify(body));

function parse(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const found: unknown = JSON.parse(Buffer.from(bytes).toString());
    return typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const isMark = (value: unknown): value is Mark => {
  const { sequence, last, hash } = (value ?? {}) as Partial<Mark>;
  return Number.isSafeInteger(sequence) && Number.isSafeInteger(last) && typeof hash === 'string';
};

const isLineage = (body: Record<string, unknown>): boolean =>
  typeof body['id'] === 'string' && body['id'] !== '' && isStarts(body['starts']);

/** Each is undefined if the bytes are not such a body. */
export function decodeStart(bytes: Uint8Array): StartBody | undefined {
  const body = parse(bytes);
  return body !== undefined && isLineage(body) ? (body as unknown as StartBody) : undefined;
}

export function decodeCheckpointStart(bytes: Uint8Array): CheckpointStartBody | undefined {
  const body = parse(bytes);
  return body !== undefined && Number.isSafeInteger(body['sealed']) ? (body as unknown as CheckpointStartBody) : undefined;
}

export function decodeSeal(bytes: Uint8Array): SealBody | undefined {
  const body = parse(bytes);
  if (body === undefined || !isLineage(body) || !isMark(body['base']) || !isMark(body['from'])) return undefined;
  const numbers = [body['checkpoint'], body['position'], body['part'], body['baseBytes']].every(Number.isSafeInteger);
  return numbers && typeof body['hash'] === 'string' ? (body as unknown as SealBody) : undefined;
}
