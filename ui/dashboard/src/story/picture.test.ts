// The one record and the reason, from the recording that ships with Claret: real transactions under each of the four ways.
import { catalogue as coreCatalogue } from '@claret/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { shippedRecording } from '../testing/shipped.ts';
import type { TelemetryStore } from '../store/telemetryStore.ts';
import type { Catalogue } from '../types/catalogue.ts';
import { cardsOf } from './cards.ts';
import { meetingIn, NOWHERE, type Meeting } from './meeting.ts';
import { FOUR_WAYS } from './modes.ts';
import { recordPicture, type RecordPicture } from './recordPicture.ts';
import { newestRun } from './run.ts';
import { BIDS } from './stories.ts';
import { whyOf } from './why.ts';

const TOP_K = { type: 'TopK', change: 'TopK.add', read: 'TopK.top' };
const COUNTER = { type: 'Counter', change: 'Counter.add', read: 'Counter.value' };
const { types } = JSON.parse(coreCatalogue()) as Catalogue;
let store: TelemetryStore;
let meetings: Meeting[];
let pictures: RecordPicture[];
/** the two records of an auction that bids change and looks read */
let hot: { type: string; change: string; read: string };

beforeAll(async () => {
  ({ store } = await shippedRecording());
  const run = newestRun(store, BIDS)!;
  const spans = cardsOf(store, BIDS).map((card) => (card.state === 'measured' ? card.figures.span : run.span));
  meetings = spans.map((span) => meetingIn(store, span, run.span, NOWHERE));
  hot = [TOP_K, COUNTER].find(({ type }) => type === meetings[0]!.record?.type)!;
  pictures = spans.map((span, place) => recordPicture(store, meetings[place]!.record!.key, span)!);
});

it('the same record is hot under each mode', () => {
  expect(new Set(meetings.map(({ record }) => record?.key)).size).toBe(1);
  expect(meetings[0]!.record).toMatchObject({ key: expect.stringMatching(/:(bids|bid_count)$/), type: hot.type });
});

describe('the picture', () => {
  it('under reader/writer locks few hold it and many are thrown back; afterwards dozens hold it together', () => {
    const [rw, ...others] = pictures;
    expect(rw!.holders_max).toBeLessThan(8);
    expect(rw!.keptOut.filter(({ isThrownBack }) => isThrownBack).length).toBeGreaterThan(10);
    for (const { holders_max } of others) expect(holders_max).toBeGreaterThan(24);
    expect(pictures[2]!.keptOut.some(({ isThrownBack }) => !isThrownBack)).toBe(true);
  });

  it('everything lies in its time: who is kept out begins within the span, and a wait ends where the holding begins', () => {
    for (const { span, held, keptOut, phases } of pictures) {
      expect(held.length + keptOut.length).toBeGreaterThan(0);
      for (const { from_ms, to_ms } of [...held, ...keptOut, ...phases]) {
        expect(to_ms).toBeGreaterThanOrEqual(from_ms);
        expect(from_ms < span.to_ms && to_ms >= span.from_ms).toBe(true);
      }
      for (const { sample, attempt } of [...held, ...keptOut]) expect(sample.attempts).toContain(attempt);
    }
    // A picture draws the newest transactions of its span, so the test looks at short spans one after the other.
    const { span } = pictures[2]!;
    const key = meetings[2]!.record!.key;
    let waits = 0;
    for (let from_ms = span.from_ms; from_ms < span.to_ms; from_ms += 250) {
      const { held, keptOut } = recordPicture(store, key, { from_ms, to_ms: from_ms + 250 })!;
      for (const { attempt, to_ms, isThrownBack } of keptOut) {
        const itsHolding = held.find((one) => one.attempt === attempt);
        if (isThrownBack || itsHolding === undefined) continue;
        expect(itsHolding.from_ms).toBe(to_ms);
        waits += 1;
      }
    }
    expect(waits).toBeGreaterThan(0);
  });

  it('rows keep what overlaps apart, as long as there is room', () => {
    for (const { keptOut } of pictures) {
      for (const row of new Set(keptOut.map((one) => one.row)).values()) {
        expect(row).toBeLessThan(6);
        if (row === 5) continue;
        const inRow = keptOut.filter((one) => one.row === row);
        for (const [place, one] of inRow.entries()) if (place > 0) expect(one.from_ms).toBeGreaterThan(inRow[place - 1]!.to_ms);
      }
    }
  });

  it('is of another record only if that is asked for', () => {
    expect(recordPicture(store, 'nobody:wants:this', newestRun(store, BIDS)!.span)).toBeNull();
  });
});

describe('the reason', () => {
  const reason = (mode: number) => whyOf(meetings[mode]!, FOUR_WAYS[mode]!.conditions, types);

  it('is that adds would commute, and reader/writer locks do not know it', () => {
    expect(reason(0)).toMatchObject({ operations: [hot.change, hot.change], type: hot.type });
    expect(reason(0)!.words).toMatch(/yet reader\/writer locks let one in at a time$/);
  });

  it('is that a look is in the way of adds where they share', () => {
    for (const mode of [1, 2]) expect(reason(mode)).toMatchObject({ operations: [hot.change, hot.read], type: hot.type });
  });

  it('is that adds share where nothing is in the way', () => {
    const calm: Meeting = { ...meetings[1]!, inTheWay: null };
    const said = whyOf(calm, FOUR_WAYS[1]!.conditions, types);
    expect(said).toMatchObject({ operations: [hot.change, hot.change], type: hot.type });
    expect(said!.words).toMatch(/locks let them share/);
  });

  it('is not told if nothing met, or the catalogue does not know the operations', () => {
    expect(whyOf(NOWHERE, FOUR_WAYS[1]!.conditions, types)).toBeNull();
    expect(whyOf(meetings[0]!, FOUR_WAYS[0]!.conditions, [])).toBeNull();
    const odd: Meeting = { ...NOWHERE, inTheWay: ['TopK.add', 'Set.add'] };
    expect(whyOf(odd, FOUR_WAYS[0]!.conditions, types)).toBeNull();
  });

  it('has words for each ruling', () => {
    const of = (first: string, second: string, mode: number) =>
      whyOf({ ...NOWHERE, inTheWay: [first, second] }, FOUR_WAYS[mode]!.conditions, types)?.words;
    expect(of('Register.set', 'Register.get', 0)).toMatch(
      /^their order does not matter if .+, yet reader\/writer locks let one in at a time$/,
    );
    expect(of('Register.set', 'Register.get', 1)).toMatch(/^they share if /);
    expect(of('TopK.add', 'TopK.add', 0)).toBe('their order does not matter, yet reader/writer locks let one in at a time');
    const never = types.flatMap(({ name, rules }) =>
      rules.filter(({ ruling }) => ruling === 'never').map((rule) => [name, rule] as const),
    )[0]!;
    const [type, { first, second }] = never;
    expect(of(`${type}.${first}`, `${type}.${second}`, 1)).toBe('their order matters, so one waits for the other');
    const together: Meeting = { ...NOWHERE, together: ['TopK.add', 'TopK.add'] };
    expect(whyOf(together, FOUR_WAYS[3]!.conditions, types)?.words).toMatch(/here they run in one go$/);
  });
});
