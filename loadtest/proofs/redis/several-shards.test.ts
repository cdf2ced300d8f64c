// What only happens where a command, or a transaction, has keys on several shards, or goes over the keys of all.

import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { RawClient, type Reply } from './raw-client.ts';
import { startTwoDoors, type TwoDoors } from './two-doors.ts';

vi.setConfig({ testTimeout: 60_000 });

let two: TwoDoors;
beforeAll(async () => {
  two = await startTwoDoors();
});
afterAll(() => two?.stop());

async function client(): Promise<RawClient> {
  const { host, port } = two.doors[0]!;
  const connection = await RawClient.to(`${host}:${port}`);
  onTestFinished(() => connection.close());
  return connection;
}

/** The replies as they came, each command after the reply before. */
async function replies(connection: RawClient, ...commands: string[]): Promise<string[]> {
  const raw: string[] = [];
  for (const command of commands) raw.push((await connection.ask(command.split(' '))).raw);
  return raw;
}
const textOf = ({ kind, line, bytes }: Reply): string => (kind === '$' ? bytes : `${kind}${line}`);
/** What EXEC answers, element by element. */
async function exec(connection: RawClient, ...commands: string[]): Promise<string[]> {
  await replies(connection, 'MULTI', ...commands);
  const { kind, line, elements } = await connection.ask(['EXEC']);
  return kind === '*' ? elements.map(textOf) : [`${kind}${line}`];
}
const CROSSSLOT = expect.stringMatching(/^-CROSSSLOT /);

test('a command in MULTI that needs a record which an earlier one has changed is refused, and the others take effect', async () => {
  const connection = await client();
  const [here, there] = two.keysNamed('needs');
  expect(await exec(connection, `INCR ${here}`, `SET ${there} x`, `INCR ${here}`)).toEqual([':1', '+OK', CROSSSLOT]);
  expect(await replies(connection, `GET ${here}`, `GET ${there}`)).toEqual(['$1\r\n1\r\n', '$1\r\nx\r\n']);
});

test('a command in MULTI that a record refuses ends the whole transaction', async () => {
  const connection = await client();
  const [here, there] = two.keysNamed('refused');
  await replies(connection, `SET ${there} text`);
  expect(await exec(connection, `INCR ${here}`, `INCR ${there}`)).toEqual(['-ERR value is not an integer or out of range']);
  expect(await replies(connection, `EXISTS ${here}`)).toEqual([':0\r\n']);
});

test('WATCH is refused for keys on several shards', async () => {
  const connection = await client();
  const [here, there] = two.keysNamed('watched');
  expect(await replies(connection, `WATCH ${here} ${there}`)).toEqual([CROSSSLOT]);
  expect(await replies(connection, `WATCH ${here}`, 'MULTI', `GET ${there}`, 'EXEC')).toEqual([
    '+OK\r\n',
    '+OK\r\n',
    '+QUEUED\r\n',
    CROSSSLOT,
  ]);
});

test('a command that answers with an error has changed nothing, also if it names a key twice', async () => {
  const connection = await client();
  const [here, there] = two.keysNamed('twice');
  const [answer] = await replies(connection, `MSET ${here} 1 ${there} 2 ${here} 3`);
  const stored = await replies(connection, `EXISTS ${here}`, `EXISTS ${there}`);
  expect([answer, ...stored]).toEqual(answer!.startsWith('-') ? [answer, ':0\r\n', ':0\r\n'] : ['+OK\r\n', ':1\r\n', ':1\r\n']);
  await replies(connection, `SET ${here} 1`, `SET ${there} 2`);
  const [deleted] = await replies(connection, `DEL ${here} ${there} ${here}`);
  const left = await replies(connection, `EXISTS ${here}`, `EXISTS ${there}`);
  expect([deleted, ...left]).toEqual(deleted!.startsWith('-') ? [deleted, ':1\r\n', ':1\r\n'] : [':2\r\n', ':0\r\n', ':0\r\n']);
});

test('SCAN in MULTI is answered in its place, wherever its cursor is', async () => {
  const connection = await client();
  const [here] = two.keysNamed('scanned');
  for (const cursor of [0, 9_000]) {
    await replies(connection, 'MULTI', `SET ${here} x`, `SCAN ${cursor}`, 'ECHO behind');
    const { elements } = await connection.ask(['EXEC']);
    expect([cursor, elements.length, textOf(elements[2]!)]).toEqual([cursor, 3, 'behind']);
    expect(connection.left).toBe('');
    expect(await replies(connection, 'PING')).toEqual(['+PONG\r\n']);
  }
});

test('SCAN, KEYS and MEMORY USAGE in MULTI over several shards are answered, and the gateway lives', async () => {
  const connection = await client();
  const [here, there] = two.keysNamed('walked');
  for (const command of ['SCAN 0', 'KEYS *', `MEMORY USAGE ${here}`]) {
    const answers = await exec(connection, `SET ${here} x`, `SET ${there} x`, command).catch((error: Error) => [error.message]);
    expect(answers.slice(0, 2), command).toEqual(['+OK', '+OK']);
  }
  expect(await replies(await client(), 'PING')).toEqual(['+PONG\r\n']);
});
