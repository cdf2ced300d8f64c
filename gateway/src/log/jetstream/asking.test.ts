import { randomFrom } from '@claret/client/testing';
import { JetStreamApiError } from '@nats-io/jetstream';
import { describe, expect, test } from 'vitest';
import { Machine, World } from '../../replication/testing/machines.ts';
import { askAgain, unlessStopped } from './asking.ts';
import { ANSWER_MS } from './connection.ts';

const apiError = (status: number) => new JetStreamApiError({ code: status, err_code: 1, description: `status ${status}` });

/** A question whose askings are answered, or not, by the test. */
function question() {
  const world = new World(randomFrom(1));
  const { environment } = new Machine(world, 1);
  const askings: { answer: (answer: string) => void; fail: (error: Error) => void }[] = [];
  const ask = () => new Promise<string>((answer, fail) => void askings.push({ answer, fail }));
  return { pass: (ms: number) => world.runUntil(world.nowMs + ms), askings, answered: askAgain(environment, ask) };
}

describe('a question', () => {
  test('is asked again while nobody answers, and no more once somebody has', async () => {
    const { pass, askings, answered } = question();
    expect(askings).toHaveLength(1);
    await pass(600);
    expect(askings).toHaveLength(3);
    askings[2]!.answer('to the third');
    expect(await answered).toBe('to the third');
    await pass(ANSWER_MS);
    expect(askings).toHaveLength(3);
  });

  test('has the first answer that comes, also a late one to an earlier asking', async () => {
    const { pass, askings, answered } = question();
    await pass(ANSWER_MS - 1);
    askings[0]!.answer('to the first');
    expect(await answered).toBe('to the first');
  });

  test('is asked again where there is no leader, and not where it is refused', async () => {
    const { pass, askings, answered } = question();
    askings[0]!.fail(apiError(503));
    await pass(250);
    expect(askings).toHaveLength(2);
    askings[1]!.fail(apiError(400));
    await expect(answered).rejects.toThrow('status 400');
    await pass(ANSWER_MS);
    expect(askings).toHaveLength(2);
  });

  test('that nobody answers in time fails with the last reason', async () => {
    const { pass, askings, answered } = question();
    const failed = answered.catch((error: Error) => error.message);
    askings[0]!.fail(apiError(503));
    await pass(ANSWER_MS);
    expect(await failed).toBe('status 503');
    expect(askings.length).toBeGreaterThan(4);
    await pass(ANSWER_MS);
    expect(askings.length).toBeLessThan(10);
  });

  test('is not waited for once that is stopped', async () => {
    const stopping = new AbortController();
    const never = new Promise<string>(() => {});
    const waiting = unlessStopped(never, stopping.signal);
    stopping.abort();
    await expect(waiting).rejects.toThrow('stopped');
    await expect(unlessStopped(never, stopping.signal)).rejects.toThrow('stopped');
    expect(await unlessStopped(Promise.resolve('answered'), new AbortController().signal)).toBe('answered');
  });
});
