// Limits on connections below the routes: how much and how slowly a visitor may send, and the answer to a malformed request.
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyHttpOptions, FastifyInstance } from 'fastify';

import { SECURITY_HEADERS } from './headers.ts';

export const CONNECTION_LIMITS = {
  /** URL, headers and cookies together */
  header_bytes_max: 16 * 1024,
  /** from a request's first byte to the end of its headers */
  headers_timeout_ms: 10_000,
  /** from a request's first byte to its last */
  request_timeout_ms: 20_000,
  /** how often both timeouts are checked */
  check_every_ms: 5_000,
  /** no byte sent or received, also in the middle of an answer; a live stream's heartbeat comes more often */
  silent_timeout_ms: 60_000,
} as const;

type Limits = { readonly [Name in keyof typeof CONNECTION_LIMITS]: number };

/** The Fastify options for connections; `closeSilentConnections` sets the rest. Tests alone set lower `limits`. */
export function connectionOptions(limits: Limits = CONNECTION_LIMITS) {
  return {
    requestTimeout: limits.request_timeout_ms,
    http: {
      // Node's own answer to a request without a host would lack our headers: app.ts answers it.
      requireHostHeader: false,
      maxHeaderSize: limits.header_bytes_max,
      headersTimeout: limits.headers_timeout_ms,
      connectionsCheckingInterval: limits.check_every_ms,
    },
    clientErrorHandler: answerNoRequest,
  } satisfies FastifyHttpOptions<Server>;
}

export function closeSilentConnections(server: Server, limits: Limits = CONNECTION_LIMITS): void {
  server.setTimeout(limits.silent_timeout_ms);
}

/**
 * Lets the server close as soon as its requests are answered. Node would wait for connections that browsers have opened in advance, and for those
 * of answers that came after the close began, until they time out.
 */
export function closePromptly(app: FastifyInstance): void {
  const unused = new Set<Socket>();
  let closing = false;
  app.server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  app.server.on('request', ({ socket }) => unused.delete(socket));
  app.addHook('preClose', async () => {
    closing = true;
    for (const socket of unused) socket.destroy();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (closing) reply.header('connection', 'close');
    done();
  });
}

const STATUS_BY_CODE: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 };

/** A malformed request reaches no route and no hook. The connection ends: the bytes that follow cannot be interpreted. */
function answerNoRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable && !isAnswering(socket)) socket.write(refusal(STATUS_BY_CODE[error.code ?? ''] ?? 400));
  socket.destroy();
}

// A complete request is in flight, or its answer has begun: a client would take further bytes for that answer or a part of it.
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

/** HTTP/1.1 requires exactly one host (RFC 9112, section 3.2): with two, a proxy in front may have routed by the other one. */
export function namesOneHost({ httpVersion, rawHeaders }: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]!.toLowerCase() === 'host') hosts++;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
