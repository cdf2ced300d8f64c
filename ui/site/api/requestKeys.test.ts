import { describe, expect, it } from 'vitest';
import { newRequestKey, RequestKeys, timeOfRequestKey, type Failure } from './requestKeys.ts';

class Server {
  readonly keys: string[] = [];
  readonly answers: PromiseWithResolvers<string>[] = [];
  readonly #requests: RequestKeys;

  constructor() {
    let next = 1;
    this.#requests = new RequestKeys(() => `key-${next++}`);
  }

  post(what = 'bid 12'): Promise<string> {
    return this.#requests.send(
      what,
      (key) => {
        this.keys.push(key);
        this.answers.push(Promise.withResolvers());
        return this.answers.at(-1)!.promise;
      },
      { of: (thrown) => thrown as Failure, stillUnclear: () => 'who knows' },
    );
  }

  /** The error that the caller gets if the request fails this way. */
  told(failure: Failure): Promise<unknown> {
    const sent = this.post().catch((thrown: unknown) => thrown);
    this.answers.at(-1)!.reject(failure);
    return sent;
  }

  /** Sends the request and lets it fail this way; undefined: lets it succeed. */
  async ends(failure?: Failure, what?: string): Promise<string> {
    const sent = this.post(what).catch(() => undefined);
    if (failure === undefined) this.answers.at(-1)!.resolve('done');
    else this.answers.at(-1)!.reject(failure);
    await sent;
    return this.keys.at(-1)!;
  }
}

describe("a request's key", () => {
  it('is new for each change, and for the same change after its answer', async () => {
    const server = new Server();
    expect([await server.ends(), await server.ends(undefined, 'bid 13'), await server.ends()]).toEqual(['key-1', 'key-2', 'key-3']);
  });

  it('is the same for a double click', async () => {
    const server = new Server();
    const both = [server.post(), server.post()];
    expect(server.keys).toEqual(['key-1', 'key-1']);
    server.answers[0]!.resolve('done');
    await both[0];
    const third = server.post();
    expect(server.keys[2]).toBe('key-1');
    for (const answer of server.answers) answer.resolve('done');
    await Promise.all([...both, third]);
    expect(await server.ends()).toBe('key-2');
  });

  it('stays after a lost answer, until the server has stated the outcome', async () => {
    const server = new Server();
    const keys = [
      await server.ends('unclear'),
      await server.ends('undone'),
      await server.ends('unclear'),
      await server.ends('undone'),
      await server.ends(),
    ];
    expect(new Set(keys)).toEqual(new Set(['key-1']));
    expect(await server.ends('unclear')).toBe('key-2');
    expect([await server.ends('refused'), await server.ends()]).toEqual(['key-2', 'key-3']);
  });

  it('is given up once it has expired', async () => {
    const server = new Server();
    expect([await server.ends('unclear'), await server.ends('expired'), await server.ends()]).toEqual(['key-1', 'key-1', 'key-2']);
    await server.ends('unclear');
    expect(await server.told('expired')).toBe('expired');
  });

  it('tells when it was made', () => {
    const at_ms = 1_796_047_803_500;
    const keys = Array.from({ length: 1_000 }, () => newRequestKey(at_ms));
    expect(new Set(keys).size).toBe(1_000);
    expect(new Set(keys.map(timeOfRequestKey))).toEqual(new Set([at_ms]));
    for (const other of ['', 'key', crypto.randomUUID(), `${keys[0]}0`]) expect(timeOfRequestKey(other)).toBeNull();
  });

  it('decides the reported error: a request without effect is reported as unclear after one whose answer was lost', async () => {
    const server = new Server();
    expect([
      await server.told('undone'),
      await server.told('unclear'),
      await server.told('undone'),
      await server.told('refused'),
      await server.told('undone'),
    ]).toEqual(['undone', 'unclear', 'who knows', 'refused', 'undone']);
  });

  it('is dropped when the request certainly had no effect', async () => {
    const server = new Server();
    expect([await server.ends('undone'), await server.ends('refused'), await server.ends()]).toEqual(['key-1', 'key-2', 'key-3']);
  });

  it('is kept for a limited number of requests', async () => {
    const server = new Server();
    for (let i = 0; i < 101; i++) await server.ends('unclear', `bid ${i}`);
    expect([await server.ends('unclear', 'bid 100'), await server.ends('unclear', 'bid 0')]).toEqual(['key-101', 'key-102']);
  });
});
