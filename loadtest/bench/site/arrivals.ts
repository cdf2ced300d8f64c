// Open arrivals: actions begin when a Poisson process says so, whatever has become of earlier ones. A site that falls behind gets no rest, so
// its latencies contain the time for which requests had to wait.

import { exponential } from '../../kit/random.ts';

/** Milliseconds from the beginning, ascending. */
export function arrivalsMs(random: () => number, perSecond: number, seconds: number): number[] {
  const times: number[] = [];
  const meanMs = 1_000 / perSecond;
  for (let at = exponential(random, meanMs); at < 1_000 * seconds; at += exponential(random, meanMs)) times.push(at);
  return times;
}

export interface Ran {
  /** how much later than drawn each action began, because of timers and of this process's other work */
  lateMs: number[];
  /** actions that did not begin */
  abandoned: number;
}

/**
 * Begins one action for each of the times; resolves when all have ended. `dueMs`: by performance.now(). With `underWayMax` actions under way, the
 * next one does not begin, and no other: the rate is far too high.
 * REQUIRES: `begin` does not reject.
 */
export function runOpen(times: readonly number[], begin: (dueMs: number) => Promise<void>, underWayMax: number): Promise<Ran> {
  const startMs = performance.now();
  const ran: Ran = { lateMs: [], abandoned: 0 };
  let next = 0;
  let underWay = 0;
  return new Promise((resolve) => {
    const endIfOver = () => {
      if (underWay === 0 && next + ran.abandoned === times.length) resolve(ran);
    };
    const wake = () => {
      for (; next + ran.abandoned < times.length; next++) {
        const dueMs = startMs + times[next]!;
        const lateMs = performance.now() - dueMs;
        if (lateMs < 0) return void setTimeout(wake, -lateMs);
        if (underWay >= underWayMax) {
          ran.abandoned = times.length - next;
          break;
        }
        ran.lateMs.push(lateMs);
        underWay++;
        void begin(dueMs).then(() => {
          underWay--;
          endIfOver();
        });
      }
      endIfOver();
    };
    wake();
  });
}
