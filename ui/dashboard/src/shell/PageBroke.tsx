import { ErrorState } from '@claret/ui/kit';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';

/** Shown in place of a page that threw. The cluster is not concerned: the page only looks. */
export function PageBroke() {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  return (
    <>
      <title>Something broke · Claret Dashboard</title>
      <ErrorState heading="h1" title="The dashboard broke in your browser" onRetry={() => window.location.reload()}>
        The cluster goes on unharmed: this page only looks at it. Loading it again usually helps.
      </ErrorState>
    </>
  );
}
