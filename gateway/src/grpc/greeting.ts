// Greetings between gateways in the loader's form: 64-bit numbers as text, null for absent messages.
import type { SlotRun } from '@claret/client';
import { GatewayError } from '../errors.ts';
import type { LogPoint } from '../log/lineage.ts';
import type { Greeting, GreetingAnswer } from '../store/agreement.ts';

interface WireLogPoint {
  log: string;
  incarnation: string;
  position: string;
}

export interface WireGreeting {
  shard: number;
  address: string;
  restAddress: string;
  /** empty: there is no Redis door */
  respAddress: string;
  slots: SlotRun[];
  place: WireLogPoint | null;
  known: WireLogPoint | null;
}

export interface WireGreetingAnswer extends Omit<GreetingAnswer, 'point' | 'known'> {
  place: WireLogPoint | null;
  known: WireLogPoint | null;
}

const toWire = (point: LogPoint | null): WireLogPoint | null =>
  point && { log: point.log, incarnation: String(point.incarnation), position: String(point.position) };

/** Throws invalid_request. */
function fromWire(point: WireLogPoint | null): LogPoint | null {
  if (point === null) return null;
  const [incarnation, position] = [Number(point.incarnation), Number(point.position)];
  if (!Number.isSafeInteger(incarnation) || !Number.isSafeInteger(position))
    throw new GatewayError('invalid_request', 'A point in a log has an incarnation and a position below 2^53.');
  return { log: point.log, incarnation, position };
}

export const greetingToWire = ({ shard, point, known, addresses: { grpc, rest, resp = '' }, slots }: Greeting): WireGreeting => ({
  shard,
  place: toWire(point),
  known: toWire(known),
  address: grpc,
  restAddress: rest,
  respAddress: resp,
  slots: [...slots],
});
export const greetingFromWire = ({ shard, place, known, address, restAddress, respAddress, slots }: WireGreeting): Greeting => ({
  shard,
  addresses: { grpc: address, rest: restAddress, resp: respAddress || undefined },
  slots: slots ?? [],
  point: fromWire(place),
  known: fromWire(known),
});

export const greetingAnswerToWire = ({ point, known, ...answer }: GreetingAnswer): WireGreetingAnswer => ({
  ...answer,
  place: toWire(point),
  known: toWire(known),
});
export const greetingAnswerFromWire = ({ place, known, slots, ...answer }: WireGreetingAnswer): GreetingAnswer => ({
  ...answer,
  slots: slots ?? [],
  point: fromWire(place),
  known: fromWire(known),
});
