// For tests: the reading end of an event stream, over a real connection.
import { request, type ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { LiveEvents } from '../api.ts';
import type { App } from '../services.ts';

export type Received = { [Name in keyof LiveEvents]: { id: string; event: Name; data: LiveEvents[Name] } }[keyof LiveEvents];

export class EventReader {
  readonly events: Received[] = [];
  readonly status: Promise<number>;
  readonly #request: ClientRequest;
  #text = '';

  // REQUIRES: the app listens.
  constructor(app: App, url: string, headers: Record<string, string> = {}) {
    const { port } = app.server.address() as AddressInfo;
    this.#request = request({ host: '127.0.0.1', port, path: url, headers });
    this.status = new Promise((resolve) => {
      this.#request.on('response', (response) => {
        resolve(response.statusCode ?? 0);
        response.setEncoding('utf8').on('data', (chunk: string) => this.#take(chunk));
        response.on('error', () => undefined); // what close() causes
      });
      this.#request.on('error', () => resolve(0));
    });
    this.#request.end();
  }

  close(): void {
    this.#request.destroy();
  }

  of<Name extends keyof LiveEvents>(name: Name): LiveEvents[Name][] {
    return this.events.filter((one) => one.event === name).map((one) => one.data as LiveEvents[Name]);
  }

  last<Name extends keyof LiveEvents>(name: Name): LiveEvents[Name] | undefined {
    return this.of(name).at(-1);
  }

  get lastEventId(): string {
    return this.events.at(-1)?.id ?? '';
  }

  #take(chunk: string): void {
    this.#text += chunk;
    const blocks = this.#text.split('\n\n');
    this.#text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
      const [id, event, data] = [fields.get('id'), fields.get('event'), fields.get('data')];
      if (id !== undefined && event !== undefined && data !== undefined) {
        this.events.push({ id, event, data: JSON.parse(data) } as Received);
      }
    }
  }
}
