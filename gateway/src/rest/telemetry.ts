// The telemetry of the cluster: a viewer's stream of server-sent events, the next few frames as one response, the history, and marks.
import { Readable } from 'node:stream';
import { constants, createGzip } from 'node:zlib';
import Type from 'typebox';
import type { FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { TELEMETRY_VERSION, frameMessage, markMessage } from '@claret/client/telemetry';
import { ERRORS, GatewayError } from '../errors.ts';
import type { Services } from '../services.ts';
import type { ClusterTelemetry } from '../telemetry/cluster-telemetry.ts';
import { EventViewer } from '../telemetry/event-viewer.ts';
import { frameHead } from '../telemetry/frame-text.ts';
import { FRAMES_PER_SECOND } from '../telemetry/pace.ts';
import { openToPagesOf } from './other-gateways.ts';
import { responses, tryOut, typed } from './schemas.ts';
import type { RestServer } from './rest-server.ts';

const tags = ['telemetry'];
const FRAMES_MAX = 25;

const Frames = Type.Object({ version: Type.Integer({ description: 'of the messages' }), frames: Type.Array(typed(frameMessage)) });

const Query = Type.Object(
  { frames: Type.Optional(Type.Integer({ default: 1, minimum: 1, maximum: FRAMES_MAX, description: 'number of frames to wait for' })) },
  { additionalProperties: false },
);

const HistoryQuery = Type.Object(
  { since_ms: Type.Optional(Type.Number({ minimum: 0, description: 'only frames that were sent later: their `at_ms` is greater' })) },
  { additionalProperties: false },
);

const NoteBody = Type.Object(
  { text: Type.String({ description: '1 to 80 printable characters' }) },
  { additionalProperties: false, ...tryOut({ note: { summary: 'A note', value: { text: 'new version live' } } }) },
);

export function addTelemetry(app: RestServer, { telemetry, marks, overview }: Services): void {
  const opened = overview && { onRequest: openToPagesOf(overview) };
  app.get(
    '/telemetry',
    {
      schema: {
        tags,
        summary: 'Wait for the next frames of the whole cluster',
        description: `All shards on one time axis, ${FRAMES_PER_SECOND} frames a second. Each frame covers the time since the one before.`,
        querystring: Query,
        response: responses(200, 'The frames', Frames),
      },
    },
    async (request, reply) => {
      const frames = await nextFrames(telemetry, request.query.frames ?? 1, reply);
      const json = `{"version":${TELEMETRY_VERSION},"frames":[${frames.join(',')}]}`;
      reply.type('application/json; charset=utf-8').serializer(() => json);
      return { version: TELEMETRY_VERSION, frames: [] };
    },
  );

  app.get(
    '/telemetry/stream',
    {
      ...opened,
      exposeHeadRoute: false, // it would never end
      schema: {
        tags,
        summary: 'Stream telemetry as server-sent events',
        description:
          'Events `welcome`, then `frame` and `mark`; the data of each is JSON: WelcomeMessage, FrameMessage and MarkMessage of ' +
          'client/telemetry/messages.ts. A viewer that reads too slowly misses frames, and is told their number.',
        produces: ['text/event-stream'],
        response: { 200: Type.String({ description: 'Events without end' }) },
      },
    },
    (request, reply) => stream(telemetry, request, reply),
  );

  addHistory(app, telemetry, opened);
  app.post(
    '/admin/marks',
    {
      schema: {
        tags: ['admin'],
        summary: 'Put a note on the time axis of every dashboard',
        body: NoteBody,
        response: responses(201, 'Marked', typed(markMessage), { at_ms: 1_763_726_400_000, what: { note: 'new version live' } }),
      },
    },
    async (request, reply) => {
      reply.code(201);
      return marks.note(request.body.text);
    },
  );
}

function addHistory(app: RestServer, telemetry: ClusterTelemetry, opened: RouteShorthandOptions | undefined): void {
  app.get(
    '/telemetry/history',
    {
      ...opened,
      schema: {
        tags,
        summary: 'Download the last ten minutes as a recording',
        description:
          'One frame a second for up to ten minutes, within 24 MiB of text, then what the stream would have sent. Gzip of JSON lines, a file ' +
          'that the dashboard opens. Only a gateway that serves the dashboard keeps it (no_history).',
        querystring: HistoryQuery,
        produces: ['application/gzip'],
        response: { 200: Type.Unsafe<Readable>({ type: 'string', format: 'binary', description: 'The recording' }) },
      },
    },
    async (request, reply) => {
      const lines = telemetry.recording(request.query.since_ms);
      if (lines === null) throw new GatewayError('no_history', ERRORS.no_history.meaning);
      const zip = createGzip({ level: constants.Z_BEST_SPEED });
      reply.type('application/gzip').header('cache-control', 'no-store');
      return reply.send(Readable.from(lines).pipe(zip));
    },
  );
}

function stream(telemetry: ClusterTelemetry, request: FastifyRequest, reply: FastifyReply): void {
  telemetry.refuseWhenFull();
  const lastSeen = request.headers['last-event-id'];
  if (typeof lastSeen === 'string') telemetry.cameBack(lastSeen);
  reply.hijack();
  if (request.socket.destroyed) return;
  const detach = telemetry.attach(new EventViewer(reply.raw, telemetry));
  reply.raw.on('close', detach);
  reply.raw.on('error', detach);
}

/** The texts of the next `count` frames, or fewer if the client disconnects. Throws too_many_viewers, closing. */
function nextFrames(telemetry: ClusterTelemetry, count: number, reply: FastifyReply): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const frames: string[] = [];
    const end = () => {
      detach();
      resolve(frames);
    };
    const detach = telemetry.attach({
      take({ text }) {
        frames.push(frameHead(frames.length + 1, 0) + text);
        if (frames.length === count) end();
      },
      close: () => reject(new GatewayError('closing', ERRORS.closing.meaning)),
    });
    reply.raw.once('close', end);
  });
}
