// Attacks on the timelines site: the security tests of every site (apps/site/testing/security).
import { answersAreProtected } from '@claret/site/testing/security/answers.ts';
import { inputIsHarmless } from '@claret/site/testing/security/input.ts';
import { sessionsAreSafe } from '@claret/site/testing/security/sessions.ts';
import type { SecuredSite } from '@claret/site/testing/security/site.ts';
import { PASSWORD } from '@claret/site/testing/security/site.ts';
import { TEST_COST } from '@claret/site/testing/visitor.ts';
import { afterAll, beforeAll } from 'vitest';

import { ERROR_STATUS } from '../api.ts';
import { buildApp } from '../app.ts';
import { startWorld, type World } from '../testing/world.ts';

let world: World;
beforeAll(async () => void (world = await startWorld()));
afterAll(() => world.stop());

const site: SecuredSite = {
  cookie: 'claret_timelines',
  statuses: ERROR_STATUS,
  build: (options) => buildApp({ ...options, claret: world.claret, password_cost: TEST_COST }),
  registration: (username) => ({ username, password: PASSWORD }),
  login: (username, password) => ({ username, password }),
  withoutPassword: async (username) => void (await world.person(username)),
};

answersAreProtected(site);
sessionsAreSafe(site);
inputIsHarmless(site);
