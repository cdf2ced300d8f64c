// How every page of the project is built: for browsers with modern CSS, and for a content policy under which only the code for the first
// paint is inline. Files that every page serves unchanged, such as its icon, are in public/.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions, Plugin } from 'vite';
import { firstPaint, type Shell } from './first-paint.ts';
import { precompress } from './precompress.ts';

const PUBLIC = join(import.meta.dirname, 'public');
const MEDIA_TYPES: Record<string, string> = { js: 'text/javascript', svg: 'image/svg+xml' };

/** the plugins of every page, in addition to React */
export const pagePlugins = (shell: Shell): Plugin[] => [kitPublicFiles(), firstPaint(shell), precompress()];

/** Serves the kit's public files, in addition to the page's own. */
function kitPublicFiles(): Plugin {
  return {
    name: 'kit-public-files',
    configureServer(server) {
      for (const name of readdirSync(PUBLIC)) {
        server.middlewares.use(`/${name}`, (_request, response) => {
          response.setHeader('content-type', MEDIA_TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
          response.end(readFileSync(join(PUBLIC, name)));
        });
      }
    },
    generateBundle() {
      for (const name of readdirSync(PUBLIC)) this.emitFile({ type: 'asset', fileName: name, source: readFileSync(join(PUBLIC, name)) });
    },
  };
}

/** React and the kit, which change least, get files of their own, so that browsers cache them longest. */
export const BUILD: BuildOptions = {
  outDir: 'dist',
  emptyOutDir: true,
  target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'], // light-dark(), oklch(), Intl.Segmenter
  // One sheet: it is in the body (first-paint.ts), and sheets that pages load later into the head would come before it in the cascade.
  cssCodeSplit: false,
  assetsInlineLimit: 0, // the content policy allows no data: fonts
  modulePreload: { polyfill: false },
  rolldownOptions: {
    output: {
      entryFileNames: 'assets/[name]-[hash].js',
      chunkFileNames: 'assets/[name]-[hash].js',
      assetFileNames: 'assets/[name]-[hash][extname]',
      codeSplitting: {
        groups: [
          { name: 'react', test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/, priority: 2 },
          { name: 'kit', test: /[\\/]ui[\\/](kit|site)[\\/]|node_modules[\\/]/, priority: 1 },
        ],
      },
    },
  },
};
