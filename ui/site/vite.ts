// How a site's pages are built: to dist/, which its app server serves. `npx vite` in a site's folder serves them from
// source beside a running app server.
import { BUILD, kitPublicFiles } from '@claret/ui/kit/build.ts';
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
    plugins: [react(), kitPublicFiles()],
    server: { host: '127.0.0.1', proxy: { '/api': server } },
    build: BUILD,
  });
}
