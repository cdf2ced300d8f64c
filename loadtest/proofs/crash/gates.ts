// The work that shards have under way, from their metrics.
import { until } from './until.ts';

/** Empty once nothing is in doubt, in flight or waiting; else, after that time, what is. `rest`: gateways' base URLs. */
export async function unrestAfter(rest: readonly string[], withinMs: number): Promise<string> {
  let unrest = '';
  await until(async () => (unrest = (await Promise.all(rest.map(unrestOf))).join('')) === '', withinMs);
  return unrest;
}

async function unrestOf(rest: string): Promise<string> {
  const metrics = await (await fetch(`${rest}/metrics`)).text();
  const level = (name: string) => Number(new RegExp(`^${name} (\\d+)`, 'm').exec(metrics)?.[1] ?? NaN);
  const [inDoubt, inFlight, waiting] = [level('claret_in_doubt'), level('claret_attempts_in_flight'), level('claret_waiting')];
  return inDoubt + inFlight + waiting === 0 ? '' : `${rest} has ${inDoubt} in doubt, ${inFlight} in flight, ${waiting} waiting; `;
}
