// The cluster as it is at work: the stream of a viewer (Server-Sent Events), the next few frames as one answer, and marks.
import Type from 'typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { TELEMETRY_VERSION } from '@claret/ui/telemetry';
import { ERRORS, GatewayError } from '../errors.ts';
import type { Services } from '../services.ts';
import { frameHead } from '../telemetry/cluster-telemetry.ts';
import type { ClusterTelemetry } from '../telemetry/cluster-telemetry.ts';
import { EventViewer } from '../telemetry/event-viewer.ts';
import { FRAMES_PER_SECOND } from '../telemetry/pace.ts';
import { responses } from './schemas.ts';
import type { RestServer } from './server.ts';
import { FramesSchema, MarkSchema } from './telemetry-schemas.ts';

const tags = ['telemetry'];
const FRAMES_MAX = 25;

const Query = Type.Object(
  { frames: Type.Optional(Type.Integer({ default: 1, minimum: 1, maximum: FRAMES_MAX, description: 'how many to wait for' })) },
  { additionalProperties: false },
);

const NoteBody = Type.Object(
  { text: Type.String({ description: '1 to 80 printable characters' }) },
  { additionalProperties: false },
);

export function addTelemetry(app: RestServer, { telemetry, marks }: Services): void {
  app.get(
    '/telemetry',
    {
      schema: {
        tags,
        summary: 'The next frames of the whole cluster',
        description: `All shards on one time axis, ${FRAMES_PER_SECOND} frames a second. Each tells of the time since the one before.`,
        querystring: Query,
        response: responses(200, FramesSchema),
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
      exposeHeadRoute: false, // it would never end
      schema: {
        tags,
        summary: 'Everything that viewers are shown, as it happens (Server-Sent Events)',
        description:
          'Events `welcome`, then `frame` and `mark`; the data of each is JSON: WelcomeMessage, FrameMessage and MarkMessage of ' +
          'ui/telemetry/frame.ts. A viewer that reads too slowly misses frames, and is told how many.',
        produces: ['text/event-stream'],
      },
    },
    (request, reply) => stream(telemetry, request, reply),
  );

  app.post(
    '/admin/marks',
    {
      schema: {
        tags: ['admin'],
        summary: 'Mark the present moment on the time axis of all viewers',
        body: NoteBody,
        response: responses(201, MarkSchema),
      },
    },
    async (request, reply) => {
      reply.code(201);
      return marks.note(request.body.text);
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

/** The texts of that many frames, or fewer where whoever asked has left. Throws too_many_viewers, closing. */
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
