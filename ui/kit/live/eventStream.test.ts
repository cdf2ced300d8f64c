import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EventStream, type ConnectionState, type EventStreamWorld } from './eventStream.ts';
import type { StreamEvent } from './sseParser.ts';

interface Line {
  headers: Record<string, string>;
  send(text: string): void;
  end(): void;
}

/** A simulated network: each fetch is one `Line`. */
function network() {
  const lines: Line[] = [];
  let isDown = false;
  let isOnline = true;
  const world: EventStreamWorld = {
    fetch: async (_url, { headers, signal }) => {
      if (isDown) throw new TypeError('network down');
      const encoder = new TextEncoder();
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          signal.addEventListener('abort', () => controller.error(signal.reason));
          lines.push({
            headers,
            send: (text) => controller.enqueue(encoder.encode(text)),
            end: () => controller.close(),
          });
        },
      });
      return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    },
    setTimeout: (run, delay_ms) => setTimeout(run, delay_ms) as unknown as number,
    clearTimeout: (timer) => clearTimeout(timer),
    random: () => 1,
    isOnline: () => isOnline,
  };
  return { lines, world, down: (value: boolean) => (isDown = value), online: (value: boolean) => (isOnline = value) };
}

describe('an event stream', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function start(net: ReturnType<typeof network>, wasLive = false) {
    const states: ConnectionState[] = [];
    const events: StreamEvent[] = [];
    const stream = new EventStream(
      { url: '/live', silence_ms: 1_000, wasLive, onEvent: (event) => events.push(event), onState: (state) => states.push(state) },
      net.world,
    );
    return { states, events, stream };
  }

  it('becomes live and delivers events', async () => {
    const net = network();
    const { states, events, stream } = start(net);
    await vi.advanceTimersByTimeAsync(0);
    net.lines[0]!.send('id: 3\ndata: hello\n\n');
    await vi.advanceTimersByTimeAsync(0);
    expect(states).toEqual(['connecting', 'live']);
    expect(events).toEqual([{ type: 'message', data: 'hello', id: '3' }]);
    stream.close();
  });

  it('reconnects after the server ends the stream, and resumes where it stopped', async () => {
    const net = network();
    const { states, stream } = start(net);
    await vi.advanceTimersByTimeAsync(0);
    net.lines[0]!.send('id: 3\ndata: hello\n\n');
    await vi.advanceTimersByTimeAsync(0);
    net.lines[0]!.end();
    await vi.advanceTimersByTimeAsync(500);
    expect(net.lines).toHaveLength(2);
    expect(net.lines[1]!.headers['last-event-id']).toBe('3');
    expect(states.at(-1)).toBe('live');
    expect(states).toContain('stale');
    stream.close();
  });

  it('takes silence for a broken connection, while comments keep it alive', async () => {
    const net = network();
    const { states, stream } = start(net);
    await vi.advanceTimersByTimeAsync(900);
    net.lines[0]!.send(': beat\n\n');
    await vi.advanceTimersByTimeAsync(900);
    expect(states.at(-1)).toBe('live');
    await vi.advanceTimersByTimeAsync(200);
    expect(states.at(-1)).toBe('stale');
    stream.close();
  });

  it('waits longer after each failure, and not at all when woken', async () => {
    const net = network();
    net.down(true);
    const fetch = vi.spyOn(net.world, 'fetch');
    const { stream } = start(net);
    await vi.advanceTimersByTimeAsync(0);
    expect(fetch).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(500);
    expect(fetch).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(999);
    expect(fetch).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(fetch).toHaveBeenCalledTimes(3);
    net.down(false);
    stream.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(net.lines).toHaveLength(1);
    stream.close();
  });

  it('that is refused reconnects after Retry-After, or somewhat later', async () => {
    const net = network();
    const fetched = vi.fn(async () => new Response('{}', { status: 503, headers: { 'retry-after': '4' } }));
    const { stream } = start({ ...net, world: { ...net.world, fetch: fetched } });
    await vi.advanceTimersByTimeAsync(5_999);
    expect(fetched).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(fetched).toHaveBeenCalledTimes(2);
    stream.close();
  });

  it('is stale if another stream was live before it', async () => {
    const net = network();
    net.down(true);
    const { states, stream } = start(net, true);
    await vi.advanceTimersByTimeAsync(0);
    expect(new Set(states)).toEqual(new Set(['stale']));
    stream.close();
  });

  it('is offline when the browser has no network', async () => {
    const net = network();
    const { states, stream } = start(net);
    await vi.advanceTimersByTimeAsync(0);
    net.online(false);
    net.down(true);
    stream.sleep();
    expect(states.at(-1)).toBe('offline');
    stream.close();
  });

  it('is silent after it was closed', async () => {
    const net = network();
    const { states, events, stream } = start(net);
    await vi.advanceTimersByTimeAsync(0);
    stream.close();
    const told = states.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states).toHaveLength(told);
    expect(events).toEqual([]);
    expect(net.lines).toHaveLength(1);
  });
});
