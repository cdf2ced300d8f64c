// The dependencies of the routes.
import type { Claret } from '@claret/client';
import type { Cost } from '@claret/site/auth/password.ts';

import type { Computations } from './computations.ts';
import type { LiveItems } from './live/items.ts';
import type { SoldOut } from './live/sold-out.ts';

export type Services = {
  claret: Claret;
  computations: Computations;
  items: LiveItems;
  sold_out: SoldOut;
  // the shortest auction that may be opened
  auction_seconds_min: number;
  password_cost: Cost;
  registrations_per_hour: number;
  // URL of the cluster's dashboard; null: none
  dashboard_url: string | null;
};
