// The first page's sentence and cards, on telemetry as clusters send it: what they say is true at each moment, and its figures are on the cards.
import type { Conditions } from '@claret/client/telemetry';
import { describe, expect, it } from 'vitest';
import { conflict, KEY, Told } from '../testing/told.ts';
import { shippedRecording } from '../testing/shipped.ts';
import type { Card } from './cards.ts';
import { factorWords, lostWords, rateChange, rateWords } from './comparison.ts';
import { FOUR_WAYS } from './modes.ts';
import { sentenceOf, textOf } from './sentence.ts';
import { BIDS, STORIES, wishOf } from './stories.ts';
import { viewOf, type StoryView } from './storyView.ts';

const [RW, COMMUTING, PHASING, COMBINING] = FOUR_WAYS.map(({ conditions }) => conditions) as [
  Conditions,
  Conditions,
  Conditions,
  Conditions,
];
const BEGAN = { spike: 'began', name: 'bid-spike' } as const;
const ENDED = { spike: 'ended', name: 'bid-spike' } as const;
/** Each frame is a fifth of a second. */
const SLOW = { homeCommits: 18, retries: 414, conflicts: [conflict('Bid', 'Bid', 500)] };
const FAST = { homeCommits: 560, retries: 28, conflicts: [conflict('Bid', 'ViewAuction', 60), conflict('ViewAuction', 'Bid', 30)] };
const VISITORS = { homeCommits: 2 };
const ALONE = { shipped: null, chosen: null, state: null, isReplay: false };

const view = ({ store }: Told, around = {}): StoryView => viewOf(store, BIDS, { ...ALONE, ...around });
const said = (told: Told, around = {}): string => textOf(sentenceOf(view(told, around)));
const figuresOf = (card: Card | undefined) => {
  if (card?.state !== 'measured') throw new Error(`the card is ${card?.state}`);
  return card.figures;
};

describe('while the load runs', () => {
  it('says who is in the way, where, and what it costs, with the figures of the card', () => {
    const told = new Told(RW).run(2, VISITORS).mark(BEGAN).run(6, SLOW);
    const { cards, running } = view(told);
    const { committed_per_s, lost_per_commit } = figuresOf(cards[0]);
    expect([running, committed_per_s, lost_per_commit]).toEqual([0, expect.closeTo(90, 5), 23]);
    expect(said(told)).toBe(`Bid transactions block each other at ${KEY}: 23.0 tries lost for each of 90.0 commits a second.`);
  });

  it('measures for three seconds after a switch, and then says one thing, with one figure for one window (B1, B5)', () => {
    const told = new Told(RW).mark(BEGAN).run(8, SLOW).mark({ conditions: COMMUTING });
    for (let second = 0; second < 2.5; second += 0.5) {
      told.run(0.4, FAST);
      expect(said(told)).toBe('Measuring Commuting…');
      expect(view(told).cards[1]).toEqual({ state: 'measuring' });
    }
    told.run(1.4, FAST);
    const first = said(told);
    for (let second = 0; second < 8; second += 1) {
      const { cards } = view(told.run(1, FAST));
      const { committed_per_s, lost_per_commit } = figuresOf(cards[1]);
      const words = `${lostWords(lost_per_commit)} tries lost for each of ${rateWords(committed_per_s)} commits a second.`;
      expect(said(told)).toBe(`Bid and ViewAuction block each other at ${KEY}: ${words}`);
    }
    expect(said(told)).toBe(first);
  });

  it('keeps the pair that it has named unless another one clearly leads (B5)', () => {
    const about = (bids: number, views: number) => ({
      ...FAST,
      conflicts: [conflict('Bid', 'Bid', bids), conflict('Bid', 'ViewAuction', views)],
    });
    const told = new Told(COMMUTING).mark(BEGAN).run(5, about(60, 55));
    expect(said(told)).toMatch(/^Bid transactions/);
    for (let second = 0; second < 10; second += 1) {
      told.run(1, about(50, 70));
      expect(said(told)).toMatch(/^Bid transactions/);
    }
    expect(said(told.run(20, about(10, 200)))).toMatch(/^Bid and ViewAuction/);
  });

  it('says that a shard is down, and never that nothing runs (B6)', () => {
    const told = new Told(RW).mark(BEGAN).run(6, SLOW).run(2, VISITORS, [1]);
    expect(said(told)).toBe('Shard 1 is down: what needs it waits or fails, and everything else goes on.');
  });

  it('says that the load has begun as soon as it has, though somebody else has chosen the mode before (B13)', () => {
    const told = new Told(RW).run(3, VISITORS).mark({ conditions: COMMUTING }).run(10, VISITORS).mark(BEGAN).run(1, FAST);
    expect(said(told)).toBe('Measuring Commuting…');
    expect(view(told).cards[0]).toEqual({ state: 'empty' });
    expect(said(told.run(5, FAST))).toMatch(/^Bid and ViewAuction block each other/);
  });

  it('names another load, and a mode that is none of its own', () => {
    const other = new Told(RW).mark({ spike: 'began', name: 'viral-post' }).run(5, FAST);
    expect(said(other)).toBe('Another load runs: Viral post.');
    const own = new Told({ ...RW, phasing: true }).mark(BEGAN).run(5, SLOW);
    expect(said(own)).toBe('Bid spike runs in a mode of its own.');
  });
});

describe('after the load', () => {
  const run = () => new Told(RW).mark(BEGAN).run(8, SLOW).mark({ conditions: COMMUTING }).run(8, FAST).mark(ENDED).run(0.2, VISITORS);

  it('tells in the past tense what was measured; it stays, whatever visitors do, as do the figures (B5, B8)', () => {
    const told = run().mark({ conditions: COMBINING });
    const sentence = said(told);
    expect(sentence).toBe(
      'From Reader/writer to Commuting: 0.05 tries lost per commit instead of 23.0; commits a second rose from 90.0 to 2,800 (×31).',
    );
    const { cards } = view(told);
    for (const per_frame of [0, 1, 2, 3, 4, 2, 1, 0]) {
      told.run(3, { homeCommits: per_frame });
      expect(said(told)).toBe(sentence);
      expect(view(told).cards).toEqual(cards);
    }
  });

  it('the quotient is that of the two figures on the cards (B1)', () => {
    const { cards } = view(run());
    const [before, after] = [figuresOf(cards[0]), figuresOf(cards[1])];
    const shown = (per_s: number) => Number(rateWords(per_s).replaceAll(',', ''));
    const change = rateChange(before, after);
    expect(change).toEqual({ is: 'clear', factor: shown(after.committed_per_s) / shown(before.committed_per_s) });
  });

  it('cards outlive the ten minutes of telemetry while the page is open', () => {
    const told = run();
    const before = view(told).cards;
    told.run(620, VISITORS);
    expect(view(told).cards).toEqual(before.map((card) => (card.state === 'measured' ? { ...card, isRunning: false } : card)));
    expect(viewOf(told.store, STORIES[1]!, ALONE).cards.every(({ state }) => state === 'empty')).toBe(true);
  });

  it('figures of different loads are not compared', () => {
    const told = run().run(3, VISITORS).mark({ conditions: COMMUTING }).mark(BEGAN).run(6, SLOW).mark(ENDED).run(0.2, VISITORS);
    const { cards } = view(told);
    expect(rateChange(figuresOf(cards[0]), figuresOf(cards[1]))).toEqual({ is: 'other run' });
    expect(said(told)).toBe('Commuting: 90.0 commits a second, and 23.0 tries lost for each of them.');
  });

  it('within the spread there is no clear difference', () => {
    const told = new Told(COMMUTING).mark(BEGAN);
    for (let second = 0; second < 8; second += 1) told.run(1, { ...FAST, homeCommits: 400 + 100 * (second % 4) });
    told.mark({ conditions: PHASING });
    for (let second = 0; second < 8; second += 1) told.run(1, { ...FAST, retries: 10, homeCommits: 420 + 100 * (second % 4) });
    told.mark(ENDED).run(0.2, VISITORS);
    expect(said(told)).toBe(
      'From Commuting to + Phasing: 0.02 tries lost per commit instead of 0.05; commits a second showed no clear difference.',
    );
  });
});

describe('the recording that ships with Claret', () => {
  it('fills all cards before anything was measured, says on how many cores, and gives way to what is measured here', async () => {
    const shipped = await shippedRecording();
    expect(shipped.cores).toBeGreaterThan(0);
    const told = new Told(COMBINING).run(3, VISITORS);
    const { cards, isShipped, meeting, run } = view(told, { shipped });
    const figures = cards.map(figuresOf);
    expect(isShipped).toBe(true);
    expect(new Set(figures.map(({ run_ms }) => run_ms)).size).toBe(1);
    expect(run!.bands.map(({ mode }) => mode)).toEqual(FOUR_WAYS);
    expect(meeting.record?.key).toMatch(/:(bids|bid_count)$/);
    const lost = figures.map(({ lost_per_commit }) => lost_per_commit);
    expect(lost).toEqual(lost.toSorted((one, other) => other - one));
    expect(lost[0], 'locks that share lose tries too, until they are taken in phases').toBeGreaterThan(5 * Math.max(...lost.slice(2)));
    const [first, last] = [figures[0]!, figures[3]!];
    const sentence = said(told, { shipped });
    for (const words of [lostWords(first.lost_per_commit), lostWords(last.lost_per_commit)]) expect(sentence).toContain(words);
    const change = rateChange(first, last);
    if (change.is === 'clear') expect(sentence).toContain(`(×${factorWords(change.factor)})`);

    told.mark({ conditions: RW }).mark(BEGAN).run(2, SLOW);
    expect(view(told, { shipped }).cards.map(({ state }) => state)).toEqual(['measuring', 'empty', 'empty', 'empty']);
  });
});

it('each story has one spike that runs its modes in turn, and is known by it', () => {
  for (const story of STORIES) {
    const { seconds, conditions, stages } = wishOf(story);
    expect([conditions, ...stages!.map((stage) => stage.conditions)]).toEqual(story.modes.map((mode) => mode.conditions));
    expect(stages!.map(({ after_s }) => after_s)).toEqual(story.modes.slice(1).map((_, place) => story.seconds * (place + 1)));
    expect(seconds).toBe(story.seconds * story.modes.length);
    expect(seconds).toBeLessThanOrEqual(60);
  }
  expect(new Set(STORIES.map(({ spike }) => spike.spike)).size).toBe(STORIES.length);
});
