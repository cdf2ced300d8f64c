// nats-server, the replicated log's engine, in the one version with which its tests and measurements were made.
import { ensureGoTool, findGoTool } from './go-tool.js';

export const NATS_SERVER_VERSION = '2.15.2';

/** @param {string} answer of `nats-server --version` */
export const isRightNatsServer = (answer) => answer.split('\n').some((line) => line.trim() === `nats-server: v${NATS_SERVER_VERSION}`);

/** @type {import('./go-tool.js').GoTool} */
const NATS_SERVER = {
  name: 'nats-server',
  version: NATS_SERVER_VERSION,
  module: `github.com/nats-io/nats-server/v2@v${NATS_SERVER_VERSION}`,
  goOldest: [1, 25],
  asks: ['--version'],
  isRight: isRightNatsServer,
  users: 'Replicated logs',
  download: `https://github.com/nats-io/nats-server/releases/tag/v${NATS_SERVER_VERSION}`,
};

/** @param {NodeJS.ProcessEnv} [env] @returns {Promise<string | null>} path of the program; null: that version is not installed */
export const findNatsServer = (env) => findGoTool(NATS_SERVER, env);

/**
 * @param {NodeJS.ProcessEnv} [env] @param {string[]} [goFolders] folders to search for Go in addition to the PATH
 * @returns {Promise<string>} path of the program; installs it if it is missing
 */
export const ensureNatsServer = (env, goFolders) => ensureGoTool(NATS_SERVER, env, goFolders);
