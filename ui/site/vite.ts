// How a site's pages are built: to dist/, which its app server serves. `npx vite` in a site's folder serves them from source, beside a
// running app server.
import { BUILD, pagePlugins } from '@claret/ui/kit/build.ts';
import type { Shell } from '@claret/ui/kit/first-paint.ts';
import react from '@vitejs/plugin-react';
import { defineConfig, type UserConfig } from 'vite';

export interface SitePages {
  /** the folder with index.html */
  root: string;
  /** the app server's base URL, for `npx vite` */
  server: string;
  /** shown before the page's scripts have run */
  shell: Shell;
}

export function sitePages({ root, server, shell }: SitePages): UserConfig {
  return defineConfig({
    root,
    plugins: [react(), ...pagePlugins(shell)],
    server: { host: '127.0.0.1', proxy: { '/api': server } },
    build: BUILD,
  });
}
