import { expect, test } from 'vitest';
import { RespReplies, type RespReply } from './resp-replies.ts';

const BYTES = Buffer.from('+OK\r\n:-12\r\n$3\r\nhé\r\n*3\r\n:1\r\n$-1\r\n*1\r\n+QUEUED\r\n-EXECABORT no\r\n*-1\r\n*0\r\n$0\r\n\r\n');
const REPLIES = ['OK', -12, 'hé', [1, null, ['QUEUED']], new Error('EXECABORT no'), null, [], ''];

function readIn(pieces: readonly Buffer[]): RespReply[] {
  const replies: RespReply[] = [];
  const reader = new RespReplies((reply) => replies.push(reply));
  for (const piece of pieces) reader.feed(piece);
  return replies;
}

test('every kind of reply is read', () => {
  expect(readIn([BYTES])).toEqual(REPLIES);
});

test('replies are the same wherever the connection cuts them', () => {
  for (let cut = 1; cut < BYTES.length; cut++)
    expect(readIn([BYTES.subarray(0, cut), BYTES.subarray(cut)]), `cut at ${cut}`).toEqual(REPLIES);
  expect(readIn(Array.from(BYTES, (_, at) => BYTES.subarray(at, at + 1)))).toEqual(REPLIES);
});

test('bytes that are no reply are refused', () => {
  expect(() => readIn([Buffer.from('HTTP/1.1 400\r\n')])).toThrow('begins with byte 72');
});
