import { ErrorState } from '@claret/ui/kit';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';

/** Shown in place of a page that threw. The cluster is not affected: the page only observes it. */
export function PageBroke() {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  return (
    <>
      <title>Something went wrong · Claret Dashboard</title>
      <ErrorState heading="h1" title="Something went wrong in the dashboard" onRetry={() => window.location.reload()}>
        The cluster is not affected: this page only watches it. Reloading usually helps.
      </ErrorState>
    </>
  );
}
