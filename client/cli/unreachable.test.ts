// Every command where no gateway answers.

import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { freePorts } from '../../scripts/run/ports.js';
import { startCluster } from '../../gateway/src/testing/cluster.ts';
import { claret, type Given } from './testing.ts';

const fails = async (words: string[], given?: Given): Promise<{ code: number; err: string }> => {
  const { code, out, err } = await claret(words, given);
  expect(out).toBe('');
  return { code, err };
};

describe('a gateway that cannot be reached', () => {
  const away = (words: string[], address: string, timeoutS = 20) => fails([...words, '--gateway', address, '--timeout', String(timeoutS)]);

  test('is reported in a sentence by every command', async () => {
    const [port] = await freePorts(1);
    const expected = {
      code: 3,
      err: `claret: No gateway at 127.0.0.1:${port}.\n        Name one that is up with --gateway or CLARET_GATEWAY, or several with commas; \`npm start\` starts a demo.\n`,
    };
    for (const words of [
      ['get', 'x'],
      ['Set.add', 'a', 'b'],
      ['transact', 'Set.add a b'],
      ['watch', 'x'],
      ['top'],
      ['explain', 'x'],
      ['conditions'],
      ['shards'],
      ['backup', join(tmpdir(), 'claret-away')],
    ]) {
      expect(await away(words, `127.0.0.1:${port}`), words.join(' ')).toEqual(expected);
    }
  });

  test('that accepts connections but never answers makes no command hang', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const address = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    for (const words of [['get', 'x'], ['top', '--once'], ['conditions']]) {
      expect(await away(words, address, 1)).toMatchObject({
        code: 3,
        err: expect.stringContaining(`The gateway at ${address} did not answer within 1 s.`),
      });
    }
    silent.close();
  });

  test('is distinguished from another server at the address', async () => {
    const other = await startCluster(1);
    const { code, err } = await away(['shards'], other.gateways[0]!.member.grpc);
    expect({ code, err }).toMatchObject({ code: 3, err: expect.stringContaining('does not speak HTTP') });
    await other.close();
    expect((await away(['shards'], 'not an address')).code).toBe(2);
    expect((await fails(['shards', '--timeout', 'soon'])).code).toBe(2);
  });

  test('does not affect the other shards', async () => {
    const own = await startCluster(2);
    const env = { CLARET_GATEWAY: own.gateways[0]!.member.rest };
    const [here, there] = [own.keyOn(0, 'here'), own.keyOn(1, 'there')];
    await own.gateways[1]!.close();
    expect(await claret(['Counter.add', here, '1'], { env })).toEqual({ code: 0, out: 'ok\n', err: '' });
    expect(await fails(['Counter.add', there, '1', '--timeout', '1'], { env })).toMatchObject({ code: 3 });
    const { code, out, err } = await claret(['shards'], { env });
    expect(code).toBe(3);
    expect(out).toContain('no answer');
    expect(err).toContain('1 shard of 2 did not answer');
    await own.gateways[0]!.close();
  });
});
