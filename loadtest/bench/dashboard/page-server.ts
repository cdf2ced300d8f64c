// Serves what a gateway serves for the dashboard, without a cluster: the built page, and a generated stream of telemetry.

import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { SyntheticCluster, type SyntheticOptions } from '../../../ui/dashboard/src/testing/synthetic.ts';

const MEDIA_TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export class PageServer {
  private readonly server: Server;
  private readonly folder: string;
  private readonly options: Partial<SyntheticOptions>;
  private readonly history_s: number;

  /** Serves `folder`; each stream begins with `history_s` seconds of telemetry at once. */
  constructor(folder: string, options: Partial<SyntheticOptions>, history_s: number) {
    this.folder = folder;
    this.options = options;
    this.history_s = history_s;
    this.server = createServer((request, response) => {
      const path = new URL(request.url!, 'http://page').pathname;
      if (path === '/v1/telemetry/stream') this.stream(response);
      else if (path.startsWith('/v1/')) response.writeHead(404).end();
      else void this.serve(path, response);
    });
  }

  /** Returns the base URL. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(path: string, response: ServerResponse): Promise<void> {
    const file = extname(path) === '' ? '/index.html' : normalize(path);
    try {
      const body = await readFile(join(this.folder, file));
      response.writeHead(200, { 'content-type': MEDIA_TYPES[extname(file)] ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  }

  private stream(response: ServerResponse): void {
    const cluster = new SyntheticCluster({ ...this.options, began_ms: Date.now() - this.history_s * 1_000 });
    const { frame_ms } = cluster.options;
    const send = (message: { kind: string }) => response.write(`event: ${message.kind}\ndata: ${JSON.stringify(message)}\n\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    for (const message of cluster.messages((this.history_s * 1_000) / frame_ms)) send(message);
    const timer = setInterval(() => send(cluster.frame()), frame_ms);
    response.on('close', () => clearInterval(timer));
  }
}
