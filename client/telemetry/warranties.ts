// The warranties of a record, as GET /v1/admin/warranties lists them.
import { amount, anything, count, flag, list, number, object, orNull, text, type TypeOf } from './schema.ts';

const holder = object({
  session: text("the client's name; empty if it cannot be shown"),
  grants: count('more than one: it asked for the result several times at once'),
  lost: flag('its stream has broken'),
  silent_ms: orNull(number(), 'since its last frame; null: it is lost'),
  lapses_in_ms: orNull(number(), 'then it is waited for no longer; null: it has not been asked to return its grant'),
});

export const shownWarranty = object({
  operation: text('"TopK.top"'),
  arguments: list(anything()),
  age_ms: amount(),
  recalled_ago_ms: orNull(number(), 'since when something waits for its end; null: nothing does'),
  ends_in_ms: orNull(number(), 'the latest end; null: it is not recalled'),
  granted: count('grants, returned ones included'),
  uses: count('operations that it has answered, as far as clients have said by returning their grants'),
  holders: list(holder),
});
export type ShownWarranty = TypeOf<typeof shownWarranty>;

export const recordWarranties = object({
  key: text(),
  shard: count(),
  warranties: list(shownWarranty, 'those that stand, the oldest first'),
});
export type RecordWarranties = TypeOf<typeof recordWarranties>;
