// Both sites, as their visitors use them: the cluster starts them (scripts/cluster.js), and nothing else is asked of it.

import type { StartLoad } from './load.ts';

export const sites: StartLoad = async ({ gateways }) => {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const commits = async () => {
    const pages = await Promise.all(gateways.map(async ({ rest }) => (await fetch(`${rest}/metrics`)).text()));
    const counts = pages.flatMap((page) => [...page.matchAll(/^claret_commits_total\{home="true"\} (\d+)$/gm)]);
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  };
  let done = await commits();
  const timer = setInterval(async () => (done = await commits()), 5_000);
  return {
    about: 'both sites with their visitors, who bid and post now and then',
    unit: 'commits',
    get done() {
      return done;
    },
    ended,
    stop: async () => {
      clearInterval(timer);
      end();
    },
  };
};
