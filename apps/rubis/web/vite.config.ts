// Builds the auction site to dist/, which the app server serves. `npx vite` here serves it from source beside a running
// app server (CLARET_AUCTIONS, by default the first one on 7410).
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const server = process.env['CLARET_AUCTIONS'] ?? 'http://127.0.0.1:7410';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  server: { host: '127.0.0.1', proxy: { '/api': server } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'], // light-dark(), oklch()
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
            { name: 'kit', test: /[\\/]ui[\\/]kit[\\/]|node_modules[\\/]/, priority: 1 },
          ],
        },
      },
    },
  },
});
