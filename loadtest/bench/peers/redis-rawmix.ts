// rawmix on Redis: SCARD and SADD, in the three ways in which Redis makes four commands one transaction.

import type { Description } from '@claret/client';
import type { RedisStore } from './redis-store.ts';

type Operations = readonly Description<unknown>[];
export type RawmixOnRedis = (store: RedisStore, operations: Operations) => Promise<void>;

const isRead = ({ spec }: Description<unknown>) => spec.operationClass === 'observe';
const memberOf = ({ args }: Description<unknown>) => args[0] as string;

/** All commands at once, atomically. */
export async function rawmixByMulti({ shared }: RedisStore, operations: Operations): Promise<void> {
  const multi = shared.multi();
  for (const operation of operations) {
    if (isRead(operation)) multi.sCard(operation.key);
    else multi.sAdd(operation.key, memberOf(operation));
  }
  await multi.exec();
}

/** The same without a client library. */
export async function rawmixByBareMulti({ bare }: RedisStore, operations: Operations): Promise<void> {
  await bare!.transaction(
    operations.map((operation) => (isRead(operation) ? ['SCARD', operation.key] : ['SADD', operation.key, memberOf(operation)])),
  );
}

/** The same in one command. */
export async function rawmixByLua({ shared }: RedisStore, operations: Operations): Promise<void> {
  await shared.rawmix(
    operations.map(({ key }) => key),
    operations.map((operation) => (isRead(operation) ? '' : memberOf(operation))),
  );
}

/**
 * Interactive: each read is answered before the next operation is issued. Watching the read set costs no message of its own. Adds
 * are sent at the end, and the last operation, whichever it is, is sent with the end. A read of a set to which the transaction has
 * already added returns a size without these adds; the reader can add them itself.
 */
export function rawmixByWatch(store: RedisStore, operations: Operations): Promise<void> {
  return store.optimistic(async (connection) => {
    const last = operations.length - 1;
    for (let i = 0; i < last; i++) {
      const { key } = operations[i]!;
      if (isRead(operations[i]!)) await Promise.all([connection.watch(key), connection.sCard(key)]);
    }
    const multi = connection.multi();
    operations.forEach((operation, i) => {
      if (!isRead(operation)) multi.sAdd(operation.key, memberOf(operation));
      else if (i === last) multi.sCard(operation.key);
    });
    await multi.exec();
  });
}
