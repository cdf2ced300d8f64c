import '@claret/ui/kit/styles.ts';
import { startSite } from '@claret/ui/site';
import { Layout } from './layout/Layout.tsx';
import { LiveProvider } from './live/live.ts';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { PAGES } from './routes.ts';

startSite({
  name: 'Auctions',
  comfort: 'Your bids and sales are safe on the server.',
  pages: PAGES,
  Layout,
  NotFound: NotFoundPage,
  Live: LiveProvider,
});
