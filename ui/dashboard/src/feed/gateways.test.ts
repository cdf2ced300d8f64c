import { describe, expect, it } from 'vitest';
import { Gateways, servingAddresses } from './gateways.ts';

const PATH = '/v1/telemetry/stream';

/** `answers`: by host; a number is a status, null is silence, and a host that is missing refuses connections. */
function begin(answers: Record<string, number | null>) {
  const asked: { host: string; headers: Record<string, string> }[] = [];
  const timers: (() => void)[] = [];
  const gateways = new Gateways({
    host: 'a:1',
    fetch: (url, { headers, signal }) => {
      const { host } = new URL(url, 'http://a:1');
      asked.push({ host, headers });
      const status = answers[host];
      if (status === undefined) return Promise.reject(new TypeError('Failed to fetch'));
      if (status !== null) return Promise.resolve(new Response(null, { status }));
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    },
    setTimeout: (run) => timers.push(run),
    clearTimeout: () => {},
  });
  const leaving = new AbortController();
  const open = (headers = {}) => gateways.open(PATH, { headers, signal: leaving.signal });
  return { gateways, answers, asked, leaving, open, hosts: () => asked.map(({ host }) => host), outOfPatience: () => timers.at(-1)!() };
}

describe('the gateways of a page', () => {
  it('asks its own alone while that answers, and when no other is known', async () => {
    const { gateways, open, hosts, answers } = begin({ 'a:1': 200 });
    gateways.learn(['a:1', 'b:1']);
    expect((await open()).status).toBe(200);
    expect(gateways.elsewhere).toBeNull();
    delete answers['a:1'];
    gateways.learn(['a:1']);
    await expect(open()).rejects.toThrow('Failed to fetch');
    expect(hosts()).toEqual(['a:1', 'a:1']);
  });

  it('asks the others in turn, and stays with the one that answers until the next connection', async () => {
    const { gateways, open, hosts, answers } = begin({ 'c:1': 200 });
    gateways.learn(['b:1', 'c:1']);
    expect((await open()).status).toBe(200);
    expect(gateways.elsewhere).toBe('c:1');
    await gateways.fetch('/v1/telemetry/history', { headers: {}, signal: new AbortController().signal });
    expect(hosts()).toEqual(['a:1', 'b:1', 'c:1', 'c:1']);
    answers['a:1'] = 200;
    await open();
    expect(gateways.elsewhere).toBeNull();
  });

  it('gives up one that is silent, if another one is left', async () => {
    const { gateways, open, hosts, outOfPatience } = begin({ 'a:1': null, 'b:1': 200 });
    gateways.learn(['b:1']);
    const opened = open();
    outOfPatience();
    expect((await opened).status).toBe(200);
    expect(hosts()).toEqual(['a:1', 'b:1']);
  });

  it('starts with those that it has not asked the next time, so that each gets its turn', async () => {
    const { gateways, open, hosts, answers, leaving } = begin({ 'c:1': null });
    gateways.learn(['b:1', 'c:1', 'd:1']);
    const opened = open();
    await new Promise((resolve) => setImmediate(resolve));
    leaving.abort();
    await expect(opened).rejects.toThrow('Failed to fetch');
    expect(hosts()).toEqual(['a:1', 'b:1', 'c:1']);
    answers['e:1'] = 200;
    gateways.learn(['b:1', 'c:1', 'd:1', 'e:1']);
    await gateways.open(PATH, { headers: {}, signal: new AbortController().signal });
    expect(hosts().slice(3)).toEqual(['a:1', 'e:1']);
    delete answers['e:1'];
    answers['b:1'] = 200;
    await gateways.open(PATH, { headers: {}, signal: new AbortController().signal });
    expect(hosts().slice(5)).toEqual(['a:1', 'e:1', 'd:1', 'b:1']);
  });

  it('reports the refusal of its own before that of others', async () => {
    const { gateways, open } = begin({ 'a:1': 503, 'b:1': 404 });
    gateways.learn(['b:1']);
    expect((await open()).status).toBe(503);
  });

  it('sends the id of the last event to its own alone', async () => {
    const { gateways, open, asked, answers } = begin({ 'b:1': 200 });
    gateways.learn(['b:1']);
    await open({ accept: 'text/event-stream', 'last-event-id': '0-7' });
    expect(asked.map(({ headers }) => Object.keys(headers))).toEqual([['accept', 'last-event-id'], ['accept']]);
    expect(await gateways.isOwnBack()).toBe(false);
    answers['a:1'] = 503;
    expect(await gateways.isOwnBack()).toBe(false);
    answers['a:1'] = 200;
    expect(await gateways.isOwnBack()).toBe(true);
  });

  it('are those that serve: owners that renew their leases, and standbys', () => {
    const owner = (rest_address: string, present: boolean) => ({
      shard: 0,
      address: '',
      rest_address,
      incarnation: 1,
      since_ms: 0,
      present,
    });
    expect(
      servingAddresses({
        owners: [owner('a:1', true), owner('b:1', false)],
        standbys: [{ address: '', rest_address: 'c:1', follows: [] }],
      }),
    ).toEqual(['a:1', 'c:1']);
  });
});
