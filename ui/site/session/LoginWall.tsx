import { Button, EmptyState } from '@claret/ui/kit';
import { LogIn } from 'lucide-react';
import { useLocation } from 'react-router';
import { DOOR } from '../api/addresses.ts';
import { AppLink } from '../frame/AppLink.tsx';

/** Shown where one has to be logged in; one comes back here afterwards. */
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
            <AppLink to={DOOR.login(pathname + search)}>Log in</AppLink>
          </Button>
          <Button asChild>
            <AppLink to={DOOR.register(pathname + search)}>Register</AppLink>
          </Button>
        </>
      }
    >
      {children}
    </EmptyState>
  );
}
