// The browser of the tests: found or installed.

/** Path of the program, or undefined: CLARET_CHROMIUM, else the first headless Chromium on the PATH, else the first full one. */
export function findBrowser(env?: NodeJS.ProcessEnv): string | undefined;
