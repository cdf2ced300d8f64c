// For tests: a process that sends requests over many connections, at a rate that does not depend on the answers (an open model), or without
// a rate, each connection the next request after an answer. Started by `fork`; receives its task and sends back the results.
import { connect, type Socket } from 'node:net';

/** Requests of one kind. In the body each `$n` stands for a number that grows from request to request. */
export type Kind = { name: string; share: number; method: 'GET' | 'POST'; path: string; cookie?: string; body?: string };

export type Load = { port: number; kinds: Kind[]; connections: number; seconds: number; per_s: number | null };

export type Answers = {
  /** requests that were due while every connection was busy */
  dropped: number;
  /** requests without an answer */
  lost: number;
  /** counts by kind, status and problem code: "bid 201", "bid 503 overloaded" */
  answers: Record<string, number>;
  /** 503s without Retry-After */
  without_retry_after: number;
  /** milliseconds from when a request was due until its answer: of admitted requests, whatever the answer, and of shed requests */
  accepted_ms: Quantiles;
  refused_ms: Quantiles;
};

export type Quantiles = { count: number; p50: number; p99: number; max: number };

const TICK_MS = 2;
/** After this time since the last request, unanswered requests count as lost. */
const LAST_ANSWER_MS = 15_000;

class Line {
  readonly #load: Loader;
  #socket: Socket | null = null;
  #text = '';
  #asked: { kind: Kind; dueMs: number } | null = null;

  constructor(load: Loader) {
    this.#load = load;
  }

  ask(kind: Kind, dueMs: number, number: number): void {
    this.#asked = { kind, dueMs };
    const body = kind.body?.replace('$n', String(number)) ?? '';
    const cookie = kind.cookie === undefined ? '' : `cookie: ${kind.cookie}\r\n`;
    const content = body === '' ? '' : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
    this.#open().write(`${kind.method} ${kind.path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-claret-csrf: 1\r\n${cookie}${content}\r\n${body}`);
  }

  open(): Promise<unknown> {
    const socket = this.#open();
    return socket.connecting ? new Promise((resolve) => socket.once('connect', resolve)) : Promise.resolve();
  }

  close(): void {
    this.#socket?.destroy();
  }

  #open(): Socket {
    if (this.#socket !== null) return this.#socket;
    const socket = connect(this.#load.port, '127.0.0.1');
    this.#socket = socket;
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (text: string) => this.#take(text));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket === socket) this.#socket = null;
      this.#text = '';
      if (this.#asked !== null) this.#end(null);
    });
    return socket;
  }

  #take(text: string): void {
    this.#text += text;
    const head = this.#text.indexOf('\r\n\r\n');
    if (head === -1) return;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(this.#text)?.[1] ?? 0);
    if (this.#text.length < head + 4 + length) return;
    const answer = this.#text;
    this.#text = '';
    if (/\r\nconnection: close/i.test(answer.slice(0, head))) {
      this.#socket?.destroy();
      this.#socket = null;
    }
    this.#end(answer);
  }

  #end(answer: string | null): void {
    const { kind, dueMs } = this.#asked!;
    this.#asked = null;
    this.#load.onAnswer(this, kind, performance.now() - dueMs, answer);
  }
}

class Loader {
  readonly port: number;
  readonly #load: Load;
  readonly #free: Line[];
  readonly #lines: readonly Line[];
  readonly #answers: Record<string, number> = {};
  readonly #accepted: number[] = [];
  readonly #refused: number[] = [];
  #dropped = 0;
  #lost = 0;
  #withoutRetryAfter = 0;
  #sent = 0;
  #over = false;

  constructor(load: Load) {
    this.port = load.port;
    this.#load = load;
    this.#lines = Array.from({ length: load.connections }, () => new Line(this));
    this.#free = [...this.#lines];
  }

  async run(): Promise<Answers> {
    const { per_s, seconds } = this.#load;
    // All connections are open before the load begins: a server accepts one connection per event-loop turn, and a client that waits for
    // that waits in the kernel, unseen.
    for (const line of this.#lines) await line.open();
    const beganMs = performance.now();
    const untilMs = beganMs + seconds * 1_000;
    let due = 0;
    for (let nowMs = beganMs; nowMs < untilMs; nowMs = performance.now()) {
      if (per_s === null) while (this.#free.length > 0) this.#send(nowMs);
      else for (const owed = ((nowMs - beganMs) * per_s) / 1_000; due < owed; due++) this.#send(beganMs + (due * 1_000) / per_s);
      await new Promise((resolve) => setTimeout(resolve, TICK_MS));
    }
    this.#over = true;
    while (this.#free.length < this.#lines.length && performance.now() < untilMs + LAST_ANSWER_MS)
      await new Promise((resolve) => setTimeout(resolve, 10));
    this.#lost += this.#lines.length - this.#free.length;
    for (const line of this.#lines) line.close();
    return {
      dropped: this.#dropped,
      lost: this.#lost,
      answers: this.#answers,
      without_retry_after: this.#withoutRetryAfter,
      accepted_ms: quantiles(this.#accepted),
      refused_ms: quantiles(this.#refused),
    };
  }

  onAnswer(line: Line, kind: Kind, ms: number, answer: string | null): void {
    this.#free.push(line);
    if (answer === null) this.#lost++;
    else this.#count(kind, ms, answer);
    if (this.#load.per_s === null && !this.#over) this.#send(performance.now());
  }

  #count(kind: Kind, ms: number, answer: string): void {
    const status = answer.slice(9, 12);
    const code = /"code":"(\w+)"/.exec(answer)?.[1];
    const what = code === undefined ? `${kind.name} ${status}` : `${kind.name} ${status} ${code}`;
    this.#answers[what] = (this.#answers[what] ?? 0) + 1;
    if (status === '503' && !/\r\nretry-after: [1-9]\d*\r\n/i.test(answer)) this.#withoutRetryAfter++;
    (code === 'overloaded' ? this.#refused : this.#accepted).push(ms);
  }

  #send(dueMs: number): void {
    const line = this.#free.pop();
    if (line === undefined) return void this.#dropped++;
    let at = (this.#sent * 0.618_033_988_75) % 1; // spread evenly, and the same in each run
    const kind = this.#load.kinds.find(({ share }) => (at -= share) < 0) ?? this.#load.kinds[0]!;
    line.ask(kind, dueMs, this.#sent++);
  }
}

function quantiles(values: number[]): Quantiles {
  values.sort((a, b) => a - b);
  const at = (share: number) => Math.round(values[Math.min(values.length - 1, Math.floor(share * values.length))] ?? 0);
  return { count: values.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

process.on('message', (load: Load) => void new Loader(load).run().then((answers) => process.send!(answers)));
