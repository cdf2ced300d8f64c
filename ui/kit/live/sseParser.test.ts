import { describe, expect, it } from 'vitest';
import { seeded } from '../seeded.ts';
import { SseParser, type StreamEvent } from './sseParser.ts';

function parse(pieces: string[], lastEventId = '') {
  const events: StreamEvent[] = [];
  const retries: number[] = [];
  const parser = new SseParser({ onEvent: (event) => events.push(event), onRetry: (ms) => retries.push(ms) }, lastEventId);
  for (const piece of pieces) parser.push(piece);
  return { events, retries };
}

const STREAM = 'retry: 1500\n\n: beat\n\nid: 7\r\nevent: bid\r\ndata: {"amount":\r\ndata: 5}\r\n\r\ndata:plain\n\nid\ndata: x\n\n';

describe('the event stream parser', () => {
  it('reads events, ids, comments and the reconnect delay', () => {
    const { events, retries } = parse([STREAM]);
    expect(retries).toEqual([1500]);
    expect(events).toEqual([
      { type: 'bid', data: '{"amount":\n5}', id: '7' },
      { type: 'message', data: 'plain', id: '7' },
      { type: 'message', data: 'x', id: '' },
    ]);
  });
  it('gives the same events wherever the bytes are split', () => {
    const whole = parse([STREAM]).events;
    const seed = process.env.SEED ?? String(Date.now());
    const random = seeded(seed);
    for (let round = 0; round < 200; round++) {
      const pieces: string[] = [];
      for (let at = 0; at < STREAM.length;) {
        const size = random.integer(1, 9);
        pieces.push(STREAM.slice(at, at + size));
        at += size;
      }
      expect(parse(pieces).events, `SEED=${seed}`).toEqual(whole);
    }
  });
  it('does not deliver an unfinished event', () => {
    expect(parse(['data: half\n']).events).toEqual([]);
  });
  it('keeps the id it resumed from until the server sends another', () => {
    expect(parse(['data: x\n\n'], '41').events[0]!.id).toBe('41');
  });
});
