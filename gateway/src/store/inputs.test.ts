import { expect, test } from 'vitest';
import { Inputs, WAITING_BYTES_MAX } from './inputs.ts';

/** A Redis client under this number, and what became of its socket. */
function client(inputs: Inputs, peer: number) {
  const did: string[] = [];
  inputs.add(peer, { pause: () => did.push('pause'), resume: () => did.push('resume') });
  return did;
}
const bytes = (length: number) => new Uint8Array(length);

test('a client is read until the core does not want its bytes, and again once it does', () => {
  const unwanted = new Set<number>();
  const inputs = new Inputs((peer) => !unwanted.has(peer));
  const [one, other] = [client(inputs, 1), client(inputs, 2)];
  const process = (...peers: number[]) => {
    for (const peer of peers) inputs.came(peer, bytes(10));
    inputs.processed(
      peers,
      peers.map(() => bytes(10)),
    );
  };
  process(1, 2);
  expect([one, other]).toEqual([[], []]);
  unwanted.add(1);
  process(1, 2);
  process(1, 2); // what had been read already
  expect([one, other]).toEqual([['pause'], []]);
  process(2);
  expect(one).toEqual(['pause']);
  unwanted.clear();
  inputs.resume();
  inputs.resume();
  expect([one, other]).toEqual([['pause', 'resume'], []]);
});

test('a client is not read while much of it waits for the core, whatever the core wants', () => {
  const inputs = new Inputs(() => true);
  const did = client(inputs, 1);
  const chunk = bytes(WAITING_BYTES_MAX / 2);
  inputs.came(1, chunk);
  expect(did).toEqual([]);
  for (let more = 0; more < 3; more++) inputs.came(1, chunk);
  expect(did).toEqual(['pause']);
  inputs.processed([1, 1], [chunk, chunk]);
  inputs.resume();
  expect(did, 'as much as is too much still waits').toEqual(['pause']);
  inputs.processed([1], [chunk]);
  expect(did).toEqual(['pause', 'resume']);
});

test('one that has gone is neither asked about nor read again', () => {
  const asked: number[] = [];
  const inputs = new Inputs((peer) => (asked.push(peer), false));
  const did = client(inputs, 1);
  inputs.came(1, bytes(5));
  inputs.processed([1], [bytes(5)]);
  inputs.delete(1);
  asked.length = 0;
  inputs.came(1, bytes(WAITING_BYTES_MAX));
  inputs.processed([1], [bytes(WAITING_BYTES_MAX)]);
  inputs.resume();
  expect([did, asked, inputs.isEmpty]).toEqual([['pause'], [], true]);
});

test('peers that are no Redis clients are left alone', () => {
  const asked: number[] = [];
  const inputs = new Inputs((peer) => (asked.push(peer), true));
  const did = client(inputs, 2);
  inputs.came(1, bytes(WAITING_BYTES_MAX));
  inputs.processed([1], [bytes(WAITING_BYTES_MAX)]);
  expect([did, asked, inputs.has(1), inputs.has(2)]).toEqual([[], [], false, true]);
});
