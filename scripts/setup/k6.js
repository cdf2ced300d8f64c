// k6, the load generator, in the one version for which the scripts of loadtest/load/k6 are written.
import { ensureGoTool, findGoTool } from './go-tool.js';

export const K6_VERSION = '1.8.1';

/** @param {string} answer of `k6 version` */
export const isRightK6 = (answer) =>
  answer.split('\n').some((line) => line.startsWith(`k6 v${K6_VERSION} `) || line === `k6 v${K6_VERSION}`);

/** @type {import('./go-tool.js').GoTool} */
const K6 = {
  name: 'k6',
  version: K6_VERSION,
  module: `go.k6.io/k6@v${K6_VERSION}`,
  goOldest: [1, 25],
  asks: ['version'],
  isRight: isRightK6,
  users: 'Load tests',
  download: `https://github.com/grafana/k6/releases/tag/v${K6_VERSION}`,
};

/** @param {NodeJS.ProcessEnv} [env] @returns {Promise<string | null>} path of the program; null: that version is not installed */
export const findK6 = (env) => findGoTool(K6, env);

/**
 * @param {NodeJS.ProcessEnv} [env] @param {string[]} [goFolders] folders to search for Go in addition to the PATH
 * @returns {Promise<string>} path of the program; installs it if it is missing
 */
export const ensureK6 = (env, goFolders) => ensureGoTool(K6, env, goFolders);
