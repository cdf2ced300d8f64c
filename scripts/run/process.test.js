import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gone, isAlive } from '../testing.js';
import { Child, runTool } from './process.js';

const NODE = process.execPath;
const PROCESS_JS = fileURLToPath(new URL('./process.js', import.meta.url));

/** A child that runs this code, once it has printed its first line. */
function started(code, options = {}) {
  return new Promise((resolve) => {
    const child = new Child({
      name: 'fixture',
      command: NODE,
      args: ['-e', code],
      ...options,
      onLine: (line) => resolve({ child, line }),
    });
  });
}

test('a tool returns its exit code and its output', async () => {
  const { code, output } = await runTool(NODE, ['-e', 'console.log("a"); console.error("b"); process.exitCode = 3']);
  assert.equal(code, 3);
  assert.deepEqual(output.split('\n').sort(), ['a', 'b']);
});

test('a missing tool is a failure that names it', async () => {
  const { code, output } = await runTool('no-such-tool-at-all', []);
  assert.equal(code, 127);
  assert.match(output, /no-such-tool-at-all/);
});

test('a tool that takes too long is stopped', async () => {
  const { code, timedOut } = await runTool(NODE, ['-e', 'setInterval(() => {}, 1000)'], { timeoutMs: 300 });
  assert.deepEqual({ code, timedOut }, { code: 124, timedOut: true });
});

test('stopping sends SIGTERM first', async () => {
  const { child } = await started(
    'process.on("SIGTERM", () => { console.log("asked"); process.exit(0); }); console.log("up"); setInterval(() => {}, 1000)',
  );
  await child.stop(60_000);
  assert.deepEqual(child.ended, { code: 0, signal: null });
  assert.equal(child.lastLines.at(-1), 'asked');
});

test('a child that ignores SIGTERM is killed after the grace period', async () => {
  const { child } = await started('process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1000)');
  await child.stop(200);
  assert.equal(child.ended.signal, 'SIGKILL');
});

test('the processes that a child started end with it, also when the child ends by itself', async () => {
  const { child, line } = await started(`
    const { spawn } = require('node:child_process');
    const below = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    console.log(below.pid);
    setTimeout(() => process.exit(0), 200);`);
  await child.exited;
  assert.ok(await gone(Number(line)), `process ${line} is left`);
});

test('a server detects by its stdin that its parent was killed', async () => {
  const server = `process.stdin.resume().on('end', () => process.exit(0)); console.log(process.pid, process.env.CLARET_EXIT_WITH_PARENT)`;
  const { child, line } = await started(`
    import(${JSON.stringify(PROCESS_JS)}).then(({ Child }) => {
      new Child({ name: 'server', command: process.execPath, args: ['-e', ${JSON.stringify(server)}], server: true, onLine: (line) => console.log(line) });
    });`);
  const [pid, told] = line.split(' ');
  assert.equal(told, '1');
  assert.ok(isAlive(Number(pid)));
  process.kill(child.pid, 'SIGKILL'); // only the process, not its group
  assert.ok(await gone(Number(pid)), `process ${pid} is left`);
});

test('when a process exits, its children are killed', async () => {
  const deaf = 'process.on("SIGTERM", () => {}); console.log(process.pid); setInterval(() => {}, 1000)';
  const { line } = await started(`
    import(${JSON.stringify(PROCESS_JS)}).then(({ Child }) => {
      new Child({ name: 'deaf', command: process.execPath, args: ['-e', ${JSON.stringify(deaf)}], onLine(line) { console.log(line); process.exit(0); } });
    });`);
  assert.ok(await gone(Number(line)), `process ${line} is left`);
});
