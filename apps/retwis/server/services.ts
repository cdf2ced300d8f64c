// What the routes work with. The store they reach by `request.claret`.
import type { Claret } from '@claret/client';
import type { Cost } from '@claret/site/auth/password.ts';

import type { Usernames } from './actions/usernames.ts';
import type { LiveTopics } from './live/topics.ts';

export type Services = {
  /** the server's own client: for what outlives a request */
  claret: Claret;
  usernames: Usernames;
  topics: LiveTopics;
  password_cost: Cost;
  registrations_per_hour: number;
  /** where this cluster can be watched at work; null: nowhere */
  dashboard_url: string | null;
};
