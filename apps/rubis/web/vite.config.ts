import { sitePages } from '@claret/ui/site/vite.ts';

export default sitePages({
  root: import.meta.dirname,
  server: process.env['CLARET_AUCTIONS'] ?? 'http://127.0.0.1:7410',
  shell: { name: 'Auctions', layout: 'bar' },
});
