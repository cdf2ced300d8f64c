// docs/build-an-app.md, followed from an empty folder outside the workspace: every command of the page is run, from the packed
// packages and against a real cluster, and the code that it shows is held against the app's.
//
// A block of commands says on its first line where it is run. `npm start` and what the page says about ports are replaced: the cluster is the
// test's own, and all ports are free ones.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { startCluster } from '../cluster.js';
import { makePackages } from '../commands/pack.js';
import { ROOT, inProject } from '../paths.js';
import { freePorts } from '../run/ports.js';
import { findK6 } from '../setup/k6.js';
import { node24 } from '../setup/node24.js';
import { outerPath } from '../setup/npm.js';
import { becomes } from '../testing.js';

const PAGE = readFileSync(inProject('docs', 'build-an-app.md'), 'utf8');
/** What a machine needs to reach the registry. */
const OF_NETWORK = /^(?:NODE_EXTRA_CA_CERTS|npm_config_(?:cache|cafile|registry))$/;
const WITHIN_MS = 15 * 60_000;

/** The page's blocks of code, in order, with the file that the heading above names, if it names one. */
const BLOCKS = PAGE.split(/^## /m).flatMap((section) => {
  const [, file = null] = /^.*`([^`]+)`\n/.exec(section) ?? [];
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({ language, text, file }));
});

/** @param {string} first the beginning of its commands @returns {string} the commands, without the line that says where */
function commands(where, first) {
  const block = BLOCKS.find(({ language, text }) => language === 'sh' && text.startsWith(`# in ${where}`) && text.includes(`\n${first}`));
  assert.ok(block, `the page has no commands "${first}" in ${where}`);
  return block.text.slice(block.text.indexOf('\n') + 1);
}

let outside;
let app;
let cluster;
let k6;
let env;
const running = [];

before(async () => {
  outside = mkdtempSync(join(tmpdir(), 'claret-app-'));
  app = join(outside, 'my-poll');
  k6 = await findK6();
  const path = [dirname(node24()), ...(k6 === null ? [] : [dirname(k6)]), outerPath()].join(delimiter);
  const outer = Object.entries(process.env).filter(([name]) => OF_NETWORK.test(name) || !/^(?:CLARET_|npm_|NODE_)/.test(name));
  env = {
    ...Object.fromEntries(outer),
    PATH: path,
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  };
  cluster = await startCluster({ shards: 2 });
  env.CLARET_GATEWAYS = cluster.gateways[0].grpc;
});

after(async () => {
  await Promise.all(running.map((one) => one.stop()));
  await cluster?.stop();
  rmSync(outside, { recursive: true, force: true });
});

/** Begins the commands in a group of processes of their own. */
function begin(text, cwd, more = {}) {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', text], { cwd, env: { ...env, ...more }, detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = new Promise((resolve) => child.on('close', resolve));
  const stop = (signal = 'SIGTERM') => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid, signal);
    return ended;
  };
  return { output: () => output, ended, stop };
}

/** Runs the commands to their end. @returns {Promise<string>} what they print */
async function run(text, cwd, more) {
  const one = begin(text, cwd, more);
  const timer = setTimeout(() => void one.stop('SIGKILL'), WITHIN_MS);
  const code = await one.ended;
  clearTimeout(timer);
  assert.equal(code, 0, `${text}\n${one.output()}`);
  return one.output();
}

/** Starts the app as the page does. @returns {Promise<{url: string, stop: () => Promise<unknown>}>} */
async function start(text) {
  const [port] = await freePorts(1);
  const one = begin(text.replace(/^PORT=\d+ /, ''), app, { PORT: String(port) });
  running.push(one);
  const url = `http://127.0.0.1:${port}`;
  assert.ok(await becomes(() => one.output().includes(`The poll is at ${url}`)), one.output());
  return { url, stop: () => one.stop() };
}

/** What an open page sees: functions that give the newest state of a poll and whether it is live, and one that closes the page. */
function look(url) {
  const gone = new AbortController();
  let state = null;
  const reading = (async () => {
    const { body } = await fetch(`${url}/api/live`, { signal: gone.signal });
    let text = '';
    for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const events = text.split('\n\n');
      text = events.pop();
      for (const event of events) if (event.startsWith('data: ')) state = JSON.parse(event.slice('data: '.length));
    }
  })().catch(() => {});
  const close = () => {
    gone.abort();
    return reading;
  };
  return { poll: (id) => state?.polls[id], live: () => state?.live, close };
}

const sum = (counts) => Object.values(counts).reduce((total, each) => total + each, 0);

async function sees(page, condition) {
  const seen = await becomes(() => page.poll('next') !== undefined && condition(page.poll('next')));
  assert.ok(seen, `the page shows ${JSON.stringify(page.poll('next'))}`);
}

/** Somebody with a cookie of their own. */
async function visitor(url) {
  const answer = await fetch(`${url}/api/polls`);
  assert.equal(answer.status, 200);
  const [cookie] = answer.headers.get('set-cookie').split(';');
  const post = (path, body, headers = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, ...headers },
      body: JSON.stringify(body),
    });
  const polls = async () => (await (await fetch(`${url}/api/polls`, { headers: { cookie } })).json()).polls;
  return { post, polls, vote: async (option) => (await post('/api/votes', { poll: 'next', option })).status };
}

async function rejects(url, { post }) {
  const vote = { poll: 'next', option: 'dark' };
  const answers = await Promise.all([
    post('/api/votes', { poll: 'next', option: '<script>' }),
    post('/api/votes', { poll: 'next', option: 7 }),
    post('/api/votes', { ...vote, more: 'x' }),
    post('/api/votes', vote, { 'sec-fetch-site': 'cross-site' }),
    post('/api/votes', vote, { origin: 'http://elsewhere.example' }),
    post('/api/votes', vote, { 'content-type': 'text/plain' }),
    post('/api/votes', { ...vote, option: 'x'.repeat(5000) }),
    fetch(`${url}/nothing`),
    fetch(`${url}/%c0`),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [404, 400, 400, 403, 403, 415, 413, 404, 400],
  );
  for (const { headers } of answers) {
    assert.match(headers.get('content-type'), /^application\/problem\+json/);
    assert.match(headers.get('content-security-policy'), /^default-src 'none'; script-src 'self';/);
  }
}

test('the page builds an app from an empty folder', { timeout: 60 * 60_000 }, async (t) => {
  const paths = (text) => text.replaceAll('/path/to/claret', ROOT);
  assert.equal(commands('this repository', 'npm start'), 'npm start\n');
  const [, names] = /^npm run pack -- (.*)\n$/.exec(commands('this repository', 'npm run pack'));
  await makePackages(names.split(' '));

  const created = await run(paths(commands('an empty folder', 'npm exec')), outside);
  assert.match(created, /my-poll is ready/);
  await assert.rejects(run(paths(commands('an empty folder', 'npm exec')), outside), /my-poll is not empty/);

  await t.test('whose code it shows as it is', () => {
    for (const { language, text, file } of BLOCKS) {
      if (language === 'sh' || file === null) continue;
      const source = file === 'page/' ? 'page/poll.js' : file;
      assert.ok(readFileSync(join(app, source), 'utf8').includes(text), `${file} has not:\n${text}`);
    }
  });

  let one = await start(commands('my-poll', 'npm start'));
  const page = look(one.url);
  await sees(page, ({ votes, reactions }) => sum(votes) + sum(reactions) === 0);

  await t.test('whose counts move for everybody, and which takes one vote of each', async () => {
    await run(commands('my-poll', 'curl').replaceAll('http://127.0.0.1:7440', one.url), app);
    await sees(page, ({ votes, reactions }) => votes.dark === 1 && sum(votes) === 1 && reactions.heart === 1);
    const ann = await visitor(one.url);
    for (const option of ['dark', 'search', 'search']) assert.equal(await ann.vote(option), 204);
    await sees(page, ({ votes }) => votes.dark === 1 && votes.search === 1 && sum(votes) === 2);
    assert.deepEqual(
      (await ann.polls()).map(({ choice }) => choice),
      ['search'],
    );
    const html = await (await fetch(one.url)).text();
    assert.match(html, /<script type="module" src="\/poll\.js">/);
    await rejects(one.url, ann);
  });

  await t.test('whose own test and types are right', async () => {
    assert.match(await run(commands('my-poll', 'npm test'), app), /\bpass 3\n/);
  });

  await t.test('which a crowd may use', { skip: k6 === null && 'k6 is not installed' }, async () => {
    const voted = sum(page.poll('next').votes);
    await run(commands('my-poll', 'k6 run').replace(' run ', ` run --quiet -e URL=${one.url} `), app);
    await sees(page, ({ votes }) => sum(votes) > voted + 20);
  });

  await t.test('which runs in several processes, and outlives one of them', async () => {
    const other = await start(commands('my-poll', 'PORT='));
    assert.equal(await (await visitor(other.url)).vote('offline'), 204);
    const votes = sum(page.poll('next').votes);
    await sees(page, (poll) => sum(poll.votes) >= votes && poll.votes.offline > 0);
    let isOver = false;
    void one.stop().then(() => (isOver = true));
    assert.ok(await becomes(() => isOver), 'an open page holds up the end of the process');
    await page.close();
    assert.equal(await (await visitor(other.url)).vote('keyboard'), 204);
    await other.stop();
  });

  await t.test('which asks something else as the page says', async () => {
    const block = BLOCKS.find(({ language, text, file }) => language === 'ts' && file === null && text.includes("id: 'meet'"));
    const file = join(app, 'server', 'polls.ts');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(/^\];\n/m, () => `${block.text}];\n`),
    );
    one = await start(commands('my-poll', 'npm start'));
    const ann = await visitor(one.url);
    assert.deepEqual(
      (await ann.polls()).map(({ id }) => id),
      ['next', 'meet'],
    );
    const { status } = await ann.post('/api/votes', { poll: 'meet', option: 'noon' });
    assert.equal(status, 204);
  });

  await t.test('which says what is the matter while the store is away', async () => {
    const ann = await visitor(one.url);
    const watching = look(one.url);
    assert.ok(await becomes(() => watching.live() === true));
    await cluster.stop();
    assert.ok(await becomes(() => watching.live() === false));
    const answer = await ann.post('/api/votes', { poll: 'next', option: 'dark' });
    assert.deepEqual([answer.status, answer.headers.get('retry-after'), (await answer.json()).code], [503, '1', 'shard_unavailable']);
    assert.equal((await ann.post('/api/reactions', { poll: 'next', reaction: 'heart' })).status, 503);
    assert.equal((await fetch(`${one.url}/readyz`)).status, 503);
    await one.stop();
    await watching.close();
  });
});

test('every command of the page is one that the test runs', () => {
  const known = ['npm start', 'npm run pack', 'npm exec', 'curl', 'npm test', 'k6 run', 'PORT='];
  const unknown = BLOCKS.filter(({ language, text }) => language === 'sh' && !known.some((first) => text.split('\n')[1].startsWith(first)));
  assert.deepEqual(unknown, []);
});
