// The report on a data type whose laws were tried, in words.

import { counted, shown } from './format.ts';
import type { Screen } from './screen.ts';

/** As a gateway answers it. */
export interface TypeReport {
  hash: string;
  name: string;
  version: number;
  seed: string;
  pairs: { first: string; second: string; together: number; apart: number; waited: number }[];
  failure?: { law: string; of: string; broken: string; case: string; seed: string };
}

const HASH_DIGITS = 8;

export const shortHash = (hash: string): string => `${hash.slice(0, HASH_DIGITS)}…`;

/** What a promise is that was not kept; the first group of a pattern is the operation. */
const MEANINGS: [pattern: RegExp, words: (operation: string) => string][] = [
  [
    /^promise: another result of (\w+)$/,
    (operation) =>
      `${operation} was answered while others held the record; once some of them had committed, its answer would be another one.`,
  ],
  [
    /^promise: (\w+) was granted, and is now refused$/,
    (operation) => `${operation} was granted while others held the record; once some of them had committed, it would be refused.`,
  ],
  [
    /^promise: (\w+) was granted, and would now have to wait$/,
    (operation) => `${operation} was granted while others held the record; once some of them had committed, it would have to wait.`,
  ],
  [/^one end: /, () => 'In another order of commits, the record would be another one.'],
];

/** `definition`: its text, for advice; `file`: where it was found. */
export function reportText(report: TypeReport, definition: string, file: string, screen: Screen): string {
  const { bold, dim, red, green } = screen.colours;
  const { name, version, hash, pairs, failure } = report;
  const head = `${bold(name)} ${version}  ${dim(shortHash(hash))}`;
  if (failure !== undefined) {
    const suspects = suspectsOf(failure, definition);
    const of = suspects.length === 0 ? failure.of : suspects.map(({ first, second }) => `${first}, ${second}`).join('; ');
    const where = of === '' ? failure.law : `${failure.law}: ${of}`;
    return [`${head}  ${red('BROKEN')}: ${where}`, ...brokenLines(failure, suspects, file).map((line) => `  ${line}`)].join('\n');
  }
  const cases = pairs.reduce((sum, { together, apart, waited }) => sum + together + apart + waited, 0);
  const lines = [`${head}  ${counted(pairs.length, 'pair')} tried, ${counted(cases, 'case')}: ${green('no law is broken')}`];
  const named = (chosen: TypeReport['pairs']) => chosen.map(({ first, second }) => `${first} and ${second}`).join(', ');
  const never = pairs.filter(({ together, waited, apart }) => together + waited === 0 && apart > 0);
  const unmet = pairs.filter(({ together, waited, apart }) => together + waited + apart === 0);
  if (never.length > 0) lines.push(`  never together: ${named(never)}  ${dim('(one always waits for the other)')}`);
  if (unmet.length > 0) lines.push(`  never met: ${named(unmet)}  ${dim('(try for longer, with --seconds)')}`);
  return lines.join('\n');
}

type Failure = NonNullable<TypeReport['failure']>;
type Claim = { first: string; second: string };

const meaningOf = ({ broken }: Failure) => MEANINGS.find(([known]) => known.test(broken)) ?? [];

/** The claims that may be wrong. The failure names the first two operations of its case, which need not be theirs. */
function suspectsOf(failure: Failure, definition: string): Claim[] {
  const operation = meaningOf(failure)[0]?.exec(failure.broken)?.[1];
  return operation === undefined ? [] : claimsOf(definition, operation, failure.case);
}

function brokenLines(failure: Failure, suspects: readonly Claim[], file: string): string[] {
  const { broken, case: found, seed } = failure;
  const [pattern, words] = meaningOf(failure);
  const operation = pattern?.exec(broken)?.[1];
  return [
    ...caseLines(found),
    `"${shown(broken)}"${words === undefined ? '' : ` = ${words(operation ?? '')}`}`,
    ...suspects.map(({ first, second }) => `Suggest: the claim in \`commutes\` for ${first} and ${second} is too wide.`),
    `Find it again: claret types check ${file} --seed ${seed}`,
  ];
}

/** The first line is the type. */
function caseLines(found: string): string[] {
  const [, ...lines] = found.split('\n').map((line) => shown(line.trim()));
  return lines.map((line) => {
    const [, kind, what] = /^(history|comes):\s*(.*)$/.exec(line) ?? [];
    if (kind === undefined) return line;
    return kind === 'history' ? `After: ${what === '' ? 'nothing' : what}` : `Comes: ${what}`;
  });
}

/** The claims of the operation about another one that is in the case. */
function claimsOf(definition: string, operation: string, found: string): Claim[] {
  const { commutes } = JSON.parse(definition) as { commutes: Claim[] };
  return commutes.filter(({ first, second }) => {
    const other = first === operation ? second : second === operation ? first : undefined;
    return other !== undefined && found.includes(`${other}(`);
  });
}
