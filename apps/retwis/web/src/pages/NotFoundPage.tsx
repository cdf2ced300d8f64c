import { Button, EmptyState } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { Compass } from 'lucide-react';
import { PAGE } from '../api/paths.ts';

export function NotFoundPage({ title = 'Page not found', children }: { title?: string; children?: string }) {
  return (
    <>
      <title>Not found · Claret Timelines</title>
      <EmptyState
        heading="h1"
        icon={<Compass size={26} />}
        title={title}
        actions={
          <>
            <Button asChild look="primary">
              <AppLink to={PAGE.discover()}>See what’s happening</AppLink>
            </Button>
            <Button asChild>
              <AppLink to={PAGE.home}>Go to home page</AppLink>
            </Button>
          </>
        }
      >
        {children ?? 'Check the address, or start from one of these pages.'}
      </EmptyState>
    </>
  );
}
