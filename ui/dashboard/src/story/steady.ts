// Who leads a ranking, without flapping between two that are about equal.

export interface Ranked {
  id: string;
  count: number;
}

/** A newcomer leads only if it has this many times as much as the one that led. */
const TAKES_OVER = 1.25;

/** `before`: who led last; null: nobody. Null if nobody counts. */
export function leader<Member extends Ranked>(ranked: readonly Member[], before: string | null): Member | null {
  const first = ranked.reduce<Member | null>((most, one) => (one.count > (most?.count ?? 0) ? one : most), null);
  const led = ranked.find(({ id }) => id === before);
  return first !== null && led !== undefined && first.count < led.count * TAKES_OVER ? led : first;
}
