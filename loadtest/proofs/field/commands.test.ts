// Reports about commands of Redis clients, tried at a door of two shards.
import { connect, type Claret } from '@claret/client';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startCluster, type TestCluster } from '../../../gateway/src/testing/cluster.ts';
import { RawClient, type Reply } from '../redis/raw-client.ts';

const PATIENT_MS = 150_000;

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await startCluster(2, { doors: true, transactionMs: PATIENT_MS });
});
afterAll(() => cluster.close());

async function door(): Promise<RawClient> {
  const connection = await RawClient.to(cluster.gateways[0]!.member.resp!);
  onTestFinished(() => connection.close());
  return connection;
}

const words = (command: string): string[] => command.split(' ');

/** What is at a key before. */
const STATES = ['DEL KEY', 'SET KEY 1', 'HSET KEY f 1', 'SADD KEY a', 'ZADD KEY 1 a', 'RPUSH KEY a'];
/** With keys on two shards. */
const COMMANDS = [
  ...['MGET A B', 'MSET A 1 B 2', 'MSETNX A 1 B 2', 'EXISTS A B', 'SINTER A B', 'SUNIONSTORE A A B', 'SDIFFSTORE B A B', 'SMOVE A B a'],
  ...['LMOVE A B LEFT RIGHT', 'PFCOUNT A B', 'RENAME A B', 'COPY A B', 'UNLINK A B', 'BITOP AND A A B'],
];
const TRANSACTIONS = [
  'SCARD A, GET A, GET B',
  'INCR A, INCR B',
  'HGET A f, ZSCORE A a, LLEN B',
  'EXPIRE A 100, PERSIST B',
  'SPOP A, GETDEL B',
];

// Nordix/hiredis-cluster#106: commands that can never succeed were tried again and again. An error that asks for that has to be about others.
test('with nothing in its way no command is told to try again', async () => {
  const connection = await door();
  const keys = { A: cluster.keyOn(0, 'here'), B: cluster.keyOn(1, 'there') };
  const put = (command: string) => words(command).map((word) => (word === 'A' || word === 'B' ? keys[word] : word));
  const told: string[] = [];
  for (const here of STATES) {
    for (const there of STATES) {
      const before = [`DEL A`, `DEL B`, here.replace('KEY', 'A'), there.replace('KEY', 'B')].map(put);
      const single = COMMANDS.map((command) => [...before, put(command)]);
      const whole = TRANSACTIONS.map((commands) => [...before, ['MULTI'], ...commands.split(', ').map(put), ['EXEC']]);
      for (const commands of [...single, ...whole]) {
        const last = (await connection.askAll(commands)).at(-1);
        if (last === undefined || last.line.startsWith('TRYAGAIN'))
          told.push(`${here}, ${there}: ${commands.slice(4).join('; ')}: ${last?.line}`);
      }
    }
  }
  expect(told).toEqual([]);
});

/** Commands that servers have answered once too often, or not. */
const AWKWARD = [
  'AUTH someone wrong',
  'HELLO 3 AUTH someone wrong',
  'HELLO 9',
  'SELECT 1',
  'NOTHING',
  'GET',
  'CLIENT REPLY ON',
  'INCR text',
];

// redis/redis#15640: after a command of the same pipeline a failing AUTH had no reply, so each reply after it was taken for that of the
// command before. valkey-io/valkey#1268: EXEC announced more replies than it sent if CLIENT REPLY OFF was among its commands.
test('each command of a pipeline has one reply, whatever is among them', async () => {
  const connection = await door();
  await connection.ask(words('SET text abc'));
  for (const awkward of AWKWARD) {
    const plain = await connection.askAll([['ECHO', 'before'], words(awkward), ['ECHO', 'behind']]);
    expect([plain[0]?.bytes, plain[2]?.bytes], awkward).toEqual(['before', 'behind']);
  }
  for (const awkward of [...AWKWARD, 'CLIENT REPLY OFF', 'CLIENT REPLY SKIP']) {
    const replies = await connection.askAll([
      ['MULTI'],
      ['ECHO', 'before'],
      words(awkward),
      ['ECHO', 'behind'],
      ['EXEC'],
      ['ECHO', 'after'],
    ]);
    const [, , , , exec, after] = replies as Reply[];
    expect(after?.bytes, awkward).toBe('after');
    const queued = replies.slice(1, 4).filter((reply) => reply?.line === 'QUEUED').length;
    expect(exec!.kind === '*' ? exec!.elements.length : exec!.line, awkward).toEqual(
      queued === 3 ? 3 : expect.stringMatching(/^EXECABORT /),
    );
  }
  expect(connection.left).toBe('');
});

/** Each names a hundred keys of both shards, of which one is hot. */
const WIDE: Record<string, (claret: Claret, connection: RawClient, keys: readonly string[]) => Promise<unknown>> = {
  'a list of changes': (claret, _, keys) =>
    claret.transact(
      'Wide',
      keys.map((key) => claret.on.register(key).set('wide')),
    ),
  'a list of reads': (claret, _, keys) =>
    claret.transact(
      'Wide',
      keys.map((key) => claret.on.register(key).get()),
    ),
  'a body': (claret, _, keys) =>
    claret.transaction('Wide', async (tx) => {
      for (const key of keys) await tx.register(key).exchange('wide');
    }),
  'a snapshot': (claret, _, keys) =>
    claret.transaction('Wide', async (tx) => void (await Promise.all(keys.map((key) => tx.register(key).get()))), {
      isolation: 'snapshot',
    }),
  MGET: (_, connection, keys) => repliesTo(connection, ['MGET', ...keys]),
  MSET: (_, connection, keys) => repliesTo(connection, ['MSET', ...keys.flatMap((key) => [key, 'wide'])]),
  EXEC: (_, connection, keys) => repliesTo(connection, ['MULTI'], ...keys.map((key) => ['SET', key, 'wide']), ['EXEC']),
};

async function repliesTo(connection: RawClient, ...commands: string[][]): Promise<void> {
  expect((await connection.askAll(commands)).at(-1)?.kind).toMatch(/[+*]/);
}

// cockroachdb/cockroach#628: a transaction that writes a hundred keys, with many writers of the same keys beside it, has to commit in the end.
test('what is wide gets through beside those who write one of its records all the time', async () => {
  const connection = await door();
  const [wide, narrow] = await Promise.all(
    ['wide', 'narrow'].map((name) => connect({ addresses: [cluster.gateways[1]!.member.grpc], name, timeoutMs: PATIENT_MS })),
  );
  const keys = Array.from({ length: 100 }, (_, i) => cluster.keyOn(i % 2, `wide-${i}`));
  let isOver = false;
  const writers = [keys[50]!, keys[51]!].flatMap((hot) => [
    async () => {
      while (!isOver) await narrow!.transact('Narrow', [narrow!.on.register(hot).set('narrow')]);
    },
    async () => {
      while (!isOver) await narrow!.transaction('NarrowBody', async (tx) => void (await tx.register(hot).exchange('narrow')));
    },
  ]);
  const writing = Promise.all(writers.map((write) => write()));
  try {
    for (const [name, run] of Object.entries(WIDE)) await expect(run(wide!, connection, keys), name).resolves.not.toThrow();
  } finally {
    isOver = true;
    await writing;
    await Promise.all([wide!.close(0), narrow!.close(0)]);
  }
});
