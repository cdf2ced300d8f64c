// GET /api/conditions: how the cluster's conditions now differ from the normal mode, for a notice on each page. The client knows them
// already: the route costs no transaction.
import { CONDITIONS } from '@claret/client/telemetry';
import { Type, type Static } from 'typebox';

import type { App } from './http.ts';

export const ConditionsNow = Type.Object({
  /** "reader/writer locks, no phasing"; null: they do not differ, or no shard has reported them yet */
  unusual: Type.Union([Type.String(), Type.Null()]),
  server_time_ms: Type.Integer(),
});
export type ConditionsNow = Static<typeof ConditionsNow>;

export function conditionsRoute(api: App): void {
  api.get('/conditions', { schema: { response: { 200: ConditionsNow } } }, async ({ claret }) => ({
    unusual: unusual(claret.conditions ?? {}),
    server_time_ms: claret.clock.nowMs(),
  }));
}

/** Only those that all messages name: whether results are promised is no mode of the site. */
export function unusual(told: Readonly<Partial<Record<string, string | boolean>>>): string | null {
  const words = CONDITIONS.flatMap((each) => {
    const value = told[each.name];
    if (!each.always || value === undefined || value === each.usual) return [];
    return [each.values.find((one) => one.value === value)?.short ?? `${each.name}: ${value}`];
  });
  return words.length === 0 ? null : words.join(', ');
}
