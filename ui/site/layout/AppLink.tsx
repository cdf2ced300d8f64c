import type { Ref } from 'react';
import { Link, NavLink, type LinkProps, type NavLinkProps } from 'react-router';
import { usePrefetch } from './usePrefetch.ts';

export type AppLinkProps = LinkProps & { to: string; ref?: Ref<HTMLAnchorElement> };

/** A link inside the site; it prefetches its target. */
export function AppLink({ onPointerEnter, onPointerLeave, onFocus, ...rest }: AppLinkProps) {
  const ahead = usePrefetch(rest.to);
  return (
    <Link
      onPointerEnter={(event) => {
        ahead.onPointerEnter(event);
        onPointerEnter?.(event);
      }}
      onPointerLeave={(event) => {
        ahead.onPointerLeave();
        onPointerLeave?.(event);
      }}
      onFocus={(event) => {
        ahead.onFocus(event);
        onFocus?.(event);
      }}
      {...rest}
    />
  );
}

/** An AppLink that marks the current page with `aria-current="page"`. */
export function AppNavLink(props: NavLinkProps & { to: string }) {
  return <NavLink {...usePrefetch(props.to)} {...props} />;
}
