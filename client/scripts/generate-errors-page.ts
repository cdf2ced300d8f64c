// The tables of codes and of causes in docs/errors.md, which is written by hand otherwise. `generate-handles.ts` writes them.

import { CAUSES, ERRORS, type ErrorRow } from '../../gateway/src/errors.ts';

const codeRow = ([code, { http, grpc, retryable, meaning }]: [string, ErrorRow]): string =>
  `| \`${code}\` | ${http} | ${grpc} | ${retryable ? 'yes' : 'no'} | ${meaning} |`;

/** The page with these tables in place of those that it has. */
export function withErrors(page: string): string {
  const causes = Object.entries(CAUSES).map(([cause, { meaning, names }]) => `| \`${cause}\` | ${meaning} | ${names} |`);
  return withRows(withRows(page, 'Codes', Object.entries<ErrorRow>(ERRORS).map(codeRow)), 'Causes', causes);
}

function withRows(page: string, heading: string, rows: readonly string[]): string {
  const table = new RegExp(`(^## ${heading}$[\\s\\S]*?^(?:\\|-+)+\\|\\n)(?:\\|.*\\n)*`, 'm');
  if (!table.test(page)) throw new Error(`the page has no table under ${heading}`);
  return page.replace(table, (_, before: string) => `${before}${rows.map((row) => `${row}\n`).join('')}`);
}
