// What only happens where a command, or a transaction, has keys on several shards, or goes over the keys of all.

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { RawClient, type Reply } from './raw-client.ts';
import { startTwoDoors, type TwoDoors } from './two-doors.ts';

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

test('a command in MULTI that needs a record which an earlier one has changed is refused, and none takes effect', async () => {
  const connection = await client();
  const [here, there] = two.keysNamed('needs');
  expect(await exec(connection, `INCR ${here}`, `SET ${there} x`, `INCR ${here}`)).toEqual([CROSSSLOT]);
  expect(await replies(connection, `EXISTS ${here}`, `EXISTS ${there}`)).toEqual([':0\r\n', ':0\r\n']);
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

/** A command with keys on both shards, or one that MULTI runs with one on the other shard; what is there before; what tells what is there. */
const STEPS: readonly { command: string; beside?: string[]; before?: string[]; look: string[] }[] = [
  { command: 'MSET HERE 1 THERE 2 HERE 3', look: ['GET HERE', 'GET THERE'] },
  { command: 'DEL HERE THERE HERE', before: ['SET HERE 1', 'SET THERE 2'], look: ['GET HERE', 'GET THERE'] },
  { command: 'SUNIONSTORE HERE HERE THERE', before: ['SADD HERE a', 'SADD THERE b'], look: ['SMEMBERS HERE'] },
  { command: 'MSET HERE 1 THERE 2', before: ['SADD HERE a'], look: ['TYPE HERE', 'GET THERE'] },
  { command: 'SET HERE x EX 1000', beside: ['INCR THERE'], look: ['GET HERE', 'TTL HERE'] },
  { command: 'SETEX HERE 1000 x', beside: ['INCR THERE'], look: ['GET HERE', 'TTL HERE'] },
  { command: 'ZADD HERE 1 a 2 b', beside: ['INCR THERE'], look: ['ZRANGE HERE 0 -1'] },
  { command: 'PFADD HERE a b', beside: ['INCR THERE'], look: ['PFCOUNT HERE'] },
];

test.each(STEPS)('over both shards "$command" does what it does on one, or is answered with an error and does nothing', async (step) => {
  const connection = await client();
  const [here, there] = two.keysNamed(step.command.replaceAll(/\W+/g, '-'));
  /** What the command is answered, and what is there then. `isRun`: false if only what is before it is done. */
  const tryOn = async (left: string, right: string, isRun: boolean): Promise<{ answer: string; found: string[] }> => {
    const put = (words: string) => words.replaceAll(/\b(?:T?)HERE\b/g, (key) => (key === 'HERE' ? left : right));
    await replies(connection, `DEL ${left}`, `DEL ${right}`, ...(step.before ?? []).map(put));
    const commands = [step.command, ...(step.beside ?? [])].map(put);
    const run = async () =>
      step.beside === undefined ? (await replies(connection, ...commands))[0]! : (await exec(connection, ...commands))[0]!;
    return { answer: isRun ? await run() : '', found: await replies(connection, ...step.look.map(put)) };
  };
  const onOne = [`{${here}}:1`, `{${here}}:2`] as const;
  const [changed, untouched] = [await tryOn(...onOne, true), await tryOn(...onOne, false)];
  const { answer, found } = await tryOn(here, there, true);
  expect({ answer, found }).toEqual({ answer, found: (answer.startsWith('-') ? untouched : changed).found });
});

test('what goes over all keys is refused in MULTI, and the gateway lives', async () => {
  const connection = await client();
  const [here, there] = two.keysNamed('walked');
  for (const command of ['SCAN 0', 'SCAN 9000', 'KEYS *']) {
    expect(await exec(connection, `SET ${here} x`, `SET ${there} x`, command)).toEqual([expect.stringMatching(/^-EXECABORT /)]);
  }
  expect(await exec(connection, `SET ${here} x`, `SET ${there} x`, `MEMORY USAGE ${here}`)).toEqual([CROSSSLOT]);
  expect(await replies(await client(), 'PING', `EXISTS ${here}`)).toEqual(['+PONG\r\n', ':0\r\n']);
});

// The last one: it leaves the second gateway dead.
test('a gateway that dies while it has writing commands of a client ends the connection, nothing behind them is answered, and no transaction is run', async () => {
  const { host, port } = two.doors[0]!;
  const connections = await Promise.all([0, 1].map(() => RawClient.to(`${host}:${port}`)));
  const [here, there] = two.keysNamed('dies');
  for (const connection of connections) expect(await replies(connection, `INCR ${there}`)).toHaveLength(1);
  two.signal(1, 'SIGSTOP');
  const asked = connections.map((connection, i) =>
    connection.askAll([
      ['INCR', there],
      ...(i === 0 ? [['MULTI'], ['SET', here, 'behind'], ['EXEC']] : [['INCR', there], ['MULTI'], ['PING']]),
    ]),
  );
  two.signal(1, 'SIGKILL');
  for (const answers of await Promise.all(asked))
    expect(answers.map((answer) => answer?.raw)).toEqual([undefined, undefined, undefined, undefined]);
  const other = await RawClient.to(`${host}:${port}`);
  onTestFinished(() => other.close());
  expect(await replies(other, `EXISTS ${here}`)).toEqual([':0\r\n']);
});
