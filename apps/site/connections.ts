// Connections below the routes: how much and how slowly a visitor may send, and what is answered to what is no request at all.
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyHttpOptions } from 'fastify';

import { SECURITY_HEADERS } from './headers.ts';

export const CONNECTION_LIMITS = {
  /** address, headers and cookies together */
  header_bytes_max: 16 * 1024,
  /** from a request's first byte to the end of its headers */
  headers_timeout_ms: 10_000,
  /** from a request's first byte to its last */
  request_timeout_ms: 20_000,
  /** how often both are looked at */
  check_every_ms: 5_000,
  /** nothing is sent and nothing is read, also in the middle of an answer; a live stream's heartbeat comes more often */
  silent_timeout_ms: 60_000,
} as const;

type Limits = { readonly [Name in keyof typeof CONNECTION_LIMITS]: number };

/** The part of Fastify's options that is about connections; `endSilent` is the rest. `limits`: lower only in tests. */
export function connectionOptions(limits: Limits = CONNECTION_LIMITS) {
  return {
    requestTimeout: limits.request_timeout_ms,
    http: {
      // Node's own answer to a request without a host would have none of our headers: app.ts gives one.
      requireHostHeader: false,
      maxHeaderSize: limits.header_bytes_max,
      headersTimeout: limits.headers_timeout_ms,
      connectionsCheckingInterval: limits.check_every_ms,
    },
    clientErrorHandler: answerNoRequest,
  } satisfies FastifyHttpOptions<Server>;
}

export function endSilent(server: Server, limits: Limits = CONNECTION_LIMITS): void {
  server.setTimeout(limits.silent_timeout_ms);
}

const STATUS_BY_CODE: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** What cannot be read as a request comes to no route and to no hook. The connection ends: what else is in it means nothing. */
function answerNoRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable && !isAnswering(socket)) socket.write(refusal(STATUS_BY_CODE[error.code ?? ''] ?? 400));
  socket.destroy();
}

// A whole request is at work, or its answer has begun: what is said now would be taken for that answer, or for a part of it.
function isAnswering(socket: Socket): boolean {
  const { _httpMessage: answer = null } = socket as Socket & { _httpMessage?: ServerResponse | null };
  return answer !== null && (answer.headersSent || answer.req.complete);
}

function refusal(status: number): string {
  const detail = 'This request cannot be read.';
  const body = JSON.stringify({ type: '/problems/invalid_input', title: 'invalid input', status, code: 'invalid_input', detail });
  const headers = {
    ...SECURITY_HEADERS,
    'cache-control': 'no-store',
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/** HTTP/1.1 asks for one (RFC 9112, section 3.2): of two, a proxy in front may have gone by the other. */
export function namesOneHost({ httpVersion, rawHeaders }: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]!.toLowerCase() === 'host') hosts++;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
