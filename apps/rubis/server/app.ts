// Assembles the auction site's server. It does not listen (main.ts does) and owns no data (the store does).
import { siteApp, type SiteOptions } from '@claret/site/app.ts';
import { COST, type Cost } from '@claret/site/auth/password.ts';
import { REGISTRATIONS_PER_HOUR } from '@claret/site/auth/registration.ts';
import type { App } from '@claret/site/http.ts';

import { computationsOf } from './computations.ts';
import { LiveItems } from './live/items.ts';
import { SoldOut } from './live/sold-out.ts';
import { problems } from './problem.ts';
import { publicResources } from './resources.ts';
import { auctionPageRoute } from './routes/auction-page.ts';
import { buyingRoutes } from './routes/buying.ts';
import { itemRoutes } from './routes/items.ts';
import { pastRoutes } from './routes/past.ts';
import { listRoutes } from './routes/lists.ts';
import { liveRoutes } from './routes/live.ts';
import { peopleRoutes } from './routes/people.ts';
import { sessionRoutes } from './routes/session.ts';
import { watchingRoutes } from './routes/watching.ts';
import type { Services } from './services.ts';

export const AUCTION_SECONDS_MIN = 60;

export type AppOptions = SiteOptions & {
  auction_seconds_min?: number;
  // tests alone set a lower cost
  password_cost?: Cost;
  live_auctions_max?: number;
};

export async function buildApp(options: AppOptions): Promise<App> {
  const { claret } = options;
  const sold_out = new SoldOut(claret, (error, item_id) => app.log.warn({ err: error, item_id }, 'sold out and not closed yet'));
  const services: Services = {
    claret,
    computations: computationsOf(claret),
    items: new LiveItems(
      claret,
      (error, topic) => app.log.error({ err: error, topic }, 'cannot be told live'),
      (item_id) => sold_out.seen(item_id),
      options.live_auctions_max,
    ),
    sold_out,
    auction_seconds_min: options.auction_seconds_min ?? AUCTION_SECONDS_MIN,
    password_cost: options.password_cost ?? COST,
    registrations_per_hour: options.registrations_per_hour ?? REGISTRATIONS_PER_HOUR,
    dashboard_url: options.dashboard_url ?? null,
  };
  const routes = (api: App) => {
    sessionRoutes(api, services);
    listRoutes(api, services);
    itemRoutes(api, services);
    auctionPageRoute(api, services);
    pastRoutes(api);
    buyingRoutes(api, services);
    peopleRoutes(api, services);
    watchingRoutes(api, services);
    liveRoutes(api, services);
  };
  const app = await siteApp(options, problems, routes, (add) => publicResources(add, services.computations, claret.clock));
  app.addHook('onClose', async () => {
    sold_out.close();
    services.items.close();
  });
  return app;
}
