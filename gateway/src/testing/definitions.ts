// Definitions of data types for tests: those of the core's tests, and some of its own.
import { readFileSync } from 'node:fs';

const HEADER = readFileSync(new URL('../../../server-core/src/composed/test_definitions.h', import.meta.url), 'utf8');
const [seatMap, tally, tickets] = [...HEADER.matchAll(/R"\((\{.*?\})\)";/gs)].map((match) => match[1]!) as [string, string, string];

/** Seats by section: open, reserve (refuses with SeatMap.taken), guest, left. */
export const SEAT_MAP = seatMap;
/** A tally that only grows: add, reached. */
export const TALLY = tally;
export const TICKETS = tickets;

/** The next version, with another meaning. */
export const LATER_TALLY = TALLY.replace('"version":1', '"version":2').replace('is at the goal', 'has come to the goal');

/** Its claim is too wide: an answer may change beside additions. */
export const BROKEN_TALLY = TALLY.replace('"when":["answer",1]', '"when":true');

export const renamed = (definition: string, name: string): string => {
  const { name: old } = JSON.parse(definition) as { name: string };
  return definition.replace(`"name":"${old}"`, `"name":"${name}"`);
};
