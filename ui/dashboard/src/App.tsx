// The page: what it is told (feed), which time it shows (axis), and its pages by their addresses.
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { ROUTES } from './routes.ts';
import { TimeProvider } from './time/useTimeAxis.tsx';

const router = createBrowserRouter(ROUTES);

export function App() {
  return (
    <TimeProvider>
      <RouterProvider router={router} />
    </TimeProvider>
  );
}
