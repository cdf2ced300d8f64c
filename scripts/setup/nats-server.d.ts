// nats-server in the version of the replicated log: found, or built by Go.

export const NATS_SERVER_VERSION: string;

/** Path of the program; null: that version is not installed. */
export function findNatsServer(env?: NodeJS.ProcessEnv): Promise<string | null>;

/** Path of the program; installs it if it is missing, which takes a minute. Rejects with a Problem that says what to do. */
export function ensureNatsServer(env?: NodeJS.ProcessEnv): Promise<string>;
