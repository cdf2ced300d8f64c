// For tests: what the security tests have to know of a site. Each site's routes/security.test.ts names itself to them.
import type { SiteOptions } from '../../app.ts';
import type { App } from '../../http.ts';

export type SecuredSite = {
  /** what its session cookie is called over plain HTTP */
  cookie: string;
  /** its ERROR_STATUS */
  statuses: Readonly<Record<string, number>>;
  /** an app server on the test's cluster, with cheap hashes; closed by who built it */
  build: (options?: Omit<SiteOptions, 'claret'>) => Promise<App>;
  /** what a person of this name sends to register, and to log in */
  registration: (name: string) => Record<string, unknown>;
  login: (name: string, password: string) => Record<string, unknown>;
  /** somebody of the data set: they have a name and no password */
  withoutPassword: (name: string) => Promise<void>;
};

export const PASSWORD = 'correct horse';
