// k6 in the version of loadtest/load/k6: found, or built by Go.

export const K6_VERSION: string;

/** Path of the program; installs it if it is missing, which takes minutes. Rejects with a Problem that says what to do. */
export function ensureK6(env?: NodeJS.ProcessEnv): Promise<string>;
