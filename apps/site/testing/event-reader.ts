// For tests: the reading end of an event stream, over a real connection.
import { request, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { FastifyInstance } from 'fastify';

export type Received<Events> = { [Name in keyof Events]: { event: Name; data: Events[Name] } }[keyof Events];

export class EventReader<Events> {
  readonly events: Received<Events>[] = [];
  readonly status: Promise<number>;
  // resolves when the server has ended the stream or the connection is lost
  readonly end: Promise<void>;
  readonly #request: ClientRequest;
  #text = '';
  #id = '';

  // REQUIRES: the app listens.
  constructor(app: Pick<FastifyInstance, 'server'>, url: string, headers: Record<string, string> = {}) {
    const { port } = app.server.address() as AddressInfo;
    this.#request = request({ host: '127.0.0.1', port, path: url, headers });
    this.status = new Promise((resolve) => {
      this.#request.on('response', (response) => {
        resolve(response.statusCode ?? 0);
        response.setEncoding('utf8').on('data', (chunk: string) => this.#take(chunk));
        response.on('error', () => undefined); // caused by close()
      });
      this.#request.on('error', () => resolve(0));
    });
    this.end = new Promise((resolve) => void this.#request.on('close', resolve));
    this.#request.end();
  }

  close(): void {
    this.#request.destroy();
  }

  of<Name extends keyof Events>(name: Name): Events[Name][] {
    return this.events.filter((one) => one.event === name).map((one) => one.data as Events[Name]);
  }

  last<Name extends keyof Events>(name: Name): Events[Name] | undefined {
    return this.of(name).at(-1);
  }

  get lastEventId(): string {
    return this.#id;
  }

  #take(chunk: string): void {
    this.#text += chunk;
    const blocks = this.#text.split('\n\n');
    this.#text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
      const [event, data] = [fields.get('event'), fields.get('data')];
      this.#id = fields.get('id') ?? this.#id;
      if (event !== undefined && data !== undefined) this.events.push({ event, data: JSON.parse(data) } as Received<Events>);
    }
  }
}
