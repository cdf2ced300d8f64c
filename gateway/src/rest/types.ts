// /v1/types: the data types, and the installation of types of an application's own (docs/types-of-your-own.md). Changes need the admin token, where
// the cluster has one.
import Type from 'typebox';
import type { FastifyRequest } from 'fastify';
import type { Services } from '../services.ts';
import { SECONDS_MAX } from '../store/type-trials.ts';
import { signalOf } from './caller.ts';
import { responses, tryOut } from './schemas.ts';
import type { RestServer } from './rest-server.ts';

const tags = ['types'];

const installedType = {
  id: Type.Integer({ description: '128 to 247; the type keeps it for good' }),
  name: Type.String(),
  version: Type.Integer({ description: 'of the definition; a greater one replaces it' }),
  hash: Type.String({ description: 'SHA-256 of the definition, in hexadecimal digits' }),
  retired: Type.Boolean({ description: 'its operations are refused, and its records can be deleted' }),
};
const InstalledType = Type.Object(installedType);

const Catalogue = Type.Object({
  types: Type.Array(Type.Unknown(), { description: 'with `"installed": true` those that are not built in, unless they are retired' }),
  record: Type.Unknown({ description: 'the operations that every record has, as of a type' }),
  installed: Type.Array(InstalledType, { description: 'at this shard, those that are retired included' }),
});

const shards = Type.Array(
  Type.Object({
    shard: Type.Integer(),
    types: Type.Union([Type.Array(InstalledType), Type.Null()], { description: 'null: the shard did not answer' }),
    done: Type.Boolean({ description: 'false: not yet in force, or not yet durable' }),
    error: Type.Optional(Type.String()),
  }),
);
const Shown = Type.Object({ ...installedType, definition: Type.String({ description: 'JSON text' }), shards });

const Report = Type.Object({
  hash: installedType.hash,
  name: Type.String(),
  version: Type.Integer(),
  seed: Type.String({ description: 'the same seed tries the same cases' }),
  pairs: Type.Array(
    Type.Object({
      first: Type.String(),
      second: Type.String(),
      together: Type.Integer({ description: 'how often both held a record together' }),
      apart: Type.Integer({ description: 'how often they could not' }),
      waited: Type.Integer({ description: 'how often a reservation had to wait' }),
    }),
  ),
  failure: Type.Optional(
    Type.Object(
      {
        law: Type.String(),
        of: Type.String({ description: 'the operations; empty: the whole type' }),
        broken: Type.String(),
        case: Type.String({ description: 'the least history that was found, in lines' }),
        seed: Type.String(),
      },
      { description: 'absent: no law is broken' },
    ),
  ),
});
const Changed = Type.Object({ type: InstalledType, report: Type.Optional(Report), shards });

const definition = Type.String({ minLength: 1, description: 'JSON text, as `defineType` of the client writes it; up to 64 KiB' });
const NameParams = Type.Object({ name: Type.String({ description: 'name of an installed type', examples: ['Tally'] }) });

const TALLY =
  '{"format":1,"name":"Tally","version":1,"meaning":"A tally that only grows.","fields":[{"name":"sum","type":"Counter","each":false}],"operations":[' +
  '{"name":"add","meaning":"Adds n.","parameters":[{"name":"n","kind":"integer","meaning":"how many"}],"result":"void",' +
  '"require":[{"that":["<=",0,["argument",0]],"code":"negative","message":"it only grows"}],"answer":null,' +
  '"writes":[{"field":0,"key":null,"operation":"add","arguments":[["argument",0]],"when":null}]},' +
  '{"name":"reached","meaning":"Whether it is at the goal.","parameters":[{"name":"goal","kind":"integer","meaning":""}],"result":"boolean",' +
  '"require":[],"answer":["<=",["argument",0],["read",0,null,"value"]],"writes":[]}],"commutes":[{"first":"add","second":"reached","when":["answer",1]}]}';
const EXAMPLE = { summary: 'A tally: additions go on beside the answer that it has reached a goal', value: { definition: TALLY } };

const Install = Type.Object({ definition }, { additionalProperties: false, ...tryOut({ tally: EXAMPLE }) });
const Check = Type.Object(
  {
    definition,
    seconds: Type.Optional(Type.Number({ minimum: 0.1, maximum: SECONDS_MAX, description: 'how long to search; 2 by default' })),
    seed: Type.Optional(Type.String({ pattern: '^\\d{1,20}$', description: 'of an earlier report' })),
  },
  { additionalProperties: false, ...tryOut({ tally: EXAMPLE }) },
);

const fromOf = ({ ip, id }: FastifyRequest) => `${ip}, request ${id}`;

export function addTypes(app: RestServer, services: Services): void {
  const { catalogue, types } = services;

  app.get(
    '/types',
    {
      schema: {
        tags,
        summary: 'List the data types: operations, modes, commutativity',
        response: responses(200, 'The catalogue', Catalogue),
      },
    },
    async (_request, reply) => {
      const installed = JSON.stringify(types.own.list().types);
      reply.type('application/json; charset=utf-8').serializer(() => `${catalogue.json.slice(0, -1)},"installed":${installed}}`);
      return { types: [], record: {}, installed: [] }; // ignored by the serializer
    },
  );

  app.get(
    '/types/:name',
    {
      schema: {
        tags,
        summary: 'Read an installed data type: its definition, and what each shard has',
        params: NameParams,
        response: responses(200, 'The type', Shown),
      },
    },
    async ({ params }) => {
      const type = types.find(params.name);
      return { ...type, definition: types.own.withId(type.id)!.definition, shards: await types.everywhere() };
    },
  );

  app.post(
    '/types/check',
    {
      schema: {
        tags,
        summary: 'Try the laws on a definition; installs nothing',
        description:
          'Takes as long as `seconds` says, or longer if not every law was tried once by then. One definition is tried at a time. A trial ends when its caller disconnects.',
        body: Check,
        response: responses(200, 'The report', Report),
      },
    },
    async ({ body: { definition: text, ...trial } }, reply) => types.check(text, { ...trial, signal: signalOf(reply) }),
  );

  app.post(
    '/types',
    {
      schema: {
        tags,
        summary: 'Install a data type, or a later version of it',
        description:
          'The laws are tried on the very text first, unless they were within the last ten minutes (type_broken). All shards get the type, or none ' +
          '(shard_unavailable, type_conflict). A shard that is cut off during the change follows (types_partial). The same text again changes nothing.',
        body: Install,
        response: responses(200, 'Installed', Changed),
      },
    },
    async (request) => types.install(request.body.definition, fromOf(request)),
  );

  app.delete(
    '/types/:name',
    {
      schema: {
        tags,
        summary: 'Retire an installed data type',
        description: 'Its operations are refused from now on (type_retired), and its records can be deleted. Installed again, it is back.',
        params: NameParams,
        response: responses(200, 'Retired', Changed),
      },
    },
    async (request) => types.retire(request.params.name, fromOf(request)),
  );
}
