// What the routes work with.
import type { Claret } from '@claret/client';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawReplyDefaultExpression, RawRequestDefaultExpression, RawServerDefault } from 'fastify';

import type { Cost } from './auth/password.ts';
import type { LiveItems } from './live/items.ts';

export type Services = {
  claret: Claret;
  items: LiveItems;
  // the shortest auction that may be opened
  auction_seconds_min: number;
  password_cost: Cost;
};

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
