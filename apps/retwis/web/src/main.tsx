import '@claret/ui/kit/styles.ts';
import { startSite } from '@claret/ui/site';
import { Layout } from './layout/Layout.tsx';
import { LiveProvider } from './live/useLive.ts';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { PAGES } from './routes.ts';

startSite({
  name: 'Timelines',
  comfort: 'Your posts are safe on the server, and your draft is saved in this browser.',
  pages: PAGES,
  Layout,
  NotFound: NotFoundPage,
  Live: LiveProvider,
});
