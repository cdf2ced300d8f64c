// The `--help` texts of commands that do not list their arguments themselves. Needs no set-up.

/** @type {Readonly<Record<string, string>>} by command */
export const HELP = {
  test: `npm test                          every test there is
npm test -- FILTER …              the TypeScript tests whose path contains FILTER; browser tests for e2e and *.spec.ts
npm test -- --only SECTION [FILTER …]
                                  one section: check, cpp, ts, sim, scripts or browser
npm test -- --times               where the time of the last run went

Examples:
  npm test -- client              the client's tests
  npm test -- apps/rubis/e2e      the auction site in a browser
  npm test -- --only cpp Gate     the C++ tests whose name contains "Gate"`,
  'test:long': `npm run test:long    load tests, every page at every size and fresh seeds: what \`npm test\` leaves out
  --only SECTION    one section, such as crash
  --minutes M       so many minutes of simulation (default 5), and of clocks that jump (default 10)

Examples:
  npm run test:long -- --minutes 20
  npm run test:long -- --only clocks --minutes 60`,
  'test:sanitize': `npm run test:sanitize [-- REGEX …]    the C++ tests under AddressSanitizer and UndefinedBehaviorSanitizer

Examples:
  npm run test:sanitize
  npm run test:sanitize -- Gate        those whose name matches`,
  check: `npm run check    types, lint, layout and tidiness; run it before each commit. It takes no arguments.

Example:
  npm run check`,
  format: `npm run format    lays out every source file as \`npm run check\` wants it. It takes no arguments.

Example:
  npm run format`,
  laws: `npm run laws [-- --times=N] [-- --type=NAME]    tries what the data types claim about themselves on random cases
  --times=N      N times as many cases
  --type=NAME    one data type alone

Examples:
  npm run laws
  npm run laws -- --times=20 --type=Set`,
  restore: `npm run restore -- --file FILE --data-dir FOLDER [--shards N] [--cluster-name NAME]
    data directories from a backup
npm run restore -- --cut DATA_DIRECTORY_OF_A_SHARD [--apply]
    says what cutting its damaged log would lose; --apply cuts it
docs/operations.md tells both step by step.

Example:
  npm run restore -- --file claret.backup --data-dir .data/restored`,
};
