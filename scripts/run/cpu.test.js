import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedFor, cpuOfChildrenMs } from './cpu.js';
import { runTool } from './process.js';

const busy = (ms) =>
  runTool(process.execPath, ['-e', `const end = process.cpuUsage().user + ${ms * 1000}; while (process.cpuUsage().user < end);`]);

test('processor time is that of children that have ended, and is counted for the work that started them', async () => {
  const [much, little] = [{ cpuMs: 0 }, { cpuMs: 0 }];
  const before = cpuOfChildrenMs();
  await Promise.all([countedFor(much, () => busy(600)), countedFor(little, () => busy(200))]);
  const allMs = cpuOfChildrenMs() - before;
  assert.ok(much.cpuMs >= 600, `${much.cpuMs} ms`);
  assert.ok(little.cpuMs >= 200, `${little.cpuMs} ms`);
  assert.equal(much.cpuMs + little.cpuMs, allMs);
});
