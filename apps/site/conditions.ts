// GET /api/conditions: how the cluster settles conflicts now, so that a page can say when that is not as usual. Known to the client
// already: it costs no transaction.
import { Type, type Static } from 'typebox';

import type { App } from './http.ts';

export const ConditionsNow = Type.Object({
  /** null: no shard has said so yet */
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
