// The records at which a pair of labels conflicted. The core counts conflicts by labels and operations, not by key, so records are
// known only from sampled transactions and from the longest waits. The counts here are sightings, never conflicts.
import type { Waiter } from '@claret/client/telemetry';
import type { TransactionSample } from '../../store/telemetryStore.ts';

export interface SeenRecord {
  key: string;
  /** transactions seen to be blocked here by the other label */
  sightings: number;
  /** "Set.add → Set.size": holder → blocked, most frequent first */
  operations: readonly string[];
}

interface SightingsOfKey {
  transactions: Set<string>;
  /** by the holder's operation, then the newcomer's */
  operations: Map<string, Map<string, number>>;
}

/** `concerns`: whether a pair of labels is wanted. Most sightings first. */
export function seenRecords(
  samples: readonly TransactionSample[],
  waiters: readonly Waiter[],
  concerns: (holderLabel: string, comerLabel: string) => boolean,
): SeenRecord[] {
  const records = new Map<string, SightingsOfKey>();
  const see = (key: string, transaction: string, holding: string, coming: string) => {
    let record = records.get(key);
    if (record === undefined) records.set(key, (record = { transactions: new Set(), operations: new Map() }));
    record.transactions.add(transaction);
    let comers = record.operations.get(holding);
    if (comers === undefined) record.operations.set(holding, (comers = new Map()));
    comers.set(coming, (comers.get(coming) ?? 0) + 1);
  };
  for (const { transaction, label, attempts } of samples) {
    for (const { requests } of attempts) {
      for (const { operations } of requests) {
        for (const { key, operation, blockingLabel, blockingOperation } of operations) {
          if (blockingOperation !== null && concerns(blockingLabel, label)) see(key, transaction, blockingOperation, operation);
        }
      }
    }
  }
  for (const { transaction, label, key, operation, blockers } of waiters) {
    for (const blocker of blockers) {
      if (concerns(blocker.label, label)) see(key, transaction, blocker.operation, operation);
    }
  }
  return [...records]
    .map(([key, { transactions, operations }]) => ({ key, sightings: transactions.size, operations: pairsOf(operations) }))
    .sort((a, b) => b.sightings - a.sightings || (a.key < b.key ? -1 : 1));
}

function pairsOf(operations: SightingsOfKey['operations']): string[] {
  return [...operations]
    .flatMap(([holding, comers]) => [...comers].map(([coming, count]) => ({ both: `${holding} → ${coming}`, count })))
    .sort((a, b) => b.count - a.count)
    .map(({ both }) => both);
}
