import { sitePages } from '@claret/ui/site/vite.ts';

export default sitePages({
  root: import.meta.dirname,
  server: process.env['CLARET_TIMELINES'] ?? 'http://127.0.0.1:7420',
  shell: { name: 'Timelines', layout: 'rail' },
});
