import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConnectionState } from './eventStream.ts';
import { LEADER_SILENCE_MS, SharedStream, type Pages, type SharedStreamWorld } from './sharedStream.ts';

interface Line {
  url: string;
  lastEventId: string | undefined;
  send(text: string): void;
  end(): void;
  isCut(): boolean;
}

type Contender = Parameters<Pages['contend']>[1];

/** A page that the browser may freeze: none of its code runs before it thaws. */
class Freezer {
  private held: (() => void)[] | null = null;
  readonly run = (code: () => void) => (this.held === null ? code() : void this.held.push(code));

  freeze(): void {
    this.held = [];
  }

  thaw(): void {
    const held = this.held ?? [];
    this.held = null;
    held.forEach((code) => code());
  }
}

/** A browser whose pages share channels and locks, and the server at which their requests arrive. */
class TestBrowser {
  readonly lines: Line[] = [];
  /** what its pages wait for; other test files may leave timers of their own in this process */
  readonly timers = new Set<number>();
  private readonly listeners = new Set<(message: unknown) => void>();
  private holder: Contender | null = null;
  private readonly queue = new Set<Contender>();
  private pages = 0;

  get open(): Line[] {
    return this.lines.filter((line) => !line.isCut());
  }

  world({ run } = new Freezer()): SharedStreamWorld {
    return {
      ...this.alone(),
      setTimeout: (code, delay_ms) => this.after(() => run(code), delay_ms),
      pages: {
        me: `page ${++this.pages}`,
        open: (_name, onMessage) => {
          const listener = (message: unknown) => run(() => onMessage(structuredClone(message)));
          this.listeners.add(listener);
          const others = () => [...this.listeners].filter((other) => other !== listener);
          return {
            post: (message) => others().forEach((other) => setTimeout(() => this.listeners.has(other) && other(message), 0)),
            close: () => void this.listeners.delete(listener),
          };
        },
        contend: (_name, { rob, onLead, onLost }) => {
          const contender = { rob, onLead: () => run(onLead), onLost: () => run(onLost) };
          if (rob && this.holder !== null) {
            setTimeout(this.holder.onLost, 0);
            this.grant(contender);
          } else {
            this.queue.add(contender);
            this.next();
          }
          return () => {
            this.queue.delete(contender);
            if (this.holder === contender) this.holder = null;
            this.next();
          };
        },
      },
    };
  }

  /** The world of a page that has no locks. */
  alone(): SharedStreamWorld {
    return {
      fetch: async (url, { headers, signal }) => {
        const encoder = new TextEncoder();
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            signal.addEventListener('abort', () => controller.error(signal.reason));
            let isEnded = false;
            this.lines.push({
              url,
              lastEventId: headers['last-event-id'],
              send: (text) => controller.enqueue(encoder.encode(text)),
              end: () => {
                isEnded = true;
                controller.close();
              },
              isCut: () => isEnded || signal.aborted,
            });
          },
        });
        return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
      },
      setTimeout: (run, delay_ms) => this.after(run, delay_ms),
      clearTimeout: (timer) => {
        this.timers.delete(timer);
        clearTimeout(timer);
      },
      random: () => 0,
      isOnline: () => true,
    };
  }

  private after(run: () => void, delay_ms: number): number {
    const fire = () => {
      this.timers.delete(timer);
      run();
    };
    const timer = setTimeout(fire, delay_ms) as unknown as number;
    this.timers.add(timer);
    return timer;
  }

  private next(): void {
    const [first] = this.queue;
    if (this.holder === null && first !== undefined) this.grant(first);
  }

  private grant(contender: Contender): void {
    this.queue.delete(contender);
    this.holder = contender;
    setTimeout(() => this.holder === contender && contender.onLead(), 0);
  }
}

function openPage(world: SharedStreamWorld, query: string) {
  const heard: string[] = [];
  const states: ConnectionState[] = [];
  const told: unknown[] = [];
  const stream = new SharedStream<string>(
    {
      name: 'live',
      address: (queries) => `/live?${[...new Set(queries)].sort().join()}`,
      onEvent: ({ data }) => heard.push(data),
      onState: (state) => states.push(state),
      onTold: (what) => told.push(what),
      silence_ms: 3_600_000,
    },
    world,
  );
  stream.ask(query);
  stream.wake();
  return { stream, heard, states, told };
}

const soon = () => vi.advanceTimersByTimeAsync(300);

describe('a stream that pages share', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is one stream for thirty pages, carries what all of them ask for, and reaches each', async () => {
    const browser = new TestBrowser();
    const pages = Array.from({ length: 30 }, (_, i) => openPage(browser.world(), `item ${10 + i}`));
    await soon();
    expect(browser.lines).toHaveLength(1);
    expect(browser.lines[0]!.url).toBe(`/live?${Array.from({ length: 30 }, (_, i) => `item ${10 + i}`).join()}`);
    browser.lines[0]!.send('id: 1\ndata: a bid\n\n');
    await soon();
    for (const { heard, states } of pages) {
      expect(heard).toEqual(['a bid']);
      expect(states.at(-1)).toBe('live');
    }
    pages.forEach(({ stream }) => stream.close());
  });

  it('is opened anew for a page that joins, so that the page gets every state, and no page is stale meanwhile', async () => {
    const browser = new TestBrowser();
    const first = openPage(browser.world(), 'a');
    await soon();
    const joined = openPage(browser.world(), 'a');
    await soon();
    expect(browser.lines.map(({ url }) => url)).toEqual(['/live?a', '/live?a']);
    expect(browser.open).toEqual([browser.lines[1]]);
    browser.lines[1]!.send('data: state\n\n');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(joined.heard).toEqual(['state']);
    expect(first.states).toEqual(['connecting', 'live']);
    [first, joined].forEach(({ stream }) => stream.close());
  });

  it('is not opened anew for a query that it carries already', async () => {
    const browser = new TestBrowser();
    const pages = [openPage(browser.world(), 'a'), openPage(browser.world(), 'b'), openPage(browser.world(), 'a')];
    await soon();
    pages[2]!.stream.ask('b', false);
    await soon();
    expect(browser.lines).toHaveLength(1);
    pages[2]!.stream.ask('c', false);
    await soon();
    expect(browser.open.map(({ url }) => url)).toEqual(['/live?a,b,c']);
    pages.forEach(({ stream }) => stream.close());
  });

  it('passes to another page when its leader rests, and resumes after the last event', async () => {
    const browser = new TestBrowser();
    const [leader, other] = [openPage(browser.world(), 'a'), openPage(browser.world(), 'b')];
    await soon();
    browser.open[0]!.send('id: 7\ndata: seven\n\n');
    await soon();
    leader.stream.rest();
    await soon();
    expect(browser.open).toHaveLength(1);
    expect(browser.open[0]).toMatchObject({ url: '/live?b', lastEventId: '7' });
    browser.open[0]!.send('id: 8\ndata: eight\n\n');
    await soon();
    expect(other.heard).toEqual(['seven', 'eight']);
    expect(leader.heard).toEqual(['seven']);
    expect(other.states).toEqual(['connecting', 'live']);
    other.stream.close();
  });

  it('brings a page that has rested what it has missed, also if others have heard it', async () => {
    const browser = new TestBrowser();
    const [leader, rested] = [openPage(browser.world(), 'a'), openPage(browser.world(), 'b')];
    await soon();
    browser.open[0]!.send('id: 7\ndata: seven\n\n');
    await soon();
    rested.stream.rest();
    browser.open[0]!.send('id: 10\ndata: ten\n\n');
    await soon();
    expect(rested.heard).toEqual(['seven']);
    rested.stream.wake();
    await soon();
    expect(browser.open[0]).toMatchObject({ url: '/live?a,b', lastEventId: '7' });

    // A page that joins before it has come does not make it lost.
    const third = openPage(browser.world(), 'c');
    await soon();
    expect(browser.open[0]).toMatchObject({ url: '/live?a,b,c', lastEventId: '7' });
    browser.open[0]!.send('data: a state\n\nid: 10\ndata: ten\n\n');
    await soon();
    expect(rested.heard).toEqual(['seven', 'a state', 'ten']);
    third.stream.ask('d');
    await soon();
    expect(browser.open[0]).toMatchObject({ lastEventId: '10' });
    [leader, rested, third].forEach(({ stream }) => stream.close());
  });

  it('costs pages at rest nothing: no connection, no request, no event', async () => {
    const browser = new TestBrowser();
    const pages = Array.from({ length: 8 }, () => openPage(browser.world(), 'a'));
    await soon();
    pages.forEach(({ stream }) => stream.rest());
    const asked = browser.lines.length;
    await vi.advanceTimersByTimeAsync(600_000);
    expect(browser.open).toEqual([]);
    expect(browser.lines).toHaveLength(asked);
    expect(browser.timers.size).toBe(0);
  });

  it('leaves a leader that the browser has frozen', async () => {
    const browser = new TestBrowser();
    const freezer = new Freezer();
    const leader = openPage(browser.world(freezer), 'a');
    const other = openPage(browser.world(), 'b');
    await soon();
    freezer.freeze();
    await vi.advanceTimersByTimeAsync(LEADER_SILENCE_MS + 2_000);
    expect(browser.open.at(-1)).toMatchObject({ url: '/live?b' });
    browser.open.at(-1)!.send('data: still here\n\n');
    await soon();
    expect(other.heard).toEqual(['still here']);
    [leader, other].forEach(({ stream }) => stream.close());
  });

  it('has one leader again when that one thaws', async () => {
    const browser = new TestBrowser();
    const freezer = new Freezer();
    const leader = openPage(browser.world(freezer), 'a');
    const others = ['b', 'c'].map((query) => openPage(browser.world(), query));
    await soon();
    freezer.freeze();
    await vi.advanceTimersByTimeAsync(LEADER_SILENCE_MS + 2_000);
    freezer.thaw();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(browser.open.map(({ url }) => url)).toEqual(['/live?a,b,c']);
    browser.open[0]!.send('data: to all\n\n');
    await soon();
    for (const { heard } of [leader, ...others]) expect(heard).toEqual(['to all']);
    [leader, ...others].forEach(({ stream }) => stream.close());
  });

  it('is opened anew when its leader says so', async () => {
    const browser = new TestBrowser();
    const [leader, other] = [openPage(browser.world(), 'a'), openPage(browser.world(), 'b')];
    await soon();
    other.stream.reopen();
    await soon();
    expect(browser.lines).toHaveLength(1);
    leader.stream.reopen();
    await soon();
    expect(browser.lines).toHaveLength(2);
    expect(browser.open).toEqual([browser.lines[1]]);
    [leader, other].forEach(({ stream }) => stream.close());
  });

  it('tells each page what its leader says, also those that join later', async () => {
    const browser = new TestBrowser();
    const [leader, other] = [openPage(browser.world(), 'a'), openPage(browser.world(), 'b')];
    await soon();
    other.stream.tell('not the leader');
    leader.stream.tell('elsewhere');
    await soon();
    const third = openPage(browser.world(), 'c');
    await soon();
    for (const { told } of [leader, other, third]) expect(told.at(-1)).toBe('elsewhere');
    [leader, other, third].forEach(({ stream }) => stream.close());
  });

  it('is each page’s own in a browser without locks, and rests with it', async () => {
    const browser = new TestBrowser();
    const pages = ['a', 'b'].map((query) => openPage(browser.alone(), query));
    await soon();
    expect(browser.open.map(({ url }) => url)).toEqual(['/live?a', '/live?b']);
    browser.open[0]!.send('id: 3\ndata: hello\n\n');
    await soon();
    pages[0]!.stream.rest();
    pages[0]!.stream.sleep();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(browser.open.map(({ url }) => url)).toEqual(['/live?b']);
    pages[0]!.stream.wake();
    await soon();
    expect(browser.open[1]).toMatchObject({ url: '/live?a', lastEventId: '3' });
    expect(pages[0]!.states).toEqual(['connecting', 'live', 'live']);
    pages.forEach(({ stream }) => stream.close());
  });
});
