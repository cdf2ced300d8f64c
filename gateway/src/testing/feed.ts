// A viewer for tests: reads a gateway's event stream over a real connection, or stops reading.
import { request } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FrameMessage, MarkMessage, TelemetryMessage, WelcomeMessage } from '@claret/client/telemetry';
import type { Gateway } from '../app.ts';
import { splitAddress } from '../cluster.ts';

/** The readers that a test opens, closed together after it. */
export class FeedReaders {
  /** in the order in which they were opened */
  readonly open: FeedReader[] = [];

  watch(gateway: Gateway, headers: Record<string, string> = {}): FeedReader {
    const reader = new FeedReader(gateway, headers);
    this.open.push(reader);
    return reader;
  }

  close(): void {
    for (const reader of this.open.splice(0)) reader.close();
  }
}

export class FeedReader {
  readonly messages: TelemetryMessage[] = [];
  status = 0;
  headers: IncomingHttpHeaders = {};
  /** the last `id` field */
  lastId = '';
  /** the body of a response that is no stream */
  text = '';
  ended = false;
  private readonly call: ClientRequest;
  private response: IncomingMessage | undefined;

  constructor(gateway: Gateway, headers: Record<string, string> = {}) {
    const { host, port } = splitAddress(gateway.member.rest);
    this.call = request({ host, port, path: '/v1/telemetry/stream', headers, agent: false });
    this.call.on('error', () => (this.ended = true));
    this.call.on('response', (response) => {
      this.response = response;
      this.status = response.statusCode ?? 0;
      this.headers = response.headers;
      response.setEncoding('utf8').on('data', (chunk: string) => this.take(chunk));
      response.on('error', () => {}); // caused by `close`
      response.on('close', () => (this.ended = true));
    });
    this.call.end();
  }

  get welcome(): WelcomeMessage | undefined {
    return this.messages.find((message) => message.kind === 'welcome');
  }

  get frames(): FrameMessage[] {
    return this.messages.filter((message) => message.kind === 'frame');
  }

  get marks(): MarkMessage[] {
    return this.messages.filter((message) => message.kind === 'mark');
  }

  stopReading(): void {
    this.response!.pause();
  }

  readOn(): void {
    this.response!.resume();
  }

  close(): void {
    this.call.destroy();
  }

  private take(chunk: string): void {
    this.text += chunk;
    if (this.status !== 200) return;
    const blocks = this.text.split('\n\n');
    this.text = blocks.pop()!;
    for (const block of blocks) this.takeEvent(new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string])));
  }

  private takeEvent(fields: Map<string, string>): void {
    this.lastId = fields.get('id') ?? this.lastId;
    const message = JSON.parse(fields.get('data')!) as TelemetryMessage;
    if (message.kind !== fields.get('event')) throw new Error(`a ${message.kind} came as ${fields.get('event')}`);
    this.messages.push(message);
  }
}
