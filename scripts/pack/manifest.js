// The package.json that is published: the workspace's own without what only the workspace needs, its entry points those that
// were compiled. In the workspace they stay the TypeScript sources.

const KEPT = ['name', 'version', 'description', 'keywords', 'license', 'type', 'engines', 'bin', 'dependencies'];

const COMPILED = /^\.\/(.+)\.ts$/;

/** @param {string} target of an entry point in the workspace @param {(path: string) => boolean} has whether the package has that file */
function publishedTarget(target, has) {
  const [, path] = COMPILED.exec(target) ?? [];
  if (path === undefined) return has(`dist/${target.slice(2)}`) ? `./dist/${target.slice(2)}` : null;
  return has(`dist/${path}.js`) ? { types: `./dist/${path}.d.ts`, default: `./dist/${path}.js` } : null;
}

/**
 * @param {Record<string, any>} manifest the workspace's package.json
 * @param {(path: string) => boolean} has whether the package has that file; entry points whose file it has not are left out
 * @param {Record<string, unknown>} [more] members beside, or in place of, the workspace's
 */
export function publishedManifest(manifest, has, more = {}) {
  const kept = Object.fromEntries(KEPT.filter((name) => name in manifest).map((name) => [name, manifest[name]]));
  const targets = Object.entries(manifest.exports ?? {}).map(([name, target]) => [name, publishedTarget(target, has)]);
  const exports = { ...Object.fromEntries(targets.filter(([, target]) => target !== null)), './package.json': './package.json' };
  return { ...kept, exports, ...more };
}
