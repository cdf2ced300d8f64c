// How many slots each shard owns, and the slots that move between shards.
import { count, list, object, oneOf, optional, text, type TypeOf } from './schema.ts';

const owned = object({
  shard: count(),
  address: text('host:port of its gRPC'),
  rest_address: text('host:port of its REST'),
  slots: count('that it owns; those that are given and not taken yet count for the giver'),
});

export const moving = object(
  {
    move: text('its id'),
    from: count('the shard that gives'),
    to: count('the shard that takes'),
    slots: object({ first: count(), last: count('inclusive') }),
    phase: oneOf(['copying', 'draining', 'handing_over']),
    bytes_sent: count(),
    bytes_left: count('estimate'),
    why: optional(text('why it goes on in vain at present, as while the taker does not answer')),
    began_at_ms: count("by the wall clock of the giver's gateway"),
  },
  'slots that move; they belong to the giver until all of them have moved at once',
);
export type MovingSlots = TypeOf<typeof moving>;

export const slots = object(
  { shards: list(owned, 'in order: all shards of the cluster'), moves: list(moving, 'that are under way, in the order of the givers') },
  'who owns how many slots, as the sender knows it',
);
export type Slots = TypeOf<typeof slots>;
export type SlotOwner = Slots['shards'][number];
