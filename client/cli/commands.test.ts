// Every command against a real cluster of two shards: its output, also as JSON, and its exit code.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters as stripAnsi } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startCluster, type TestCluster } from '../../gateway/src/testing/cluster.ts';
import { claret, startLoad, type Ended, type Given } from './testing.ts';

// On a busy machine telemetry arrives late.
let cluster: TestCluster;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'claret-cli-'));
  cluster = await startCluster(2, { durability: 'sync' });
});
afterAll(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});

const run = (words: string[], given: Given = {}): Promise<Ended> =>
  claret(words, { env: { CLARET_GATEWAY: cluster.gateways[0]!.member.rest }, ...given });

async function ok(words: string[], given?: Given): Promise<string> {
  const { code, out, err } = await run(words, given);
  expect({ code, err }, words.join(' ')).toEqual({ code: 0, err: '' });
  return out;
}
const json = async (words: string[], given?: Given): Promise<any> => JSON.parse(await ok([...words, '--json'], given));
const fails = async (words: string[], given?: Given): Promise<{ code: number; err: string }> => {
  const { code, out, err } = await run(words, given);
  expect(out).toBe('');
  return { code, err };
};

describe('get', () => {
  test('shows each type in its own form', async () => {
    await ok(['transact'], {
      input: `
        # one record of each type
        Register.set g:register "two words"
        Counter.add g:counter 1234567
        Dict.set g:dict name=Ann age=42
        Set.add g:set b
        Set.add g:set a
        ScoredSet.add g:scored ann 7
        ScoredSet.add g:scored bob 5
        TopK.add g:top bid-1 12.5
        SummaryBag.add g:bag 4
        SummaryBag.add g:bag 5
        BoundedCounter.increment g:bounded 3
        HyperLogLog.add g:log ann
        List.append g:list "a job" 7
        UIdGenerator.next g:ids`,
    });
    const body = async (key: string) => (await ok(['get', key])).trimEnd().split('\n').slice(1);
    expect(await body('g:register')).toEqual(['two words']);
    expect(await body('g:counter')).toEqual(['1,234,567']);
    expect(await body('g:dict')).toEqual(['field  value', 'age    42', 'name   Ann']);
    expect(await body('g:set')).toEqual(['a', 'b']);
    expect(await body('g:scored')).toEqual(['rank  item  score', '   0  bob       5', '   1  ann       7']);
    expect(await body('g:top')).toEqual(['rank  item   score', '   1  bid-1   12.5']);
    expect(await body('g:bag')).toEqual(['count        2', 'mean       4.5', 'min          4', 'max          5', 'variance  0.25']);
    expect(await body('g:bounded')).toEqual(['3']);
    expect(await body('g:log')).toEqual(['about 1']);
    expect(await body('g:list')).toEqual(['a job', '7']);
    expect(await ok(['get', 'g:set'])).toMatch(/^g:set {2}Set {2}2 members · shard [01]\n/);
    expect(await fails(['get', 'g:ids'])).toEqual({
      code: 1,
      err: 'claret: g:ids is a UIdGenerator, which has no value to show.\n        `claret UIdGenerator.next g:ids` draws an id.\n',
    });
  });

  test('prints the type and the value with --json', async () => {
    await ok(['Counter.add', 'j:big', '9007199254740993']);
    expect(await json(['get', 'j:big'])).toMatchObject({ key: 'j:big', type: 'Counter', value: '9007199254740993' });
    expect(await json(['get', 'g:bag'])).toMatchObject({
      type: 'SummaryBag',
      value: { count: 2, mean: 4.5, min: 4, max: 5, variance: 0.25 },
    });
    expect(await json(['get', 'g:top'])).toMatchObject({ value: { size: 1, top: [['bid-1', 12.5]] } });
  });

  test('shows one page after another until the end', async () => {
    const members = Array.from({ length: 7 }, (_, at) => `m${at}`);
    await ok([
      'transact',
      ...members.map((member) => `Set.add paged ${member}`),
      ...members.map((member, at) => `ScoredSet.add ranked ${member} ${at}`),
      `List.append listed ${members.join(' ')}`,
    ]);
    for (const [key, read] of [
      ['paged', (value: any) => value.members],
      ['ranked', (value: any) => value.items.map(([item]: [string]) => item)],
      ['listed', (value: any) => value.elements],
    ] as const) {
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const page = await json(['get', key, '--limit', '3', ...(after === null ? [] : ['--after', after])]);
        seen.push(...read(page.value));
        expect(page.value.size ?? page.value.length).toBe(7);
        after = page.next_after;
      } while (after !== null);
      expect(seen).toEqual(members);
    }
    expect(await ok(['get', 'ranked', '--limit', '3'])).toContain('… 4 more: --after 2');
    expect((await fails(['get', 'ranked', '--after', 'x'])).err).toContain('--after takes the last rank of the page before');
    expect((await fails(['get', 'paged', '--limit', '0'])).code).toBe(2);
  });

  test('reports a missing record and does not create it', async () => {
    expect(await fails(['get', 'nothing-here'])).toEqual({ code: 1, err: 'claret: There is no record at nothing-here.\n' });
    expect(JSON.parse((await run(['get', 'nothing-here', '--json'])).err)).toEqual({
      error: { code: 'no_record', message: 'There is no record at nothing-here.', exit_code: 1, key: 'nothing-here' },
    });
  });
});

describe('operations', () => {
  test('print their results and nothing else', async () => {
    expect(await ok(['set.ADD', 'ops', 'x'])).toBe('ok\n');
    expect(await ok(['Set.contains', 'ops', 'x'])).toBe('true\n');
    expect(await ok(['Counter.add', 'ops:c', '-5'])).toBe('ok\n');
    expect(await ok(['Counter.value', 'ops:c'])).toBe('-5\n');
    expect(await ok(['Register.get', 'ops:none'])).toBe('(none)\n');
    expect(await ok(['Set.add', '--', 'ops', '--draft'])).toBe('ok\n');
    expect(await ok(['Set.members', 'ops', '10'])).toBe('--draft\nx\n');
    expect(await json(['Set.size', 'ops'])).toMatchObject({ key: 'ops', operation: 'Set.size', result: 2, retries: 0, replayed: false });
  });

  test("that are refused report the reason, with the store's error codes", async () => {
    const { code, err } = await fails(['BoundedCounter.decrement', 'ops:empty', '1', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(err).error).toMatchObject({
      code: 'below_bound',
      commit_state: 'none',
      retryable: false,
      key: 'ops:empty',
      operation: 'BoundedCounter.decrement',
    });
    expect(await fails(['Set.size', 'ops:c'])).toEqual({
      code: 1,
      err: 'claret: Set.size ops:c: the record is a Counter.\n        `claret get ops:c` shows it.\n',
    });
  });

  test('take effect once if they are repeated with the same id', async () => {
    for (let i = 0; i < 3; i += 1) await ok(['Counter.add', 'ops:once', '1', '--id', 'the-only-one']);
    expect(await ok(['Counter.value', 'ops:once'])).toBe('1\n');
  });

  test('escape control characters of a record', async () => {
    await ok(['Register.set', 'ops:evil', '\u001b[2Jgone']);
    expect(await ok(['get', 'ops:evil'])).toContain('\\u001b[2Jgone');
  });
});

describe('transact', () => {
  test('commits all operations or none, over both shards', async () => {
    await ok(['BoundedCounter.increment', 'account:ann', '10']);
    const transfer = (n: number) => [
      'transact',
      '--label',
      'Transfer',
      `BoundedCounter.decrement account:ann ${n}`,
      `BoundedCounter.increment account:bob ${n}`,
    ];
    expect(await ok(transfer(4))).toMatch(
      /^committed {2}Transfer {2}2 operations · 2 shards · .*\n {2}BoundedCounter\.decrement {2}account:ann {2}ok\n/,
    );
    const { code, err } = await fails(transfer(40));
    expect(code).toBe(1);
    expect(err).toContain('the value would fall below 0.\n        No operation of the transaction has taken effect.');
    expect(await json(['transact', 'BoundedCounter.value account:ann', 'BoundedCounter.value account:bob'])).toMatchObject({
      results: [6, 4],
      shards: 2,
      replayed: false,
    });
  });

  test('reads lines or JSON from a file and from standard input', async () => {
    const [lines, document] = [join(folder, 'lines.txt'), join(folder, 'body.json')];
    writeFileSync(lines, '# a comment\n\nCounter.add t:c 2\r\nCounter.value t:c\n');
    writeFileSync(document, JSON.stringify({ label: 'Named', operations: [{ key: 't:c', type: 'counter', operation: 'value' }] }));
    expect(await json(['transact', '--file', lines])).toMatchObject({ label: 'claret transact', results: [null, 0] });
    expect(await json(['transact', '-f', document])).toMatchObject({ label: 'Named', results: [2] });
    expect(await json(['transact'], { input: '[{"key": "t:c", "type": "Counter", "operation": "value"}]' })).toMatchObject({
      results: [2],
    });
    expect(await json(['transact', '--file', '-', '--label', 'Mine'], { input: 'Counter.value t:c' })).toMatchObject({
      label: 'Mine',
      results: [2],
    });
    const line3 = await fails(['transact'], { input: 'Counter.value t:c\n\nCounter.add t:c many\n' });
    expect(line3).toEqual({
      code: 2,
      err: "claret: Line 3: Counter.add: the argument n is an integer, and 'many' is not.\n        Usage: claret Counter.add KEY N\n",
    });
    for (const input of ['', '{', '{"label": "x"}', '{"operations": [{"key": 5}]}'])
      expect((await fails(['transact'], { input })).code, input).toBe(2);
    expect((await fails(['transact'])).err).toContain('There is no operation to run.');
    expect((await fails(['transact', '--file', join(folder, 'none')])).err).toContain('cannot be read: ENOENT');
  });

  test('takes results that are expected, and changes nothing where they are others', async () => {
    const list = (known: number, id: string[] = []) => {
      const price = { key: 't:price', type: 'register', operation: 'get', expect: known === 0 ? null : known };
      const set = { key: 't:price', type: 'register', operation: 'set', arguments: [known + 1] };
      return json(['transact', ...id], { input: JSON.stringify([price, set]) });
    };
    const failed = (known: unknown) =>
      run(['transact', '--json'], { input: JSON.stringify([{ key: 't:price', type: 'Register', operation: 'get', expect: known }]) });
    expect(await list(0)).toMatchObject({ results: [null, null] });
    expect(await list(1, ['--id', 'raise'])).toMatchObject({ results: [1, null], replayed: false });
    expect(await list(1, ['--id', 'raise'])).toMatchObject({ results: [1, null], replayed: true });
    const { code, err } = await failed(1);
    expect([code, JSON.parse(err)]).toMatchObject([1, { error: { code: 'expectation_failed', unmet: [{ index: 0, result: 2 }] } }]);
    expect(await fails(['transact'], { input: '[{"key": "t:price", "type": "Register", "operation": "get", "expect": 1}]' })).toEqual({
      code: 1,
      err: 'claret: Another result was expected: operations[0], Register.get, gives 2.\n        Nothing happened. Decide again on these results.\n',
    });
    expect((await failed([1])).code).toBe(2);
    expect(
      await fails(['transact'], { input: '[{"key": "t:c", "type": "Counter", "operation": "add", "arguments": [1], "expect": 1}]' }),
    ).toEqual({
      code: 2,
      err: 'claret: operations[0]: Counter.add has no result, so this cannot be expected.\n',
    });
    expect(await ok(['Register.get', 't:price'])).toBe('2\n');
  });

  test('gives the same answer for the same id, and is refused if other operations use that id', async () => {
    const first = await json(['transact', '--id', 'order-17', 'Counter.add t:orders 1', 'Counter.value t:orders']);
    const again = await json(['transact', '--id', 'order-17', 'Counter.add t:orders 1', 'Counter.value t:orders']);
    expect(first).toMatchObject({ results: [null, 0], replayed: false });
    expect(again).toMatchObject({ results: [null, 0], replayed: true, committed_at: first.committed_at });
    expect(await ok(['Counter.value', 't:orders'])).toBe('1\n');
    expect(await fails(['transact', '--id', 'order-17', 'Counter.add t:orders 2'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('was used before, for another transaction'),
    });
    expect((await fails(['transact', '--id', '', 'Counter.add t:orders 2'])).code).toBe(2);
    expect((await fails(['transact', '--label', 'x'.repeat(65), 'Counter.add t:orders 2'])).code).toBe(2);
  });
});

test('watch prints each committed value, and ends with Ctrl-C', async () => {
  await ok(['Counter.add', 'w', '1']);
  const end = new AbortController();
  const lines: string[] = [];
  const watching = run(['watch', 'w', '--json'], { interrupted: end.signal, onOut: (text) => lines.push(text) });
  await expect.poll(() => lines.length).toBe(1);
  await ok(['Counter.add', 'w', '41']);
  await expect.poll(() => lines.length).toBe(2);
  end.abort();
  expect(await watching).toMatchObject({ code: 0, err: '' });
  expect(lines.map((line) => JSON.parse(line).value)).toEqual([1, 42]);
  expect(await ok(['watch', 'Counter.value', 'w:new', '--count', '1'])).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}0\n$/);
  expect(await fails(['watch', 'w:none'])).toEqual({
    code: 1,
    err: 'claret: There is no record at w:none.\n        To wait for it, name what is to be read: claret watch Counter.value w:none\n',
  });
  expect((await fails(['watch', 'Counter.add', 'w', '1'])).err).toContain('only what reads can be watched');
  expect((await fails(['watch', 'w', '--count', '0'])).code).toBe(2);
});

test('conditions shows the conditions, and switches only those that are named', async () => {
  expect(await ok(['conditions'])).toMatch(
    /^locks {7}abstract {2}commuting locks.*\nphasing {5}on .*\ncombining {3}auto .*\nwarranties {2}off .*\nin force on both shards\n$/,
  );
  expect(await json(['conditions', 'locks=rw', 'warranties=auto'])).toMatchObject({ locks: 'rw', combining: 'auto', warranties: 'auto' });
  expect(
    await json(['conditions', 'phasing=off', 'combining=off'], { env: { CLARET_GATEWAY: cluster.gateways[1]!.member.rest } }),
  ).toMatchObject({ locks: 'rw', phasing: false, combining: 'off', warranties: 'auto' });
  expect(await json(['conditions', 'locks=abstract', 'phasing=on', 'combining=auto', 'warranties=off'])).toMatchObject({
    locks: 'abstract',
    phasing: true,
    combining: 'auto',
    shards: [{ shard: 0 }, { shard: 1 }],
  });
  expect(await fails(['conditions', 'lokcs=rw'])).toEqual({
    code: 2,
    err: "claret: There is no condition 'lokcs'.\n        Did you mean locks?\n",
  });
  expect((await fails(['conditions', 'locks=none-at-all'])).err).toContain('locks is one of rw, abstract');
  const { err } = await fails(['conditions', 'epochs=off']);
  expect(err).toBe("claret: There is no condition 'epochs'.\n        The conditions are locks, phasing, combining, warranties.\n");
});

test('shards shows addresses and states, also in 80 columns', async () => {
  const { shards, durability } = await json(['shards']);
  expect(durability).toBe('sync');
  expect(shards).toMatchObject(
    cluster.gateways.map(({ member }, shard) => ({
      shard,
      rest_address: member.rest,
      grpc_address: member.grpc,
      state: 'serving',
      log_full: false,
    })),
  );
  expect(shards.map((shard: { slot_count: number }) => shard.slot_count)).toEqual([8_192, 8_192]);
  expect(shards[1].records).toBeGreaterThan(0);
  expect(shards[1].log_replay_bytes).toBeGreaterThan(0);
  for (const columns of [80, 120]) {
    const out = await ok(['shards'], { columns });
    for (const line of out.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    for (const { member } of cluster.gateways) expect(out).toContain(`${member.rest}  ${member.grpc}`);
    for (const words of [['conditions'], ['types', 'Set.members']]) {
      const text = await ok(words, { columns });
      expect(text).not.toContain('…');
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    }
  }
});

test('backup writes a complete file or none', async () => {
  const file = join(folder, 'claret.backup');
  expect(await json(['backup', file])).toMatchObject({ file, bytes: readFileSync(file).length });
  expect(await fails(['backup', file])).toEqual({ code: 2, err: `claret: ${file} exists already.\n        Use --force to replace it.\n` });
  await ok(['backup', file, '--force']);
  expect(await fails(['backup', join(folder, 'no', 'folder')])).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot be written: ENOENT'),
  });
});

test('types lists the types, and the arguments of their operations', async () => {
  expect(await ok(['types'])).toContain('BoundedCounter  increment decrement tryDecrement value');
  expect(await ok(['types', 'topk'])).toContain('TopK.top KEY N  → ranked');
  expect((await json(['types'])).types).toHaveLength(11);
});

test('every command has help with an example, in 80 columns', async () => {
  const { out } = await run(['--help']);
  const names = [...out.matchAll(/^ {2}([a-z]+) (?:[A-Z[]| {2})/gm)].map(([, name]) => name!).filter((name) => name !== 'claret');
  expect(names.join(' ')).toBe('get watch transact types top explain conditions shards moves warranties backup completion');
  for (const name of [...names, 'Set.add', 'Dict.set']) {
    const help = (await run([name, '--help'], { columns: 80 })).out;
    expect(help).toMatch(new RegExp(`^Usage: claret ${name}`));
    expect(help).toMatch(/^Examples?:\n {2}\S+/m);
    for (const line of help.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80 + 8); // an example may be a little longer
    expect((await run(['help', name], { columns: 80 })).out).toBe(help);
  }
  expect((await run([])).out).toBe(out);
  expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('the error for a misspelt word suggests the probable one', async () => {
  expect(await fails(['gte', 'x'])).toEqual({ code: 2, err: 'claret: There is no command gte.\n        Did you mean get?\n' });
  expect(await fails(['Sett.add', 'x', 'y'])).toEqual({
    code: 2,
    err: 'claret: There is no data type Sett.\n        Did you mean Set.add?\n',
  });
  expect(await fails(['get'])).toEqual({
    code: 2,
    err: "claret: Missing required argument 'key'.\n        Usage: claret get [options] KEY\n",
  });
  expect(await fails(['get', 'x', '--limt', '3'])).toEqual({
    code: 2,
    err: "claret: Unknown option '--limt'.\n        Did you mean --limit?\n",
  });
  expect(JSON.parse((await fails(['Set.ad', 'x', '--json'])).err)).toMatchObject({ error: { code: 'usage', exit_code: 2 } });
});

test('colours appear only on a terminal', async () => {
  const coloured = await ok(['conditions'], { isTerminal: true });
  expect(coloured).not.toBe(stripAnsi(coloured));
  expect(stripAnsi(coloured)).toBe(await ok(['conditions']));
  expect(await ok(['conditions', '--no-color'], { isTerminal: true })).toBe(stripAnsi(coloured));
  expect(await ok(['conditions'], { isTerminal: true, env: { CLARET_GATEWAY: cluster.gateways[0]!.member.rest, NO_COLOR: '1' } })).toBe(
    stripAnsi(coloured),
  );
});

describe('under load', () => {
  let load: Awaited<ReturnType<typeof startLoad>>;
  beforeEach(async () => {
    load = await startLoad(cluster.gateways.map(({ member }) => member.grpc));
    load.begin();
  });
  afterEach(() => load.stop());

  test('top shows rates, hot records, conflicts and waiters', async () => {
    await expect
      .poll(() => json(['top', '--once']))
      .toMatchObject({
        rates: { commits: expect.toSatisfy((rate: number) => rate > 0) },
        hot_records: expect.arrayContaining([expect.objectContaining({ key: '{auction:42}:bids', type: 'TopK' })]),
        conflicts: expect.arrayContaining([
          expect.objectContaining({
            holder: { label: 'ViewAuction', operation: 'TopK.top' },
            waiter: { label: 'Bid', operation: 'TopK.add' },
          }),
        ]),
      });
    for (const columns of [80, 120]) {
      // One picture shows one frame, and the load may have stood still in it.
      let picture = '';
      await expect
        .poll(async () => (picture = await ok(['top', '--once'], { columns })))
        .toMatch(/HOT RECORDS[^]*\{auction:42\}:bids[^]*CONFLICTS[^]*WAITING LONGEST/);
      for (const line of picture.split('\n')) expect(line.length, line).toBeLessThanOrEqual(columns);
    }
  });

  test('top draws in place on a terminal, within its height, and prints lines elsewhere', async () => {
    const end = new AbortController();
    const pictures: string[] = [];
    const drawing = run(['top', '--no-color'], { isTerminal: true, columns: 80, rows: 24, pictures, interrupted: end.signal });
    await expect.poll(() => pictures.length).toBeGreaterThan(1);
    end.abort();
    expect(await drawing).toMatchObject({ code: 0, out: '', err: '' });
    for (const picture of pictures) expect(picture.split('\n').length).toBeLessThan(24);

    const other = new AbortController();
    // No record is hot in a frame in which the load has stood still.
    const { code, out } = await run(['top'], { interrupted: other.signal, onOut: (text) => text.includes('hottest') && other.abort() });
    expect(code).toBe(0);
    const line = out.split('\n').find((one) => one.includes('hottest'));
    expect(line).toMatch(/^\d\d:\d\d:\d\d {2}commits\/s \S+ {2}retries\/s .* waiting \d+ .*hottest \S+$/);
  });

  test('explain follows a transaction through both shards, and shows its waits', async () => {
    // The followed transaction may still be starting over when the command has waited for its last part.
    let followed: any;
    await expect
      .poll(async () => (followed = await json(['explain', 'bid', '--waited', '--wait', '120'])))
      .toMatchObject({ label: 'Bid', outcome: 'committed' });
    const operations = followed.parts.flatMap((part: any) => part.operations);
    expect(operations).toContainEqual(expect.objectContaining({ operation: 'TopK.add', key: '{auction:42}:bids' }));
    const waited = operations.some((each: any) => each.waited_ms > 0 || each.verdict !== 'granted');
    expect(waited || followed.attempts > 1).toBe(true);
    for (const { began_ms, ended_ms } of followed.parts) expect(began_ms).toBeLessThanOrEqual(ended_ms);

    let text = '';
    await expect
      .poll(async () => (text = await ok(['explain', 'Bid', '--wait', '120'], { columns: 80 })))
      .toMatch(/^Bid {2}committed {2}\S+ \S+ · \d+ attempts? · [12] shards? · /);
    expect(text).toMatch(/^shard [01] {2}.*[─█═]/m);
    expect(text).toContain('outcome');
  });

  test('explain suggests a label that was seen', async () => {
    // No frame of those seconds need show a transaction of the load.
    await expect
      .poll(() => fails(['explain', 'Bidd', '--wait', '2']))
      .toEqual({
        code: 1,
        err: 'claret: No transaction Bidd was seen within 2 s.\n        Did you mean Bid?\n',
      });
  });
});

test('a cluster with a token requires it, from the option or the environment', async () => {
  const token = 'a-secret-of-the-cluster';
  const closed = await startCluster(1, { token });
  const CLARET_GATEWAY = closed.gateways[0]!.member.rest;
  for (const words of [['Set.add', 'a', 'b'], ['conditions']]) {
    const wrong = await fails(words, { env: { CLARET_GATEWAY, CLARET_TOKEN: 'a-secret-of-another-cluster' } });
    expect(wrong.err).toContain("came with a token that is not the cluster's token");
    const { code, err } = await fails(words, { env: { CLARET_GATEWAY } });
    expect(code).toBe(1);
    expect(err).toContain('Give that token with --token or CLARET_TOKEN.');
    expect(err).not.toContain(token);
    await ok(words, { env: { CLARET_GATEWAY, CLARET_TOKEN: token } });
    await ok([...words, '--token', token], { env: { CLARET_GATEWAY } });
  }
  await closed.close();
});
