// For tests: the properties of a site that the security tests need. Each site's routes/security.test.ts provides them.
import type { SiteOptions } from '../../app.ts';
import type { App } from '../../http.ts';

export type SecuredSite = {
  /** the name of the session cookie over plain HTTP */
  cookie: string;
  /** its ERROR_STATUS */
  statuses: Readonly<Record<string, number>>;
  /** an app server on the test's cluster, with cheap hashes; the caller closes it */
  build: (options?: Omit<SiteOptions, 'claret'>) => Promise<App>;
  /** what a person of this name sends to register, and to log in */
  registration: (name: string) => Record<string, unknown>;
  login: (name: string, password: string) => Record<string, unknown>;
  /** creates a person of the data set: with a name and without a password */
  withoutPassword: (name: string) => Promise<void>;
};

export const PASSWORD = 'correct horse';
