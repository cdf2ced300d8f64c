// At which records a pair of labels met: the core counts conflicts by labels and operations, not by key, so this is known of
// sampled transactions and of the longest waits alone. What is counted here are sightings, never conflicts.
import type { Waiter } from '../../../../telemetry/frame.ts';
import type { TransactionSample } from '../../store/telemetryStore.ts';

export interface SeenRecord {
  key: string;
  /** transactions that were seen to be stopped here by the other one */
  sightings: number;
  /** "Set.add → Set.size": who held → who came, most often seen first */
  operations: readonly string[];
}

interface Sighting {
  transaction: string;
  key: string;
  holderLabel: string;
  comerLabel: string;
  operations: string;
}

function* inSamples(samples: readonly TransactionSample[]): Iterable<Sighting> {
  for (const { transaction, label, attempts } of samples) {
    for (const { requests } of attempts) {
      for (const { operations } of requests) {
        for (const { key, operation, blockingLabel, blockingOperation } of operations) {
          if (blockingOperation === null) continue;
          const both = `${blockingOperation} → ${operation}`;
          yield { transaction, key, holderLabel: blockingLabel, comerLabel: label, operations: both };
        }
      }
    }
  }
}

function* inWaits(waiters: readonly Waiter[]): Iterable<Sighting> {
  for (const { transaction, label, key, operation, blockers } of waiters) {
    for (const blocker of blockers) {
      const both = `${blocker.operation} → ${operation}`;
      yield { transaction, key, holderLabel: blocker.label, comerLabel: label, operations: both };
    }
  }
}

/** `concerns`: whether the pair is asked for. Most sightings first. */
export function seenRecords(
  samples: readonly TransactionSample[],
  waiters: readonly Waiter[],
  concerns: (holderLabel: string, comerLabel: string) => boolean,
): SeenRecord[] {
  const records = new Map<string, { transactions: Set<string>; operations: Map<string, number> }>();
  const see = ({ transaction, key, holderLabel, comerLabel, operations }: Sighting) => {
    if (!concerns(holderLabel, comerLabel)) return;
    let record = records.get(key);
    if (record === undefined) records.set(key, (record = { transactions: new Set(), operations: new Map() }));
    record.transactions.add(transaction);
    record.operations.set(operations, (record.operations.get(operations) ?? 0) + 1);
  };
  for (const sighting of inSamples(samples)) see(sighting);
  for (const sighting of inWaits(waiters)) see(sighting);
  return [...records]
    .map(([key, { transactions, operations }]) => ({
      key,
      sightings: transactions.size,
      operations: [...operations].sort((a, b) => b[1] - a[1]).map(([both]) => both),
    }))
    .sort((a, b) => b.sightings - a.sightings || (a.key < b.key ? -1 : 1));
}
