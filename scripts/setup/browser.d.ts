// The browser of the tests: found, or installed.

/** Path of the program, or undefined: what CLARET_CHROMIUM says, else the first on the PATH that has no window, else the whole one. */
export function findBrowser(env?: NodeJS.ProcessEnv): string | undefined;
