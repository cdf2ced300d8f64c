import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Problem } from '../run/problem.js';
import { checkImports, packagesIn } from './imports.js';
import { publishedManifest } from './manifest.js';

test('what is published names what was compiled, and nothing that only the workspace has', () => {
  const workspace = {
    name: '@claret/client',
    version: '1.2.3',
    private: true,
    type: 'module',
    license: 'Apache-2.0',
    scripts: { x: 'y' },
    devDependencies: { a: '1' },
    dependencies: { b: '2' },
    exports: { '.': './src/index.ts', './testing': './src/testing.ts', './wire/*': './src/wire/*', './proto': './proto/x.proto' },
  };
  const shipped = ['dist/src/index.js', 'dist/proto/x.proto'];
  assert.deepEqual(
    publishedManifest(workspace, (path) => shipped.includes(path), { files: ['dist'] }),
    {
      name: '@claret/client',
      version: '1.2.3',
      type: 'module',
      license: 'Apache-2.0',
      dependencies: { b: '2' },
      files: ['dist'],
      exports: {
        '.': { types: './dist/src/index.d.ts', default: './dist/src/index.js' },
        './proto': './dist/proto/x.proto',
        './package.json': './package.json',
      },
    },
  );
});

test('imports are seen in code and in declarations, not in comments, and not of Node or of the package itself', () => {
  const code = [
    "import { a } from '@scope/one/deep';",
    'import "two";',
    "export * from 'three';",
    "const four = await import('four');",
    'type Five = import("five").Five;',
    "// from 'a comment'",
    "import { readFileSync } from 'node:fs';",
    "import { x } from './x.js';",
    "Buffer.from('text');",
  ].join('\n');
  assert.deepEqual(packagesIn(code).sort(), ['@scope/one', 'five', 'four', 'three', 'two']);
});

test('a package declares what it imports and imports what it declares', () => {
  const folder = mkdtempSync(join(tmpdir(), 'claret-test-'));
  try {
    mkdirSync(join(folder, 'dist'));
    mkdirSync(join(folder, 'node_modules'));
    writeFileSync(join(folder, 'dist', 'a.js'), "import one from 'one';\n");
    writeFileSync(join(folder, 'node_modules', 'b.js'), "import two from 'two';\n");
    checkImports(folder, { name: 'x', dependencies: { one: '1' } });
    assert.throws(
      () => checkImports(folder, { name: 'x' }),
      (error) => error instanceof Problem && /x imports one, which/.test(error.message),
    );
    assert.throws(() => checkImports(folder, { name: 'x', dependencies: { one: '1', two: '1' } }), /x declares two in/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
