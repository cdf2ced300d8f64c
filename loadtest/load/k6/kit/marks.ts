// The start of the storm, and its stages as flags on the dashboard's time axis.

import http from 'k6/http';
import { sleep } from 'k6';
import type { Curve } from './arrival.ts';
import { storm } from './data.ts';
import { authorization } from './token.ts';

/** With a greater delay the curve would no longer fit the close of the hot auction. */
const LATE_MS_MAX = 1_000;
const MARK_LENGTH_MAX = 80;

/** Every scenario's setup(): waits until the storm starts. */
export function begin(): void {
  const early_ms = storm.starts_at_ms - Date.now();
  if (storm.hot_item !== null && early_ms < -LATE_MS_MAX)
    throw new Error(`k6 was ready ${-early_ms} ms after the storm was to begin: prepare it to begin later`);
  sleep(Math.max(0, early_ms) / 1_000);
}

/** Every scenario's exec `marks`: sets a flag when a stage begins. A gateway that refuses a mark does not fail the storm. */
export function flag({ marks }: Pick<Curve, 'marks'>): void {
  for (const { at_s, text } of marks) {
    sleep(Math.max(0, storm.starts_at_ms + at_s * 1_000 - Date.now()) / 1_000);
    const body = JSON.stringify({ text: `${storm.scenario}: ${text}`.slice(0, MARK_LENGTH_MAX) });
    http.post(`${storm.gateways[0]!.rest}/v1/admin/marks`, body, {
      headers: { 'content-type': 'application/json', ...authorization },
      tags: { name: 'mark', kind: 'mark' },
      responseType: 'none',
      timeout: '5s',
    });
  }
}
