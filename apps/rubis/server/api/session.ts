// The catalogue of the site, and the session.
import { Type, type Static } from 'typebox';

import { LIMITS } from './limits.ts';
import { closed, Id, nullable, TimeMs } from './common.ts';

// GET /api/catalogue: changes only with a release.
export const Category = Type.Object({ id: Id, name: Type.String(), group: Type.String() });
export type Category = Static<typeof Category>;
export const Region = Type.Object({ id: Id, name: Type.String(), state: Type.String() });
export type Region = Static<typeof Region>;
export const Catalogue = Type.Object({
  categories: Type.Array(Category), // 40; two share each `group`
  regions: Type.Array(Region), // 62
  // A bid raises the price by at least `increment_cents` while the price is below `below_cents` (null: any higher price).
  increments: Type.Array(Type.Object({ below_cents: nullable(Type.Integer()), increment_cents: Type.Integer() })),
  // Accounts for trying the site; empty if no data set with them is loaded.
  demo_accounts: Type.Array(Type.Object({ nickname: Type.String(), password: Type.String() })),
});
export type Catalogue = Static<typeof Catalogue>;

// GET /api/session
export const Session = Type.Object({
  user: nullable(Type.Object({ id: Id, nickname: Type.String(), region_id: Id })),
  // URL of the cluster's dashboard; null: none
  dashboard_url: nullable(Type.String()),
  server_time_ms: TimeMs,
});
export type Session = Static<typeof Session>;

// POST /api/register, answers Session (201) and sets the cookie
export const Nickname = Type.String({
  minLength: LIMITS.nickname_length_min,
  maxLength: LIMITS.nickname_length_max,
  pattern: '^[A-Za-z][A-Za-z0-9_]*$',
});
export const RegisterRequest = Type.Object(
  {
    nickname: Nickname,
    password: Type.String({ minLength: LIMITS.password_length_min, maxLength: LIMITS.password_length_max }),
    region_id: Id,
  },
  closed,
);
export type RegisterRequest = Static<typeof RegisterRequest>;

// POST /api/login, answers Session and sets the cookie. POST /api/logout: no body, answers Session.
export const LoginRequest = Type.Object(
  {
    nickname: Type.String({ minLength: 1, maxLength: LIMITS.nickname_length_max }),
    password: Type.String({ minLength: 1, maxLength: LIMITS.password_length_max }),
  },
  closed,
);
export type LoginRequest = Static<typeof LoginRequest>;
