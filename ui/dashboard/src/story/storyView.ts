// A story as it stands: its cards, what runs, and where transactions meet, from the telemetry that is shown, or before anything was measured
// from the recording that ships with Claret. Cards and meetings are kept for as long as the page is open.
import { storeStretches } from '../laboratory/stretches.ts';
import type { Span, TelemetryStore } from '../store/telemetryStore.ts';
import { cardsOf, EMPTY, isOfMode, type Card } from './cards.ts';
import { KeptCards } from './keptCards.ts';
import { KeptMeetings } from './keptMeetings.ts';
import { hottest, NOWHERE, type Meeting } from './meeting.ts';
import { newestRun, type Run } from './run.ts';
import type { Scene } from './sentence.ts';
import type { Story } from './stories.ts';
import type { Shipped } from './useShippedRecording.ts';

export interface StoryView extends Scene {
  /** the telemetry that the cards and the run are from */
  store: TelemetryStore;
  /** the mode whose record and reason are shown; null: none was measured */
  shown: number | null;
  run: Run | null;
  /** the end of the time under the mode that is shown; null: none is */
  until_ms: number | null;
}

const keptCards = new WeakMap<TelemetryStore, KeptCards>();
const keptMeetings = new WeakMap<TelemetryStore, KeptMeetings>();

function keptOf<Kept>(all: WeakMap<TelemetryStore, Kept>, store: TelemetryStore, make: () => Kept): Kept {
  const found = all.get(store) ?? make();
  all.set(store, found);
  return found;
}

export interface Around {
  shipped: Shipped | null;
  chosen: number | null;
  state: Scene['state'];
  /** the recording that ships with Claret is played */
  isReplay: boolean;
}

export function viewOf(store: TelemetryStore, story: Story, { shipped, chosen, state, isReplay }: Around): StoryView {
  const own = keptOf(keptCards, store, () => new KeptCards()).keep(story, cardsOf(store, story));
  const now = storeStretches(store).at(-1);
  const load = now?.spike ?? null;
  const isShipped = shipped !== null && load === null && own.every(({ state: is }) => is === 'empty');
  const recorded = shipped !== null && (isShipped || isReplay) ? cardsOf(shipped.store, story) : null;
  const cards = own.map((card, place): Card => (card.state === 'empty' && recorded !== null ? ended(recorded[place]!) : card));
  const running = load === null ? null : story.modes.findIndex((mode) => isOfMode(now!, story, mode));
  const inForce = running === -1 ? null : running;
  const shown = inForce ?? measuredAt(cards, chosen) ?? lastMeasured(cards);
  const source = isShipped ? shipped.store : store;
  const card = shown === null ? EMPTY : cards[shown]!;
  const meetings = keptOf(keptMeetings, source, () => new KeptMeetings());
  const run = newestRun(source, story);
  const span = card.state === 'measured' ? card.figures.span : null;
  const meeting =
    span !== null
      ? meetings.find(source, span, runAround(run, span), card.state === 'measured' && card.isRunning)
      : run === null
        ? NOWHERE
        : atOnce(source, run);
  return {
    ...{ story, cards, load, state, meeting, isShipped, shown },
    running: inForce,
    silent: store.silent,
    store: source,
    run,
    until_ms: span?.to_ms ?? (card.state === 'measuring' ? now!.span.to_ms : null),
  };
}

/** Another run than the newest has its modes' stretches alone. */
const runAround = (run: Run | null, span: Span): Span => (run !== null && span.from_ms >= run.span.from_ms ? run.span : span);

/** What can be told before a mode is measured: the record of the run so far. */
const atOnce = (store: TelemetryStore, run: Run): Meeting => ({ ...NOWHERE, record: hottest(store, run.span, null) });

const ended = (card: Card): Card => (card.state === 'measured' ? { ...card, isRunning: false } : card);

const measuredAt = (cards: readonly Card[], place: number | null): number | null =>
  place !== null && cards[place]?.state === 'measured' ? place : null;

function lastMeasured(cards: readonly Card[]): number | null {
  const place = cards.findLastIndex(({ state }) => state === 'measured');
  return place < 0 ? null : place;
}
