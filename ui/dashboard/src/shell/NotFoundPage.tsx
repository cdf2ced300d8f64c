import { Button, EmptyState } from '@claret/ui/kit';
import { Link } from 'react-router';

export function NotFoundPage() {
  return (
    <>
      <title>Page not found · Claret Dashboard</title>
      <EmptyState
        heading="h1"
        title="Page not found"
        actions={
          <Button asChild>
            <Link to="/">Go to the first page</Link>
          </Button>
        }
      >
        The address may be mistyped, or belong to another version of the dashboard.
      </EmptyState>
    </>
  );
}
