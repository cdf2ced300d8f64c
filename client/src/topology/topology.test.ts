import { describe, expect, it } from 'vitest';
import { crc16, slotOf } from './slots.ts';
import { Topology, evenTopology } from './topology.ts';

const bytes = (text: string) => Buffer.from(text, 'utf8');

describe('slots', () => {
  it('hash with CRC-16/XMODEM, whose check value is 0x31C3', () => {
    expect(crc16(bytes('123456789'))).toBe(0x31c3);
    expect(crc16(bytes(''))).toBe(0);
    expect(crc16(bytes('A'))).toBe(0x58e5);
  });

  it("equal the examples in Redis Cluster's documentation", () => {
    expect(slotOf('123456789')).toBe(0x31c3 % 16384);
    expect(slotOf('foo')).toBe(12182);
    expect(slotOf('somekey')).toBe(11058);
    expect(slotOf('foo{hash_tag}')).toBe(2515);
    expect(slotOf('bar{hash_tag}')).toBe(2515);
  });

  it('hash only the tag, if it is not empty, up to the first closing brace', () => {
    expect(slotOf('{user1000}.following')).toBe(slotOf('user1000'));
    expect(slotOf('foo{}{bar}')).toBe(crc16(bytes('foo{}{bar}')) % 16384);
    expect(slotOf('foo{{bar}}zap')).toBe(slotOf('{bar'));
    expect(slotOf('foo{bar}{zap}')).toBe(slotOf('bar'));
    expect(slotOf('foo{bar')).toBe(crc16(bytes('foo{bar')) % 16384);
  });

  it('hash the UTF-8 bytes of a key that is not ASCII', () => {
    expect(slotOf('Zürich')).toBe(crc16(bytes('Zürich')) % 16384);
    expect(slotOf('a{Zürich}b')).toBe(slotOf('Zürich'));
  });
});

describe('a topology', () => {
  it('gives each key to the shard that owns its slot', () => {
    const topology = new Topology(evenTopology(['a:1', 'b:2', 'c:3']));
    for (const key of ['foo', 'bar', 'somekey', '{item:42}:bids']) {
      const owner = topology.shards.find(({ slots }) => slots.some(({ first, last }) => first <= slotOf(key) && slotOf(key) <= last));
      expect(topology.shardOf(key)).toBe(owner!.shard);
    }
    expect(topology.shards[0]!.slots[0]!.first).toBe(0);
    expect(topology.shards[2]!.slots[0]!.last).toBe(16383);
  });

  it('may give a shard several runs of slots, and another one none', () => {
    const description = evenTopology(['a:1', 'b:2', 'c:3']);
    const [a, b, c] = description.shards;
    a!.slots = [...a!.slots, ...c!.slots.map((run) => ({ ...run, version: 1 }))];
    c!.slots = [];
    const topology = new Topology(description);
    expect([0, 5_500, 16_383].map((slot) => topology.shardOfSlot(slot))).toEqual([0, 1, 0]);
    expect(topology.shards[1]).toEqual(b);
  });

  it('is refused if a slot has no shard', () => {
    const description = evenTopology(['a:1', 'b:2']);
    description.shards[1]!.slots = [{ first: 8193, last: 16383, version: 0 }];
    expect(() => new Topology(description)).toThrow(/no shard for slot 8192/);
  });
});
