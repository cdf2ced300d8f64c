// The messages of chains, compared with the published contract.

import { expect, it } from 'vitest';
import { operationSpecs } from '../generated/handles.ts';
import * as chains from './chain-writer.ts';
import * as frames from './client-frame.ts';
import { claretService } from './contract.ts';
import { ServerFrameReader, type FrameHandler } from './server-frame.ts';
import type { Wide } from './wide.ts';
import { FrameWriter } from './writer.ts';

/** The parts of a handler: here one handler has them all. */
const PARTS = new Set(['chains', 'warranties', 'natives']);

const { requestDeserialize, responseSerialize } = claretService['Session']!;
const LONG = 'k'.repeat(300);

it('a client frame is read by protobufjs with the same values', () => {
  const out = new FrameWriter();
  const call = { spec: operationSpecs.get('TopK.top')!, key: LONG, args: [5] };
  for (const [n, ends, turn, timed] of [
    [1, true, null, false],
    [2 ** 40, false, { high: 2 ** 31, low: 7 }, true],
  ] as const) {
    const member = chains.beginMember(out, 2 ** 33, n);
    const request = frames.beginRequest(out, 3, 0, chains.MEMBER_REQUEST);
    frames.writeOperation(out, frames.REQUEST_OPERATION, call);
    out.end(request);
    chains.endMember(out, member, ends, turn, timed);
  }
  chains.writeWithdrawn(out, 2 ** 33, 5, 6);
  chains.writeWord(out, 2 ** 34, [1, 300], 2 ** 35);
  const batch = chains.beginBatch(out, 2 ** 34, [2, 301], 2 ** 36, { first: 1, last: 2 ** 38 });
  const prepare = frames.beginRequest(out, 4, 0, chains.BATCH_REQUEST);
  frames.writePrepare(out, [0, 2], false);
  out.end(prepare);
  out.end(batch);
  chains.writeChain(out, 2 ** 37);
  chains.writeTurn(out, 'want');
  chains.writePeek(out, 7, call, { high: 2 ** 31, low: 9 });
  chains.writePeek(out, 8, call, { high: 0, low: 0 });
  chains.writeBoards(out, false);
  const operation = { key: LONG, code: call.spec.code, arguments: [{ kind: 'integer', integer: '5' }] };
  const chain = String(2 ** 33);
  expect(requestDeserialize(Buffer.from(out.take()))).toMatchObject({
    members: [
      { chain, n: '1', ends: true, turn: '0', timed: false, request: { attempt: '3', operations: [operation] } },
      {
        chain,
        n: String(2 ** 40),
        ends: false,
        turn: String(((2n ** 31n) << 32n) | 7n),
        timed: true,
        request: { attempt: '3', operations: [operation] },
      },
    ],
    withdrawn: [{ chain, n: '5', count: '6' }],
    batches: [
      {
        chain: String(2 ** 34),
        members: ['2', '301'],
        answers: String(2 ** 36),
        first: '1',
        last: String(2 ** 38),
        request: { attempt: '4', prepare: { participants: [0, 2] } },
      },
    ],
    chain: String(2 ** 37),
    turn: 'WANT',
    words: [{ chain: String(2 ** 34), members: ['1', '300'], answers: String(2 ** 35) }],
    peeks: [
      { ticket: '7', operation, at: String(((2n ** 31n) << 32n) | 9n) },
      { ticket: '8', operation, at: '0' },
    ],
    boards: false,
  });
});

it('a server frame written by protobufjs is read with the same values', () => {
  const calls: unknown[] = [];
  const handler = new Proxy({} as FrameHandler, {
    get: (_, name, all) => (PARTS.has(String(name)) ? all : (message: unknown) => calls.push([name, message])),
  });
  const error = {
    code: 'denied',
    message: 'm',
    key: 'k',
    operation: 'Set.size',
    blockingOperation: 'Set.add',
    blockingLabel: 'Bid',
    retryable: true,
    cause: 'lock_wait',
    retryAfterMs: 0,
    at: { high: 0, low: 0 },
  };
  const wires = [{ integer: '-7' }, {}, { text: 'x' }, { list: { items: [{ number: 0.5 }, { boolean: true }] } }];
  const values = [-7, null, 'x', [0.5, true]];
  const frame = {
    members: [
      { chain: String(2 ** 40), n: '3', withdrawals: '4', results: wires, waited: { microseconds: 5, locks: 1 }, above: true },
      { chain: '1', n: '2', error },
      { chain: '1', n: '3', committedAt: String(2n ** 63n) },
      { chain: '1', n: '4', at: '6' },
    ],
    broken: [{ chain: '1', decided: '2', error, reason: 'displaced' }],
    committed: [{ chain: '2', members: ['4', String(2 ** 40)], at: ['5', String(2n ** 63n)] }],
    peeks: [
      { ticket: '1', value: wires[3], changedAt: '4', at: '9' },
      { ticket: '2', busy: true },
      { ticket: '3', error },
    ],
    board: { at: '8', anew: true, gone: ['a', ''], shown: [{ operation: { key: 'k', code: 257, arguments: wires }, result: wires[0] }] },
    turn: { number: String(2n ** 63n), recalled: true },
  };
  new ServerFrameReader().read(responseSerialize(frame), handler);
  const plain = {
    withdrawals: 0,
    results: [],
    error: null,
    waitedMicroseconds: 0,
    waitedLocks: 0,
    above: false,
    committedAt: null,
    at: null,
  };
  const at = (big: bigint): Wide => ({ high: Number(big >> 32n), low: Number(big & 0xffffffffn) });
  expect(calls).toEqual([
    [
      'onMemberReply',
      {
        chain: 2 ** 40,
        n: 3,
        withdrawals: 4,
        results: values,
        error: null,
        waitedMicroseconds: 5,
        waitedLocks: 1,
        above: true,
        committedAt: null,
        at: null,
      },
    ],
    ['onMemberReply', { ...plain, chain: 1, n: 2, error }],
    ['onMemberReply', { ...plain, chain: 1, n: 3, committedAt: at(2n ** 63n) }],
    ['onMemberReply', { ...plain, chain: 1, n: 4, at: at(6n) }],
    ['onChainBroken', { chain: 1, decided: 2, error, reason: 'displaced' }],
    ['onMembersCommitted', { chain: 2, members: [4, 2 ** 40], at: [at(5n), at(2n ** 63n)] }],
    ['onPeekReply', { ticket: 1, busy: false, value: values[3], changedAt: at(4n), at: at(9n), error: null }],
    ['onPeekReply', { ticket: 2, busy: true, value: null, changedAt: at(0n), at: at(0n), error: null }],
    ['onPeekReply', { ticket: 3, busy: false, value: null, changedAt: at(0n), at: at(0n), error }],
    ['onBoard', { at: at(8n), anew: true, gone: ['a', ''], shown: [{ key: 'k', code: 257, args: values, result: -7 }] }],
    ['onTurn', { number: at(2n ** 63n), recalled: true }],
  ]);
});

it('a member that is said to have committed without a time is malformed', () => {
  const bytes = responseSerialize({ committed: [{ chain: '1', members: ['1', '2'], at: ['5'] }] });
  const handler = new Proxy({} as FrameHandler, { get: (_, name, all) => (PARTS.has(String(name)) ? all : () => {}) });
  expect(() => new ServerFrameReader().read(bytes, handler)).toThrow(/without a time/);
});
