// The dependencies of the routes. They use the store through `request.claret`.
import type { Claret } from '@claret/client';
import type { Cost } from '@claret/site/auth/password.ts';

import type { Usernames } from './actions/usernames.ts';
import type { Computations } from './computations.ts';
import type { LiveTopics } from './live/topics.ts';

export type Services = {
  /** the server's own client, for work that outlives a request */
  claret: Claret;
  computations: Computations;
  usernames: Usernames;
  topics: LiveTopics;
  password_cost: Cost;
  registrations_per_hour: number;
  /** URL of the cluster's dashboard; null: none */
  dashboard_url: string | null;
};
