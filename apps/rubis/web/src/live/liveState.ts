// The state of the live stream as plain data: `hear` takes a state and an event and returns the next state.
import type * as api from '../../../server/api.ts';

export interface LiveState {
  readonly items: ReadonlyMap<string, api.LiveItem>;
  readonly standings: ReadonlyMap<string, api.Standing>;
  /** newest first */
  readonly notices: readonly api.LiveNotice[];
}

export const SILENT: LiveState = { items: new Map(), standings: new Map(), notices: [] };

const NOTICES_MAX = 50;
const ITEMS_MAX = 400;

type LiveEventName = keyof api.LiveEvents;

/** The next state; the same object if nothing changed. Unknown events change nothing. */
export function hear(state: LiveState, name: string, event: object): LiveState {
  switch (name as LiveEventName) {
    case 'item':
      return hearItem(state, (event as api.LiveItemEvent).item);
    case 'standing': {
      const { standing } = event as api.LiveStandingEvent;
      return { ...state, standings: new Map(state.standings).set(standing.item_id, withOwnBid(standing, state)) };
    }
    case 'notice':
      return hearNotice(state, event as api.LiveNotice);
    default:
      return state;
  }
}

/** A crowd can push the viewer's own bid out of the stream's state: then its last known value stays. */
function withOwnBid(standing: api.Standing, { standings }: LiveState): api.Standing {
  const before = standings.get(standing.item_id);
  if (standing.my_max_cents !== null || !before) return standing;
  const { my_max_cents } = before;
  if (my_max_cents === null) return standing;
  return { ...standing, my_bid_cents: Math.min(my_max_cents, standing.price_cents), my_max_cents };
}

function hearItem(state: LiveState, item: api.LiveItem): LiveState {
  const items = new Map(state.items);
  items.delete(item.id); // the newest come last, so that the oldest are dropped first
  items.set(item.id, item);
  if (items.size > ITEMS_MAX) items.delete(items.keys().next().value!);
  return { ...state, items };
}

function hearNotice(state: LiveState, notice: api.LiveNotice): LiveState {
  if (state.notices.some(({ id }) => id === notice.id)) return state;
  const notices = [notice, ...state.notices].sort((one, other) => other.at_ms - one.at_ms).slice(0, NOTICES_MAX);
  return { ...state, notices };
}
