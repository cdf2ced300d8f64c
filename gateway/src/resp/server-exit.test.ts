// The server of the Redis door when its process or its thread ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { freePorts } from '../../../scripts/run/ports.js';

const url = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** A program that serves, says that it does, and ends as `end` says once it has been told something. */
const program = (port: number, end: string): string => `
  const { ShardHost } = await import(${url('../store/shard-host.ts')});
  const { RespServer } = await import(${url('./server.ts')});
  const host = new ShardHost({
    shard: 0, shards: 1, incarnation: 5, sessionLeaseMs: 60_000, phaseCapMs: 20, woundDelayMs: 20, woundGraceMs: 50, idleMs: 1_000,
    frameBytesMax: 65_536, outputBytesMax: 1_048_576, pollMicroseconds: 200,
    conditions: { locks: 'abstract', phasing: true, combining: 'auto' },
  });
  host.openDoor('', false);
  const server = new RespServer({ address: '127.0.0.1:${port}', bind: '', connectionsMax: Infinity }, { warn: () => {} });
  server.serve(host);
  await server.listen();
  const end = async () => { ${end} };
`;

const inThread = (port: number, end: string): Worker => {
  const code = `(async () => { ${program(port, end)}
    const { parentPort } = await import('node:worker_threads');
    parentPort.once('message', end);
    parentPort.postMessage('serves');
  })()`;
  return new Worker(code, { eval: true });
};

/** Clients that have been answered, and of which one has a long reply that it does not read. */
async function clientsOf(port: number): Promise<Socket[]> {
  const open = async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    socket.write('PING\r\n');
    expect(String((await once(socket, 'data'))[0])).toBe('+PONG\r\n');
    return socket;
  };
  const sockets = [await open(), await open()];
  sockets[1]!.pause();
  sockets[1]!.write(`ECHO ${'x'.repeat(60_000)}\r\n`.repeat(300));
  return sockets;
}

test.for(['terminate', 'process.exit(0)'])('a thread that serves may end: %s', async (how) => {
  const [port] = await freePorts(1);
  const worker = inThread(port!, 'process.exit(0)');
  await once(worker, 'message');
  const [client] = await clientsOf(port!);
  const exited = once(worker, 'exit');
  const closed = once(client!, 'close');
  if (how === 'terminate') void worker.terminate();
  else worker.postMessage('end', []);
  expect((await exited)[0]).toBe(how === 'terminate' ? 1 : 0);
  await closed;
});

test.for(['process.exit(7)', 'await server.close(); host.close(); process.stdin.destroy(); process.exitCode = 7;'])(
  'a process that serves may end: %s',
  async (end) => {
    const [port] = await freePorts(1);
    const code = `${program(port!, end)} process.stdin.once('data', end); console.log('serves');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill());
    await once(child.stdout, 'data');
    const [client] = await clientsOf(port!);
    const closed = once(client!, 'close');
    const exited = once(child, 'exit');
    child.stdin.write('end\n');
    expect(await exited).toEqual([7, null]);
    await closed;
  },
);
