// GET /v1/admin/backup: the whole cluster as one file (docs/wire-format.md, "Backups").
import { Readable } from 'node:stream';
import Type from 'typebox';
import type { Services } from '../services.ts';
import { responses } from './schemas.ts';
import type { RestServer } from './rest-server.ts';

export function addBackup(app: RestServer, { backup }: Services): void {
  app.get(
    '/admin/backup',
    {
      exposeHeadRoute: false, // HEAD would run a backup
      schema: {
        tags: ['admin'],
        summary: 'Download a backup of the whole cluster',
        description:
          'One consistent state of all shards, with everything that was acknowledged before the request. Every chunk carries a checksum. ' +
          'Only a file that ends with its trailer is complete. `npm run restore` turns it into data directories.',
        produces: ['application/octet-stream'],
        response: responses(200, 'The file', Type.Unsafe<Readable>({ type: 'string', format: 'binary' })),
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
