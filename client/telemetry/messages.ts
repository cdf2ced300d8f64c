// The only definition of the messages that a gateway sends to every viewer of the cluster. A viewer that receives another version
// reports that and decodes nothing.
//
// First comes `welcome`, then a `frame` several times a second with the reports of all shards since the previous frame, and a `mark`
// after each change of the cluster. No frame is repeated; `missed` counts the frames that a viewer has missed.
//
// There is one time axis: every `at_ms` is the sending gateway's wall clock. A shard's own times count back from its frame (`agoMs`), so
// that its clock does not matter; `at_ms - agoMs` is the time on the axis. Counts of shards add up, except `commits`: a transaction over
// several shards commits at each of them, and counts once in `homeCommits`.
import { conditions } from './conditions.ts';
import { replication } from './replication.ts';
import { amount, count, either, list, number, object, oneOf, optional, text, type TypeOf } from './schema.ts';
import { shardTelemetry } from './shard.ts';
import { slots } from './slots.ts';

export const TELEMETRY_VERSION = 1;

const SHARDS_MAX = 256;
const shard = () => count(undefined, { maximum: SHARDS_MAX - 1 });

/** A change of the cluster. */
export const change = either(
  object({ conditions }),
  object({ spike: oneOf(['began', 'ended']), name: text() }),
  object({ note: text('in the words of a person (POST /v1/admin/marks): 1 to 80 printable characters') }),
  object({ shard_restarted: count('the number of a shard that has restarted, so that its totals begin again') }),
  object({
    shard_taken_over: count('the number of a shard that another gateway owns now, so that its totals begin again'),
    by: text('host:port of the REST of the new owner'),
    from: text('host:port of the REST of the owner before'),
    unanswered_ms: optional(
      amount('for how long at most nobody answered for the shard; absent if that is not known, and if the owner before gave the shard up'),
    ),
  }),
  object({
    slots_moved: oneOf(['done', 'called_off', 'failed'], 'how a move of slots has ended; unless it is done, they stay where they were'),
    count: count('slots'),
    from: count('the shard that gave them, or was to'),
    to: count('the shard that took them, or was to'),
    held_ms: optional(
      amount('for how long nobody could use the slots, the last time; absent if they were not held, or if the giver restarted meanwhile'),
    ),
    why: optional(text('why it was called off, or has failed')),
  }),
);
export type Change = TypeOf<typeof change>;

/** The mark of a change on the time axis. It may arrive late, and again after a reconnect. */
export const markMessage = object({
  kind: oneOf(['mark']),
  id: text('the same wherever and however often the mark is sent'),
  at_ms: number(),
  what: change,
});
export type MarkMessage = TypeOf<typeof markMessage>;

export const welcomeMessage = object({
  kind: oneOf(['welcome']),
  version: count('of the messages'),
  at_ms: number(),
  shards: count('in the cluster; more may join later'),
  frames_per_second: count(),
  conditions,
  normal: optional({
    ...conditions,
    description: 'the conditions with which the gateway was started; recordings of older versions lack them',
  }),
  marks: list(markMessage, 'the marks of the last ten minutes, oldest first'),
});
export type WelcomeMessage = TypeOf<typeof welcomeMessage>;

export const frameMessage = object({
  kind: oneOf(['frame']),
  number: count("from 1, in this viewer's stream"),
  at_ms: number('since the Unix epoch, by the clock of the gateway that sends'),
  shards: list(object({ shard: shard(), at_ms: number(), telemetry: shardTelemetry })),
  silent: list(shard(), 'shards that have reported nothing for half a second: unreachable, or hanging'),
  missed: count('frames not sent since the frame before, because the viewer was too slow'),
  replication: optional(replication),
  slots: optional(slots),
});
export type FrameMessage = TypeOf<typeof frameMessage>;

export type TelemetryMessage = WelcomeMessage | FrameMessage | MarkMessage;
