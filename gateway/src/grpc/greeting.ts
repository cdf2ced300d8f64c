// Greetings between gateways as they come from the loader: 64-bit numbers as text, what is absent as null.
import { GatewayError } from '../errors.ts';
import type { LogPlace } from '../log/lineage.ts';
import type { Greeting, GreetingAnswer } from '../store/agreement.ts';

interface WirePlace {
  log: string;
  incarnation: string;
  position: string;
}

export interface WireGreeting {
  shard: number;
  place: WirePlace | null;
  known: WirePlace | null;
}

export interface WireGreetingAnswer extends Omit<GreetingAnswer, 'place' | 'known'> {
  place: WirePlace | null;
  known: WirePlace | null;
}

const toWire = (place: LogPlace | null): WirePlace | null =>
  place && { log: place.log, incarnation: String(place.incarnation), position: String(place.position) };

/** Throws invalid_request. */
function fromWire(place: WirePlace | null): LogPlace | null {
  if (place === null) return null;
  const [incarnation, position] = [Number(place.incarnation), Number(place.position)];
  if (!Number.isSafeInteger(incarnation) || !Number.isSafeInteger(position))
    throw new GatewayError('invalid_request', 'A place in a log has an incarnation and a position below 2^53.');
  return { log: place.log, incarnation, position };
}

export const greetingToWire = ({ shard, place, known }: Greeting): WireGreeting => ({ shard, place: toWire(place), known: toWire(known) });
export const greetingFromWire = ({ shard, place, known }: WireGreeting): Greeting => ({
  shard,
  place: fromWire(place),
  known: fromWire(known),
});

export const greetingAnswerToWire = (answer: GreetingAnswer): WireGreetingAnswer => ({
  ...answer,
  place: toWire(answer.place),
  known: toWire(answer.known),
});
export const greetingAnswerFromWire = (answer: WireGreetingAnswer): GreetingAnswer => ({
  ...answer,
  place: fromWire(answer.place),
  known: fromWire(answer.known),
});
