import { useEffect, useRef, type Ref } from 'react';
import { Link, type LinkProps } from 'react-router';
import { prefetch } from '../routes.ts';

const HOVER_MS = 60;

/** A link inside the site; pointing at it or reaching it by keyboard fetches what it leads to. */
export function AppLink({
  to,
  onPointerEnter,
  onPointerLeave,
  onFocus,
  ...rest
}: LinkProps & { to: string; ref?: Ref<HTMLAnchorElement> }) {
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return (
    <Link
      to={to}
      onPointerEnter={(event) => {
        timer.current = window.setTimeout(() => prefetch(to), HOVER_MS);
        onPointerEnter?.(event);
      }}
      onPointerLeave={(event) => {
        window.clearTimeout(timer.current);
        onPointerLeave?.(event);
      }}
      onFocus={(event) => {
        prefetch(to);
        onFocus?.(event);
      }}
      {...rest}
    />
  );
}
