import { afterEach, describe, expect, it, vi } from 'vitest';
import { del, get, post, put } from './client.ts';
import { Patience, TRIES_MAX, WAIT_S_MAX } from './patience.ts';

const refusal = (retry_after: string | null, status = 503) =>
  new Response(JSON.stringify({ code: 'overloaded', status, detail: 'Very busy.' }), {
    status,
    headers: { 'content-type': 'application/problem+json', ...(retry_after === null ? {} : { 'retry-after': retry_after }) },
  });

function patient(answers: Response[], random = 0) {
  const waited: number[] = [];
  const patience = new Patience({ wait: async (delay_ms) => void waited.push(delay_ms), random: () => random });
  const ask = vi.fn(async () => answers.shift() ?? new Response('{}'));
  return { patience, ask, waited, asked: () => patience.ask(ask) };
}

describe('patience', () => {
  it('retries after the server’s Retry-After, or somewhat later', async () => {
    const { asked, waited, ask } = patient([refusal('2'), refusal('3')], 0.5);
    expect((await asked()).status).toBe(200);
    expect([ask.mock.calls.length, waited]).toEqual([3, [2_500, 3_750]]);
  });
  it('gives up: the last refusal is the answer', async () => {
    const { asked, ask } = patient(Array.from({ length: 10 }, () => refusal('1')));
    expect((await asked()).status).toBe(503);
    expect(ask).toHaveBeenCalledTimes(TRIES_MAX);
  });
  it('does not retry after an answer, or after a refusal with no Retry-After or one that is too long', async () => {
    for (const answer of [
      new Response('{}'),
      refusal(null),
      refusal('soon'),
      refusal(String(WAIT_S_MAX + 1)),
      refusal('1', 500),
      refusal('1', 404),
    ]) {
      const { asked, ask } = patient([answer]);
      expect(await asked()).toBe(answer);
      expect(ask).toHaveBeenCalledOnce();
    }
    expect((await patient([refusal('1', 429)]).asked()).status).toBe(200);
  });
  it('reports waiting while any request waits to be retried', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waits = [first.promise, second.promise];
    const patience = new Patience({ wait: () => waits.shift()!, random: () => 0 });
    const told: boolean[] = [];
    patience.subscribe(() => told.push(patience.isWaiting()));
    const asked = [0, 1].map(() => {
      const answers = [refusal('1')];
      return patience.ask(async () => answers.shift() ?? new Response('{}'));
    });
    await vi.waitFor(() => expect(told).toEqual([true]));
    first.resolve();
    await asked[0];
    expect(patience.isWaiting()).toBe(true);
    second.resolve();
    await asked[1];
    expect(told).toEqual([true, false]);
  });
});

describe('the API client', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('retries the request of a page, and never sends a change twice', async () => {
    const fetched: string[] = [];
    vi.stubGlobal('fetch', async (path: string, { method }: { method: string }) => {
      fetched.push(`${method} ${path}`);
      return fetched.filter((one) => one === `${method} ${path}`).length === 1 ? refusal('0') : new Response('{"n":1}');
    });
    expect(await get('/read')).toEqual({ n: 1 });
    for (const change of [post, put, del]) await expect(change('/change')).rejects.toMatchObject({ code: 'overloaded', status: 503 });
    expect(fetched).toEqual(['GET /read', 'GET /read', 'POST /change', 'PUT /change', 'DELETE /change']);
  });
});
