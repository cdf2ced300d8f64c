// HTTP as a browser's visitors use it: connections are kept alive, and each site server has a bounded number of them. Bodies are read only if they
// are wanted or say what went wrong.

import { Agent, request, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { outcomeOf, type Outcome } from './outcome.ts';

const SOCKETS_MAX = 128;
const COST_HEADER = 'claret-cost';

export interface Sending {
  base: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
  wantsBody: boolean;
  /** until it counts as unanswered */
  patienceMs: number;
}

export interface Answer {
  /** 0: there was none */
  status: number;
  outcome: Outcome;
  /** empty: it was not wanted; without an answer, the reason */
  body: string;
  headers: IncomingMessage['headers'];
}

/** What the answer says about its transactions; null: nothing. */
export const costIn = ({ headers }: Answer): string | null => (headers[COST_HEADER] as string | undefined) ?? null;

export const agentOf = (sockets = SOCKETS_MAX): Agent => new Agent({ keepAlive: true, maxSockets: sockets });

/** Never rejects. */
export function send(agent: Agent, { base, method, path, headers, body, wantsBody, patienceMs }: Sending): Promise<Answer> {
  const { hostname, port } = addressOf(base);
  return new Promise((resolve) => {
    const end = (status: number, text: string, of: Answer['headers']) =>
      resolve({ status, outcome: outcomeOf(status, text), body: text, headers: of });
    const sending = request({ agent, hostname, port, method, path, headers, timeout: patienceMs }, (answer) => {
      const status = answer.statusCode!;
      answer.on('error', ({ message }) => end(0, message, {}));
      if (!wantsBody && status < 300) {
        answer.resume();
        answer.on('end', () => end(status, '', answer.headers));
        return;
      }
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const bytes = Buffer.concat(chunks);
        end(status, (answer.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString(), answer.headers);
      });
    });
    sending.on('timeout', () => sending.destroy(new Error('no answer in time')));
    sending.on('error', ({ message }) => end(0, message, {}));
    sending.end(body ?? undefined);
  });
}

const addresses = new Map<string, { hostname: string; port: string }>();

export function addressOf(base: string): { hostname: string; port: string } {
  const known = addresses.get(base);
  if (known !== undefined) return known;
  const { hostname, port } = new URL(base);
  addresses.set(base, { hostname, port });
  return { hostname, port };
}
