import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { test } from 'node:test';
import { RULES } from './rules.js';
import { breaches } from './tidy.js';

const ROOT = '/somewhere/claret';

/** What is found in files given as path → text. */
const found = (files) =>
  breaches(Object.entries(files).map(([path, text]) => ({ path, text })), ROOT).map(({ path, line, rule }) => `${path}:${line} ${rule}`);

const lines = (count) => 'x\n'.repeat(count);
const TYPES = {
  'server-core/src/adt/adt.cc': '', 'server-core/src/adt/adt.h': '',
  'server-core/src/adt/scored_set.cc': '', 'server-core/src/adt/set_test.cc': '',
};
const importing = (specifier) => `import { x } from '${specifier}';\n`;
const lockOf = (packages) => JSON.stringify({ packages }, null, 2);

/** rule → [what it must catch, what it must let pass], each a set of files */
const SAMPLES = {
  'short files': [{ 'client/src/a.ts': lines(501) }, { 'client/src/a.ts': lines(500), 'docs/a.md': `# A\n${lines(900)}` }],
  'pure core': [
    { 'server-core/src/gate/gate.cc': '#include <vector>\n  #  include <chrono>\n' },
    { 'server-core/src/gate/gate_test.cc': '#include <chrono>\n', 'server-core/src/addon/a.cc': '#include <napi.h>\n' },
  ],
  'types at home': [
    { ...TYPES, 'server-core/src/gate/gate.cc': 'int a;\nauto t = find_type("ScoredSet");\n' },
    {
      ...TYPES,
      'server-core/src/gate/gate.cc': '// as ScoredSet does\n#include "adt/adt.h"\nint ScoredSetting; int Adt; int scoredset;\n',
      'server-core/src/gate/gate_test.cc': 'find_type("ScoredSet");\n',
    },
  ],
  arrows: [
    { 'client/src/a.ts': `const a = 1;\n${importing('../../gateway/src/b.ts')}` },
    {
      'client/src/a.ts': `// ${importing('../../gateway/src/b.ts')}${importing('./b.ts')}`,
      'gateway/src/a.ts': importing('@claret/client') + importing('@claret/core'),
      'apps/rubis/server/a.test.ts': importing('../../../scripts/cluster.js'),
    },
  ],
  'launcher alone': [
    { 'scripts/a.js': importing('node:path') + importing('glob') },
    { 'scripts/a.js': importing('node:path') + importing('./paths.js') },
  ],
  'no machine paths': [{ 'docs/a.md': `# A\nsee ${ROOT}/docs\n` }, { 'docs/a.md': '# A\nsee docs/\n' }],
  'one title': [{ 'docs/a.md': '# One\n# Two\n' }, { 'docs/a.md': '# One\n```\n# no title\n```\n## Below\n' }],
  finished: [{ 'client/src/a.ts': `ok;\n// ${['TO', 'DO'].join('')}: later\n` }, { 'client/src/a.ts': 'const todo = 1;\n' }],
  'whole lock': [
    { 'package-lock.json': lockOf({ 'node_modules/a': { optionalDependencies: { 'a-mac': '1' } } }) },
    { 'package-lock.json': lockOf({ client: {}, 'node_modules/a': { dependencies: { b: '1' }, resolved: 'client' }, 'node_modules/a/node_modules/b': {} }) },
  ],
};

test('every rule has a sample', () => assert.deepEqual(Object.keys(SAMPLES).sort(), Object.keys(RULES).sort()));

for (const [rule, [bad, good]] of Object.entries(SAMPLES)) {
  test(`${rule}: the breach is found, once`, () => {
    const all = found(bad);
    assert.equal(all.length, 1, all.join('\n'));
    assert.ok(all[0].endsWith(` ${rule}`), all[0]);
  });
  test(`${rule}: what is in order passes`, () => assert.deepEqual(found(good), []));
}

test('a finding names the line', () => {
  assert.deepEqual(found(SAMPLES['types at home'][0]), ['server-core/src/gate/gate.cc:2 types at home']);
  assert.deepEqual(found(SAMPLES.arrows[0]), ['client/src/a.ts:2 arrows']);
});

test('every header of time, threads, chance and input is kept out of the core, and Node out of its tests too', () => {
  for (const header of ['thread', 'mutex', 'chrono', 'random', 'iostream', 'sys/socket.h', 'absl/time/clock.h']) {
    assert.deepEqual(found({ 'server-core/src/wire/a.h': `#include <${header}>\n` }), ['server-core/src/wire/a.h:1 pure core'], header);
  }
  for (const header of ['<napi.h>', '"node_api.h"', '<uv.h>']) {
    assert.deepEqual(found({ 'server-core/src/adt/a_test.cc': `#include ${header}\n` }), ['server-core/src/adt/a_test.cc:1 pure core'], header);
  }
});

test('only loadtest opens an app, and only by its model and its actions', () => {
  const imports = (path, specifier) => found({ [path]: importing(specifier) }).length === 0;
  assert.ok(imports('loadtest/workloads/rubis.ts', '../../apps/rubis/server/model.ts'));
  assert.ok(imports('loadtest/workloads/rubis.ts', '../../apps/rubis/server/actions/bid.ts'));
  assert.ok(!imports('loadtest/workloads/rubis.ts', '../../apps/rubis/server/app.ts'));
  assert.ok(!imports('gateway/src/a.ts', '../../apps/rubis/server/model.ts'));
  assert.ok(!imports('apps/retwis/server/a.ts', '../../rubis/server/model.ts'));
  assert.ok(!imports('apps/rubis/server/a.ts', '@claret/core'));
  assert.ok(!imports('apps/rubis/web/a.tsx', '../../../gateway/src/a.ts'));
  assert.ok(imports('apps/rubis/web/a.tsx', '@claret/ui/kit'));
  assert.ok(!imports('ui/kit/a.tsx', '@claret/client'));
});

test("anyone's home and the folders beside the project are paths of one machine", () => {
  for (const path of [`${homedir()}/x`, ['', 'home', 'ada', 'x'].join('/'), ['..', 'shared', 'x'].join('/')]) {
    assert.deepEqual(found({ 'client/a.ts': `// ${path}\n` }), ['client/a.ts:1 no machine paths'], path);
  }
});

test('a lock file that names a registry is found', () => {
  const files = { 'package-lock.json': lockOf({ 'node_modules/a': { resolved: 'https://registry.example/a.tgz' } }) };
  assert.deepEqual(found(files).map((line) => line.split(' ').slice(1).join(' ')), ['whole lock']);
});
