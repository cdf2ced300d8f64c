// How a site's pages are built: to dist/, which its app server serves. `npx vite` in a site's folder serves them from
// source beside a running app server. What every site serves as it is, its icon and its first colours, lies in public/.
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';

export interface SitePages {
  /** the folder with index.html */
  root: string;
  /** the app server's base URL, for `npx vite` */
  server: string;
}

export function sitePages({ root, server }: SitePages): UserConfig {
  return defineConfig({
    root,
    publicDir: join(import.meta.dirname, 'public'),
    plugins: [react()],
    server: { host: '127.0.0.1', proxy: { '/api': server } },
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'], // light-dark(), oklch(), Intl.Segmenter
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
    },
  });
}
