// The page: the telemetry feed, the time axis, the laboratory, and the pages by their addresses.
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { FeedProvider } from './feed/useFeed.tsx';
import { LaboratoryProvider } from './laboratory/useLaboratory.tsx';
import { ROUTES } from './routes.ts';
import { TimeProvider } from './time/useTimeAxis.tsx';

const router = createBrowserRouter(ROUTES);

export function App() {
  return (
    <FeedProvider>
      <TimeProvider>
        <LaboratoryProvider>
          <RouterProvider router={router} />
        </LaboratoryProvider>
      </TimeProvider>
    </FeedProvider>
  );
}
