// Assembles the timelines site's server. It does not listen (main.ts does) and owns no data (the store does).
import { siteApp, type SiteOptions } from '@claret/site/app.ts';
import { COST, type Cost } from '@claret/site/auth/password.ts';
import { REGISTRATIONS_PER_HOUR } from '@claret/site/auth/registration.ts';
import type { App } from '@claret/site/http.ts';

import { Usernames } from './actions/usernames.ts';
import { computationsOf } from './computations.ts';
import { LiveTopics } from './live/topics.ts';
import { problems } from './problem.ts';
import { publicResources } from './resources.ts';
import { listRoutes } from './routes/lists.ts';
import { liveRoutes } from './routes/live.ts';
import { peopleRoutes } from './routes/people.ts';
import { postRoutes } from './routes/posts.ts';
import { sessionRoutes } from './routes/session.ts';
import { timelineRoutes } from './routes/timeline.ts';
import type { Services } from './services.ts';

export type AppOptions = SiteOptions & {
  /** tests alone set a lower cost */
  password_cost?: Cost;
};

export async function buildApp(options: AppOptions): Promise<App> {
  const services: Services = {
    claret: options.claret,
    computations: computationsOf(options.claret),
    usernames: new Usernames(),
    topics: new LiveTopics(options.claret, (error, topic) => app.log.error({ err: error, topic }, 'cannot be told live')),
    password_cost: options.password_cost ?? COST,
    registrations_per_hour: options.registrations_per_hour ?? REGISTRATIONS_PER_HOUR,
    dashboard_url: options.dashboard_url ?? null,
  };
  const routes = (api: App) => {
    sessionRoutes(api, services);
    timelineRoutes(api, services);
    postRoutes(api, services);
    peopleRoutes(api, services);
    listRoutes(api, services);
    liveRoutes(api, services);
  };
  const app = await siteApp(options, problems, routes, (add) => publicResources(add, services.computations));
  app.addHook('onClose', async () => services.topics.close());
  return app;
}
