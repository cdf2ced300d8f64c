// GET /api/conditions: the cluster's conditions now, so that a page can say when they differ from the normal mode. The client knows them
// already: the route costs no transaction.
import { Type, type Static } from 'typebox';

import type { App } from './http.ts';

export const ConditionsNow = Type.Object({
  /** null: no shard has reported them yet */
  conditions: Type.Union([Type.Object({ locks: Type.String(), phasing: Type.Boolean(), combining: Type.String() }), Type.Null()]),
  server_time_ms: Type.Integer(),
});
export type ConditionsNow = Static<typeof ConditionsNow>;

export function conditionsRoute(api: App): void {
  api.get('/conditions', { schema: { response: { 200: ConditionsNow } } }, async ({ claret }) => ({
    conditions: claret.conditions,
    server_time_ms: Date.now(),
  }));
}
