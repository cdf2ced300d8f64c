// What stands in place of a page that cannot be shown: it threw, or its code could not be fetched.
import { Button, ErrorState } from '@claret/ui/kit';
import { WifiOff } from 'lucide-react';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { DOOR } from '../api/addresses.ts';
import { useSite } from '../site.ts';
import { usePageReload } from './usePageReload.ts';

/** No connection, or the site was updated while this page was open. */
function isCodeMissing(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|preload CSS|module script failed/i.test(error.message);
}

export function PageBroke() {
  const error = useRouteError();
  return isCodeMissing(error) ? <CodeMissing error={error} /> : <Broken error={error} />;
}

function Broken({ error }: { error: unknown }) {
  const { name, comfort } = useSite();
  useEffect(() => console.error(error), [error]);
  return (
    <>
      <title>{`Something went wrong · Claret ${name}`}</title>
      <ErrorState
        heading="h1"
        title="Something went wrong"
        onRetry={() => window.location.reload()}
        actions={
          <Button asChild>
            <a href={DOOR.home}>Go to home page</a>
          </Button>
        }
      >
        {comfort} Reloading the page usually helps.
      </ErrorState>
    </>
  );
}

/** Loads the page as soon as the site answers; a page that is still missing then is broken. */
function CodeMissing({ error }: { error: unknown }) {
  const { name } = useSite();
  const { state, retry } = usePageReload();
  if (state === 'in vain') return <Broken error={error} />;
  if (state === 'asking') return null;
  return (
    <>
      <title>{`No connection · Claret ${name}`}</title>
      <ErrorState heading="h1" title="No connection" icon={<WifiOff size={26} />} onRetry={retry}>
        This page couldn’t be loaded. It will open as soon as you’re back online.
      </ErrorState>
    </>
  );
}
