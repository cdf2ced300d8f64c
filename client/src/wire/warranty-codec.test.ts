// The messages of warranties, compared with the published contract.

import { expect, it } from 'vitest';
import { operationSpecs } from '../generated/handles.ts';
import * as frames from './client-frame.ts';
import { claretService } from './contract.ts';
import { ServerFrameReader, type FrameHandler } from './server-frame.ts';
import { writeFirmWanted, writeReturned, writeUsed } from './warranty-writer.ts';
import { bigOf, type Wide } from './wide.ts';
import { FrameWriter } from './writer.ts';

/** The parts of a handler: here one handler has them all. */
const PARTS = new Set(['chains', 'warranties', 'natives']);

const { requestDeserialize, responseSerialize } = claretService['Session']!;
const LARGE: Wide = { high: 2 ** 31 + 5, low: 2 ** 32 - 1 };
const digest = Uint8Array.from({ length: 16 }, (_, i) => 255 - i);
const call = { spec: operationSpecs.get('TopK.top')!, key: 'k', args: [5] };

it('a client frame is read by protobufjs with the same values', () => {
  const out = new FrameWriter();
  frames.writeHello(out, 'app', null, null, true);
  writeUsed(out, { upTo: LARGE, answers: 300, commits: 0 });
  writeReturned(out, { grant: 2 ** 40, uses: 7 });
  writeReturned(out, { grant: 1, uses: 0 });
  writeFirmWanted(out, { grant: 2 ** 40, forMs: 3_000 });
  const request = frames.beginRequest(out, 1, 0);
  frames.writeOperation(out, frames.REQUEST_OPERATION, call, false, 1);
  frames.writeOperation(out, frames.REQUEST_OPERATION, call, false, 1, digest);
  frames.writeOperation(out, frames.REQUEST_OPERATION, call);
  frames.writePrepare(out, [], false, null, { notBefore: LARGE, notAfter: { high: 1, low: 2 }, notAfterUs: 2 ** 52 }, 3);
  out.end(request);
  const frame = requestDeserialize(Buffer.from(out.take())) as any;
  expect(frame.hello).toMatchObject({ name: 'app', warranties: true });
  expect(frame.used).toEqual({ upTo: String(bigOf(LARGE)), answers: 300, commits: 0 });
  expect(frame.returned).toEqual([
    { grant: String(2 ** 40), uses: 7 },
    { grant: '1', uses: 0 },
  ]);
  expect(frame.firmWanted).toEqual([{ grant: String(2 ** 40), forMs: 3_000 }]);
  expect(frame.requests[0].operations.map(({ warrant, expect: expected }: any) => [warrant, expected])).toEqual([
    [1, Buffer.alloc(0)],
    [1, Buffer.from(digest)],
    [0, Buffer.alloc(0)],
  ]);
  expect(frame.requests[0].prepare).toMatchObject({
    notBefore: String(bigOf(LARGE)),
    notAfter: String(2n ** 32n + 2n),
    notAfterUs: String(2 ** 52),
    warranted: 3,
  });
});

it('a server frame written by protobufjs is read with the same values', () => {
  const calls: unknown[] = [];
  const tell =
    (name: string) =>
    (...args: unknown[]) =>
      void calls.push([name, ...structuredClone(args)]);
  const handler = new Proxy({}, { get: (_, name, all) => (PARTS.has(String(name)) ? all : tell(String(name))) }) as FrameHandler;
  const granted = [
    { grant: String(2 ** 40), operation: 0, from: String(bigOf(LARGE)), digest: Buffer.from(digest) },
    { grant: '0', operation: 300, from: '0', digest: Buffer.from(digest) },
  ];
  const frame = {
    sequence: '1',
    welcome: { protocol: 1, shard: 2, incarnation: '3', sessionLeaseMs: 5000, warrantyTermMs: 1000, warrantyEvidence: 2 },
    replies: [{ attempt: '4', granted }, { attempt: '5' }],
    standing: { now: '6', until: String(bigOf(LARGE)), clockUs: String(2 ** 52) },
    recalls: [{ grant: '7', priority: String(2n ** 64n - 1n) }],
    firm: [{ grant: '8', forUs: '3000000' }, { grant: '9' }],
  };
  new ServerFrameReader().read(responseSerialize(frame), handler);
  expect(calls).toMatchObject([
    ['onWelcome', { shard: 2, warrantyTermMs: 1000, warrantyEvidence: 2 }],
    [
      'onReply',
      {
        attempt: 4,
        granted: [
          { grant: 2 ** 40, operation: 0, from: LARGE, digest },
          { grant: 0, operation: 300, from: { high: 0, low: 0 }, digest },
        ],
      },
    ],
    ['onReply', { attempt: 5, granted: [] }],
    ['onStanding', { now: { high: 0, low: 6 }, until: LARGE, clockUs: 2 ** 52 }],
    ['onRecall', 7, { high: 2 ** 32 - 1, low: 2 ** 32 - 1 }],
    ['onFirm', 8, 3_000_000],
    ['onFirm', 9, 0],
  ]);
});
