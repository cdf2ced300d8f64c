import { Button, ErrorState } from '@claret/ui/kit';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { PAGE } from '../api/paths.ts';

/** Shown in place of a page that threw, or whose code could not be fetched. */
export function PageBroke() {
  const error = useRouteError();
  useEffect(() => console.error(error), [error]);
  return (
    <>
      <title>Something broke · Claret Auctions</title>
      <ErrorState
        title="This page broke"
        onRetry={() => window.location.reload()}
        actions={
          <Button asChild>
            <a href={PAGE.home}>Go to the start</a>
          </Button>
        }
      >
        Your bids and sales are safe: they are kept on the server. Loading the page again usually helps.
      </ErrorState>
    </>
  );
}
