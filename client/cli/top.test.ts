// `claret top` beside a client whose transactions are sent whole, and beside a gateway that dies.
import { connectForTests } from '@claret/client/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster as startProcesses } from '../../scripts/cluster.js';
import { startCluster, type TestCluster } from '../../gateway/src/testing/cluster.ts';
import { claret } from './testing.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2);
});
afterAll(() => cluster.close());

const top = async () => {
  const { out } = await claret(['top', '--once'], { env: { CLARET_GATEWAY: cluster.gateways[0]!.member.rest }, columns: 120 });
  return out;
};

test('top has a column for members of chains while there are any', async () => {
  expect(await top()).not.toContain('members/s');
  const crowd = await connectForTests({ addresses: cluster.gateways.map(({ member }) => member.grpc), combining: 'always' });
  let runs = true;
  const adding = (async () => {
    while (runs) {
      await crowd.transact('Add', [crowd.on.counter('crowd').add(1)]);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  await expect.poll(top).toMatch(/members\/s {2}commits\/s/);
  runs = false;
  await adding;
  await crowd.close();
});

test('top says that its gateway has gone away, and goes on when it is back', async () => {
  const processes = await startProcesses({ shards: 1, restarts: {} });
  const end = new AbortController();
  const pictures: string[] = [];
  const [gateway] = processes.gateways;
  const env = { CLARET_GATEWAY: gateway!.rest };
  try {
    const lines: string[] = [];
    const given = { interrupted: end.signal, env };
    const drawing = claret(['top', '--no-color'], { ...given, isTerminal: true, pictures });
    const printing = claret(['top'], { ...given, onOut: (text) => lines.push(text) });
    await expect.poll(() => pictures.length > 0 && lines.length > 0).toBe(true);
    process.kill(gateway!.pid, 'SIGKILL');
    const hasGone = /^claret top[^]*\nThe gateway at \S+ (broke off: .*|has gone away)\. Trying again\.$/;
    await expect.poll(() => pictures.some((picture) => hasGone.test(picture))).toBe(true);
    const before = lines.length;
    await expect.poll(() => pictures.some((picture) => picture.endsWith('The gateway is back.'))).toBe(true);
    await expect.poll(() => lines.length).toBeGreaterThan(before);
    expect(pictures.at(-1)).toMatch(/^claret top/);
    end.abort();
    expect((await drawing).code).toBe(0);
    const { code, err } = await printing;
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(/^claret: The gateway at .* Trying again\.\nclaret: The gateway is back\.\n$/),
    });
  } finally {
    end.abort();
    await processes.stop();
  }
});

test('explain waits no longer than --timeout says', async () => {
  const env = { CLARET_GATEWAY: cluster.gateways[0]!.member.rest };
  const { code, err } = await claret(['explain', 'Nothing', '--timeout', '5'], { env });
  expect([code, err]).toEqual([1, expect.stringContaining('No transaction Nothing was seen within 5 s.')]);
});
