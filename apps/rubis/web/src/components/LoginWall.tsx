import { Button, EmptyState } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { LogIn } from 'lucide-react';
import { useLocation } from 'react-router';
import { PAGE } from '../api/paths.ts';

/** Shown on pages that need a login, which leads back to them. */
export function LoginWall({ title, children }: { title: string; children: string }) {
  const { pathname, search } = useLocation();
  return (
    <EmptyState
      heading="h1"
      icon={<LogIn size={26} />}
      title={title}
      actions={
        <>
          <Button asChild look="primary">
            <AppLink to={PAGE.login(pathname + search)}>Log in</AppLink>
          </Button>
          <Button asChild>
            <AppLink to={PAGE.register(pathname + search)}>Register</AppLink>
          </Button>
        </>
      }
    >
      {children}
    </EmptyState>
  );
}
