// The methods that each path takes, for requests with another one.
import type { RestServer } from './rest-server.ts';

/** REQUIRES: no route has been added yet. Returns the methods of the routes that a path fits: none if there is no such path. */
export function methodsOfPaths(app: RestServer): (path: string) => string[] {
  const routes = new Map<string, { fits: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    if (url === '/*') return; // the dashboard's files: what may be there is not known
    const route = routes.get(url) ?? { fits: patternOf(url), methods: new Set() };
    routes.set(url, route);
    for (const each of [method].flat()) route.methods.add(each);
  });
  return (path) => [...new Set([...routes.values()].flatMap(({ fits, methods }) => (fits.test(path) ? [...methods] : [])))].sort();
}

/** `:name` stands for one part of the path, `*` for any rest. */
const patternOf = (url: string): RegExp =>
  new RegExp(
    `^${url
      .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll(/:\w+/g, '[^/]+')
      .replaceAll('*', '.*')}$`,
  );
