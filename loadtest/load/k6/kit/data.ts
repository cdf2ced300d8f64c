// The storm that the runner prepared (storm.ts), inside k6. Long lists are stored once for all virtual users, as shared arrays. A
// script must import all files that need them when k6 starts, not later.

import { SharedArray } from 'k6/data';
import type { StormData, StormPerson } from '../storm.ts';

type Long = 'auction_people' | 'timeline_people' | 'items' | 'followers_of_hot';

const path = __ENV['STORM_DATA'];
if (path === undefined) throw new Error('STORM_DATA names no file: start storms with npm run loadtest');
const read = () => JSON.parse(open(path)) as StormData;

export const auctionPeople: readonly StormPerson[] = new SharedArray('auction_people', () => read().auction_people);
export const timelinePeople: readonly StormPerson[] = new SharedArray('timeline_people', () => read().timeline_people);
export const items: readonly string[] = new SharedArray('items', () => read().items);

function short(): Omit<StormData, Long> {
  const { auction_people: _a, timeline_people: _t, items: _i, followers_of_hot: _f, ...rest } = read();
  return rest;
}

export const storm: Omit<StormData, Long> = (new SharedArray('storm', () => [short()]) as unknown as [Omit<StormData, Long>])[0];

/** For data that a scenario requires. */
export function needed<Value>(value: Value | null | undefined, name: keyof StormData): Value {
  if (value === null || value === undefined) throw new Error(`${storm.scenario} needs ${name}`);
  return value;
}
