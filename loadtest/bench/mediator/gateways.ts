// Totals of natives and attempts over all gateways, from their /metrics.

import { valueIn } from '../paper/gateway-figures.ts';

export interface GatewayTotals {
  natives: number;
  begun: number;
  breaks: number;
}

/** @param rests the gateways' base URLs */
export async function readTotals(rests: readonly string[]): Promise<GatewayTotals> {
  const texts = await Promise.all(rests.map(async (rest) => (await fetch(`${rest}/metrics`)).text()));
  const sum = (name: string) => texts.reduce((total, text) => total + valueIn(text, name), 0);
  return { natives: sum('claret_natives_total'), begun: sum('claret_begun_total'), breaks: sum('claret_native_breaks_total') };
}
