// What the run wants to know of frames on their way (client/proto/claret.proto).
import { fieldsOf } from './fields.ts';

const SERVER_FRAME = { turn: 20 };
const CLIENT_FRAME = { requests: 9 };
const REQUEST = { begin: 2 };
const BEGIN = { id: 1 };

/** A sequencer grants or recalls a turn. */
export function isTurn(serverFrame: Uint8Array): boolean {
  for (const [number] of fieldsOf(serverFrame)) if (number === SERVER_FRAME.turn) return true;
  return false;
}

/** The attempts that begin here and take locks, by their ids in hexadecimal. */
export function lockingAttempts(clientFrame: Uint8Array): string[] {
  return [...bytesIn(clientFrame, CLIENT_FRAME.requests)]
    .flatMap((request) => [...bytesIn(request, REQUEST.begin)])
    .flatMap((begin) => [...bytesIn(begin, BEGIN.id)])
    .map((id) => Buffer.from(id).toString('hex'));
}

function* bytesIn(message: Uint8Array, wanted: number): Generator<Uint8Array> {
  for (const [number, , bytes] of fieldsOf(message)) if (number === wanted) yield bytes;
}
