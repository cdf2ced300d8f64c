// Real NATS servers for tests, and logs on them. Where nats-server is not installed, such tests are skipped.
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NatsServers } from '../../../../scripts/nats/servers.js';
import { findNatsServer } from '../../../../scripts/setup/nats-server.js';
import type { LogTrouble, OpenedLog } from '../log.ts';
import { readAll } from '../sample.ts';
import type { Kept } from '../sample.ts';
import { connectNats } from './connection.ts';
import type { Nats, NatsAccess } from './connection.ts';
import { namesOf } from './names.ts';
import type { StreamNames } from './names.ts';
import { openJetStreamLog } from './open-jetstream-log.ts';
import type { JetStreamLogOptions } from './open-jetstream-log.ts';

/** null: it is not installed (`npm test` installs it where there is Go) */
export const natsServer: string | null = await findNatsServer();

export const accessTo = ({ addresses, token }: NatsServers): NatsAccess => ({ servers: addresses, token, optionsFile: '' });

export interface OpenedTestLog extends OpenedLog {
  contents: Kept;
  /** what was told, in order */
  troubles: (LogTrouble | null)[];
}

/** On a busy machine a server may be late with an answer, which is told as well, and gets over it. */
export const failuresIn = (troubles: readonly (LogTrouble | null)[]) => troubles.filter((trouble) => trouble?.kind === 'failed');

/** The streams of one shard. */
export interface TestStreams {
  names: StreamNames;
  clusterName: string;
  /** a connection for looking at the streams, and for damaging them */
  nats: Nats;
  /** Opens the log as the next start does, and reads its contents. */
  open(change?: Partial<JetStreamLogOptions>): Promise<OpenedTestLog>;
  remove(): Promise<void>;
}

let clusters = 0;

export async function makeStreams(servers: NatsServers): Promise<TestStreams> {
  const clusterName = `test-${++clusters}`;
  const names = namesOf(clusterName, 0);
  const dir = await mkdtemp(join(tmpdir(), 'claret-jetstream-'));
  const nats = await connectNats(accessTo(servers), 'test');
  let starts = 0;
  return {
    names,
    clusterName,
    nats,
    async open(change = {}) {
      const troubles: (LogTrouble | null)[] = [];
      starts++;
      const opened = await openJetStreamLog({
        access: accessTo(servers),
        replicas: 3,
        clusterName,
        shard: 0,
        shards: 2,
        incarnation: starts,
        mirrorDir: join(dir, `mirror-${starts}`),
        onTrouble: (trouble) => void troubles.push(trouble),
        ...change,
      });
      const contents = await readAll(opened.kept).catch(async (error: unknown) => {
        await opened.log.close();
        throw error;
      });
      return { ...opened, contents, troubles };
    },
    async remove() {
      for (const { stream } of [names.log, names.checkpoint]) await nats.jsm.streams.delete(stream).catch(() => {});
      await nats.connection.close();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** The object with some of its members replaced. */
export const replacing = <T extends object>(object: T, members: Partial<T>): T =>
  new Proxy(object, { get: (target, name) => (name in members ? Reflect.get(members, name) : Reflect.get(target, name)) as unknown });

/** A pipe to a server on this machine that can withhold its answers, be broken off, and let nobody in. */
export async function startPipe(to: number) {
  const pairs = new Set<[Socket, Socket]>();
  let deaf = false;
  let shut = false;
  const server = createServer((client) => {
    if (shut) return void client.destroy();
    const upstream = createConnection(to, '127.0.0.1');
    pairs.add([client, upstream]);
    client.on('data', (bytes) => void upstream.write(bytes));
    upstream.on('data', (bytes) => void (deaf || client.write(bytes)));
    for (const socket of [client, upstream])
      socket
        .on('error', () => {})
        .on('close', () => {
          client.destroy();
          upstream.destroy();
        });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const breakOff = (): void => {
    deaf = false;
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    pairs.clear();
  };
  return {
    port: (server.address() as AddressInfo).port,
    deafen: () => void (deaf = true),
    breakOff,
    /** until `open` */
    shut: () => {
      shut = true;
      breakOff();
    },
    open: () => void (shut = false),
    close: () => {
      breakOff();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
