// GET /v1/admin/backup: the whole cluster as one file (docs/wire-format.md, "Backups").
import { Readable } from 'node:stream';
import Type from 'typebox';
import type { Services } from '../services.ts';
import { responses } from './schemas.ts';
import type { RestServer } from './server.ts';

export function addBackup(app: RestServer, { backup }: Services): void {
  app.get(
    '/admin/backup',
    {
      exposeHeadRoute: false, // it would make one
      schema: {
        tags: ['admin'],
        summary: 'One consistent state of the whole cluster, as a file',
        description:
          'Holds whatever was acknowledged before the request. Every frame carries a checksum, and only a file that ends with its trailer is ' +
          'whole: an answer that breaks off is none. `npm run restore` makes data directories of it.',
        produces: ['application/octet-stream'],
        response: responses(200, Type.Unsafe<Readable>({ type: 'string', format: 'binary' })),
      },
    },
    async (_request, reply) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      if (reply.raw.destroyed) gone.abort();
      const made = await backup.begin(gone.signal);
      const name = `claret-${made.clusterName.replaceAll(/[^\w.-]/g, '_')}.backup`;
      reply.type('application/octet-stream').header('content-disposition', `attachment; filename="${name}"`);
      return Readable.from(made.file, { objectMode: false });
    },
  );
}
