// One stream from another gateway, on a clock under the test's control: when it is opened again, and how its times are translated to
// the local clock. Streams of real gateways are tested in restart.test.ts.
import { describe, expect, test } from 'vitest';
import { SeededEnvironment } from '../../../client/src/testing/seeded-environment.ts';
import { REOPEN_AFTER_MS, REOPEN_AFTER_MS_MAX, STALLED_AFTER_MS } from './pace.ts';
import { PeerTelemetry } from './peer-telemetry.ts';
import type { TelemetryStreamHandlers } from './peer-telemetry.ts';

function start() {
  const environment = new SeededEnvironment(1);
  const opened: { atMs: number; handlers: TelemetryStreamHandlers; ended: boolean }[] = [];
  const told: unknown[][] = [];
  const peer = new PeerTelemetry(
    (handlers) => {
      const stream = { atMs: environment.monotonicMs(), handlers, ended: false };
      opened.push(stream);
      return () => void (stream.ended = true);
    },
    {
      onFrame: (text, atMs) => told.push(['frame', text, Math.round(atMs)]),
      onMark: (id, what, atMs) => told.push(['mark', id, what, Math.round(atMs)]),
      onRestart: (incarnation, atMs) => told.push(['restart', incarnation, Math.round(atMs)]),
    },
    environment,
  );
  const pass = (ms: number) => environment.runUntil(new Promise<void>((resolve) => void environment.setTimeout(resolve, ms)));
  return { environment, peer, opened, told, pass, nowMs: () => environment.monotonicMs() };
}

const gaps = (opened: { atMs: number }[]) => opened.slice(1).map(({ atMs }, i) => Math.round(atMs - opened[i]!.atMs));

describe('a stream that breaks', () => {
  test('is opened again with pauses that double, and that start over after a frame has arrived', async () => {
    const { peer, opened, pass } = start();
    peer.start();
    const breakNext = async () => {
      const count = opened.length;
      opened.at(-1)!.handlers.onClose();
      while (opened.length === count) await pass(10);
    };
    for (let i = 0; i < 6; i++) await breakNext();
    const doubling = [1, 2, 4, 8].map((factor) => factor * REOPEN_AFTER_MS);
    expect(gaps(opened)).toEqual([...doubling, REOPEN_AFTER_MS_MAX, REOPEN_AFTER_MS_MAX]);
    opened.at(-1)!.handlers.onMessage({ atMs: 0, hello: { incarnation: 1, startedAtMs: 0 } });
    opened.at(-1)!.handlers.onMessage({ atMs: 0, frame: '{}' });
    await breakNext();
    expect(gaps(opened).at(-1)).toBe(REOPEN_AFTER_MS);
  });

  test('is closed when it falls silent, and its later messages are ignored', async () => {
    const { peer, opened, pass, told } = start();
    peer.start();
    await pass(STALLED_AFTER_MS - 1);
    expect(opened[0]!.ended).toBe(false);
    await pass(2 + REOPEN_AFTER_MS);
    expect(opened[0]!.ended).toBe(true);
    expect(opened).toHaveLength(2);
    opened[0]!.handlers.onMessage({ atMs: 1, frame: '{}' });
    opened[0]!.handlers.onClose();
    expect(told).toEqual([]);
    await pass(STALLED_AFTER_MS - 2);
    expect(opened).toHaveLength(2);
  });

  test('is not opened again without viewers', async () => {
    const { peer, opened, pass } = start();
    peer.start();
    opened[0]!.handlers.onClose();
    peer.stop();
    await pass(60_000);
    expect(opened).toHaveLength(1);
    peer.start();
    peer.stop();
    await pass(60_000);
    expect(opened.map(({ ended }) => ended)).toEqual([true, true]);
  });
});

describe('the time of a message', () => {
  test('is translated by the message with the least delay', async () => {
    const { peer, opened, pass, told, nowMs } = start();
    await pass(5_000);
    const apart = 1_000_000 - nowMs(); // the other clock is that much ahead
    const arrive = (happenedMs: number, lateMs: number) => async (frame: string) => {
      await pass(happenedMs + lateMs - nowMs());
      opened[0]!.handlers.onMessage({ atMs: happenedMs + apart, frame });
    };
    peer.start();
    opened[0]!.handlers.onMessage({ atMs: nowMs() + apart - 30, hello: { incarnation: 1, startedAtMs: 0 } }); // 30 ms late
    await arrive(5_200, 20)('a');
    await arrive(5_400, 2)('b');
    await arrive(5_600, 90)('c');
    expect(told).toEqual([
      ['frame', 'a', 5_220],
      ['frame', 'b', 5_402],
      ['frame', 'c', 5_602],
    ]);
    opened[0]!.handlers.onMessage({ atMs: 1_000 + apart, mark: { id: '1-1-1', what: '{}' } });
    expect(told.at(-1)).toEqual(['mark', '1-1-1', '{}', 1_002]);
  });

  test('is translated anew after delays have grown for good', async () => {
    const { peer, opened, pass, told, nowMs } = start();
    peer.start();
    const arrive = async (lateMs: number) => {
      await pass(200);
      opened[0]!.handlers.onMessage({ atMs: nowMs() - lateMs, frame: '' });
    };
    await arrive(0);
    for (let i = 0; i < 49; i++) await arrive(40);
    expect(told.at(-1)![2]).toBe(Math.round(nowMs() - 40));
    await arrive(40);
    expect(told.at(-1)![2]).toBe(Math.round(nowMs()));
  });

  test('of a restart is on the new clock, when the gateway has a new incarnation', async () => {
    const { peer, opened, pass, told, nowMs } = start();
    peer.start();
    await pass(1_000);
    opened[0]!.handlers.onMessage({ atMs: 500_000, hello: { incarnation: 7, startedAtMs: 0 } });
    opened[0]!.handlers.onClose();
    await pass(REOPEN_AFTER_MS);
    opened[1]!.handlers.onMessage({ atMs: 501_000, hello: { incarnation: 7, startedAtMs: 0 } });
    expect(told).toEqual([]);
    opened[1]!.handlers.onClose();
    await pass(3_000);
    opened[2]!.handlers.onMessage({ atMs: 900, hello: { incarnation: 8, startedAtMs: 100 } });
    expect(told).toEqual([['restart', 8, Math.round(nowMs() - 800)]]);
  });
});
