// The counters of a gateway since its start, read from outside: /metrics and /v1/admin/conflicts.

import type { Conflicts } from './raw.ts';

export interface GatewayFigures {
  operations: number;
  core_seconds: number;
  polled_seconds: number;
}

/** @param rest the gateway's base URL */
export async function readFigures(rest: string): Promise<GatewayFigures> {
  const text = await fetched(`${rest}/metrics`).then((answer) => answer.text());
  return {
    operations: valueIn(text, 'claret_operations_total'),
    core_seconds: valueIn(text, 'claret_core_seconds_total'),
    polled_seconds: valueIn(text, 'claret_polled_seconds_total'),
  };
}

/** A metric without labels in Prometheus' text format. Throws if it is missing. */
export function valueIn(text: string, name: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  if (line === undefined) throw new Error(`the gateway tells no ${name}`);
  return Number(line.slice(name.length + 1));
}

/** Conflicts by pair of labels; `since` gives the increase between two readings of the gateways. */
export class ConflictTable {
  readonly #counts = new Map<string, number>();

  /** @param rests the gateways' base URLs */
  static async read(rests: readonly string[]): Promise<ConflictTable> {
    const table = new ConflictTable();
    for (const rest of rests) {
      const answer = await fetched(`${rest}/v1/admin/conflicts?limit=4096`);
      const { conflicts } = (await answer.json()) as { conflicts: { holder_label: string; comer_label: string; count: number }[] };
      for (const { holder_label, comer_label, count } of conflicts) table.add(holder_label, comer_label, count);
    }
    return table;
  }

  add(holder: string, waiter: string, count: number): void {
    const name = JSON.stringify([holder, waiter]);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count);
  }

  /** Most frequent first. */
  since(before: ConflictTable): Conflicts[] {
    return [...this.#counts]
      .flatMap(([name, total]) => {
        const [holder, waiter] = JSON.parse(name) as [string, string];
        const count = total - (before.#counts.get(name) ?? 0);
        return count === 0 ? [] : [{ holder, waiter, count }];
      })
      .sort((a, b) => b.count - a.count);
  }
}

async function fetched(url: string): Promise<Response> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return answer;
}
