// /v1/admin/moves: slots that move between shards while both serve.
import Type from 'typebox';
import type { MoveState } from '../moving/slot-giver.ts';
import type { Services } from '../services.ts';
import { responses, tryOut } from './schemas.ts';
import type { RestServer } from './rest-server.ts';

const tags = ['admin'];
const PATH = '/admin/moves';
const SLOT = { minimum: 0, maximum: 16_383 };

const Slots = Type.Object(
  { first: Type.Integer(SLOT), last: Type.Integer({ ...SLOT, description: 'inclusive' }) },
  { additionalProperties: false },
);
const Body = Type.Object(
  {
    to: Type.Integer({ minimum: 0, maximum: 255, description: 'the shard that takes them' }),
    from: Type.Optional(Type.Integer({ minimum: 0, maximum: 255, description: 'the shard that gives them; needed with `count`' })),
    slots: Type.Optional(Slots),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 16_384, description: "in place of `slots`: the giver's last ones" })),
  },
  {
    additionalProperties: false,
    ...tryOut({ third: { summary: 'A third of what shard 0 has', value: { from: 0, to: 2, count: 2_731 } } }),
  },
);

const Move = Type.Object({
  move: Type.String(),
  from: Type.Integer(),
  to: Type.Integer(),
  slots: Slots,
  phase: Type.Enum(['copying', 'draining', 'handing_over', 'done', 'called_off', 'failed'], {
    description: 'draining: the slots are held for a moment; handing_over: they are given, and the move is completed whoever dies',
  }),
  bytes_sent: Type.Integer(),
  bytes_left: Type.Integer({ description: 'estimate' }),
  drains: Type.Integer({ description: 'how often the slots were held' }),
  held_ms: Type.Union([Type.Number(), Type.Null()], {
    description: "for how long nobody could use them, the last time; null: they were not held, or before the start of the giver's gateway",
  }),
  began_at_ms: Type.Integer({ description: 'wall clock' }),
  why: Type.Union([Type.String(), Type.Null()], { description: 'why it was called off, has failed, or goes on in vain at present' }),
});
const Overview = Type.Object({ moves: Type.Array(Move, { description: "each gateway's last one since its start" }) });
const Params = Type.Object({ move: Type.String({ maxLength: 64, description: 'id of the move', examples: ['0-2-9f2c01ab'] }) });

const shown = ({ bytesSent, bytesLeft, heldMs, beganAtMs, ...state }: MoveState) => ({
  ...state,
  bytes_sent: bytesSent,
  bytes_left: bytesLeft,
  held_ms: heldMs,
  began_at_ms: beganAtMs,
});

export function addMoves(app: RestServer, { ownMoves }: Services): void {
  const overview = async () => ({ moves: (await ownMoves.moves.list()).map(shown) });
  app.get(PATH, { schema: { tags, summary: 'List the moves of slots', response: responses(200, 'The moves', Overview) } }, overview);

  app.post(
    PATH,
    {
      schema: {
        tags,
        summary: 'Move slots to another shard',
        description:
          'Both shards serve meanwhile; the slots are held for a moment at the end. A shard gives one run of slots at a time (move_in_progress).',
        body: Body,
        response: responses(202, 'Begun', Move),
      },
    },
    async (request, reply) => {
      reply.code(202);
      return shown(await ownMoves.moves.begin(request.body));
    },
  );

  app.delete(
    `${PATH}/:move`,
    {
      schema: {
        tags,
        summary: 'Call a move off',
        description: 'Possible until the slots are given (move_given).',
        params: Params,
        response: responses(200, 'The moves', Overview),
      },
    },
    async (request) => {
      await ownMoves.moves.callOff(request.params.move);
      return overview();
    },
  );
}
