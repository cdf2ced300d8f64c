// Verifies docs/cli.md: its examples are run in order on a real cluster, and their output must have the shape shown there.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../../gateway/src/testing/cluster.ts';
import { claret, startLoad, type Ended, type Load } from './testing.ts';
import { splitWords } from './words.ts';

const DOCUMENT = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8');

interface Example {
  command: string;
  expected: string;
  /** the cluster is under load, so only the constant parts of the output can be compared */
  isLoaded: boolean;
}

function* examplesIn(document: string): Generator<Example> {
  for (const [, kind, block] of document.matchAll(/^```console( load)?\n(.*?)^```$/gms)) {
    for (const example of block!.split(/^(?=\$ )/m)) {
      const [line, ...expected] = example.trimEnd().split('\n');
      yield { command: line!.slice(2), expected: expected.join('\n'), isLoaded: kind !== undefined };
    }
  }
}

let cluster: TestCluster;
let load: Load;
let folder: string;
beforeAll(async () => {
  // Inside the package, so that the client is found from there.
  folder = mkdtempSync(fileURLToPath(new URL('../docs-', import.meta.url)));
  for (const [, file, text] of DOCUMENT.matchAll(/^```ts file=(\S+)\n(.*?)^```$/gms)) writeFileSync(join(folder, file!), text!);
  cluster = await startCluster(2, { durability: 'sync' });
  load = await startLoad(cluster.gateways.map(({ member }) => member.grpc));
});
afterAll(async () => {
  await load.stop();
  await cluster.close();
  rmSync(folder, { recursive: true });
});

function runExample(command: string): Promise<Ended> {
  const piped = /^echo '(.*)' \| (.*)$/s.exec(command);
  const [name, ...words] = splitWords(piped?.[2] ?? command);
  expect(name).toBe('claret');
  const placed = words.map((word) => (word === 'claret.backup' || word.endsWith('.ts') ? join(folder, word) : word));
  return claret(placed, {
    env: { CLARET_GATEWAY: cluster.gateways[0]!.member.rest },
    ...(piped === null ? {} : { input: `${piped[1]}\n` }),
  });
}

/** The text without the parts that differ between runs: figures, units of time and size, paths, widths of columns. */
function shapeOf(text: string): string {
  return text
    .replaceAll(`${folder}/`, '')
    .replaceAll(/\b[\da-f]{8}…/g, 'hash')
    .replaceAll(/"committed_at":"\d+"|"timestamp":"\d+"/g, '"at":"0"')
    .replaceAll(/<?\d[\d,.:-]*/g, '0')
    .replaceAll(/\b0 (?:ms|s)\b/g, '0 ms')
    .replaceAll(/\b0 (?:B|KiB|MiB)\b/g, '0 B')
    .replaceAll(/ · waited 0 ms for 0 locks?| · 0 retr(?:y|ies)/g, '')
    .replaceAll(/ +/g, ' ')
    .trimEnd();
}

/** The words that every picture of a loaded cluster contains, such as headers. */
const landmarks = (text: string): string[] =>
  [
    ...new Set(
      text.match(
        /commits\/s.*running|HOT RECORDS|CONFLICTS|WAITING LONGEST|^Bid committed|^shard 0|vote yes|outcome committed|TopK\.(?:add|top)|waits for a lock/gm,
      ),
    ),
  ].sort();

const examples = [...examplesIn(DOCUMENT)];

test('the document has examples of every command', () => {
  const shown = new Set(examples.map(({ command }) => /claret (\S+)/.exec(command)![1]));
  for (const name of ['get', 'watch', 'transact', 'types', 'top', 'explain', 'conditions', 'shards', 'backup'])
    expect(shown).toContain(name);
});

test.each(examples)('$ $command', async ({ command, expected, isLoaded }) => {
  if (isLoaded) load.begin();
  else load.rest();
  const { out, err } = await runExample(command);
  const [got, wanted] = [out + err, expected].map(shapeOf) as [string, string];
  if (isLoaded) expect(landmarks(got)).toEqual(landmarks(wanted));
  else expect(got).toBe(wanted);
});
