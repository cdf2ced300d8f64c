// Builds the dashboard to dist/, which every gateway serves. `npx vite` here serves it from source beside a running gateway.
import { BUILD, pagePlugins } from '@claret/ui/kit/build.ts';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), ...pagePlugins({ name: 'Dashboard', layout: 'wide' })],
  server: { host: '127.0.0.1', proxy: { '/v1': process.env['CLARET_GATEWAY'] ?? 'http://127.0.0.1:7400' } },
  build: BUILD,
});
