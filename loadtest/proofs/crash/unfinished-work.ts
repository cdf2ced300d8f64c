// Unfinished work at the shards, from their metrics.
import { until } from './until.ts';

/** Waits until no transaction is in doubt, in flight or waiting: returns '' then, else the counts. `rest`: gateways' base URLs. */
export async function unfinishedWorkAfter(rest: readonly string[], withinMs: number): Promise<string> {
  let unfinished = '';
  await until(async () => (unfinished = (await Promise.all(rest.map(unfinishedWorkOf))).join('')) === '', withinMs);
  return unfinished;
}

async function unfinishedWorkOf(rest: string): Promise<string> {
  const metrics = await (await fetch(`${rest}/metrics`)).text();
  const level = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1] ?? NaN);
  const [inDoubt, inFlight, waiting] = [level('claret_in_doubt'), level('claret_attempts_in_flight'), level('claret_waiting')];
  return inDoubt + inFlight + waiting === 0 ? '' : `${rest} has ${inDoubt} in doubt, ${inFlight} in flight, ${waiting} waiting; `;
}
