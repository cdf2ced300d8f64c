import { usePrefetch } from '@claret/ui/site';
import { Search } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { LIMITS } from '../../../server/api.ts';
import { PAGE } from '../api/paths.ts';
import styles from './SearchBox.module.css';

const LENGTH_MAX: typeof LIMITS.search_length_max = 80;

export function SearchBox({ className }: { className?: string | undefined }) {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [query] = useSearchParams();
  const ahead = usePrefetch(PAGE.search('a'));
  const input = useRef<HTMLInputElement>(null);
  const asked = pathname === '/search' ? (query.get('q') ?? '') : '';
  useEffect(() => {
    if (input.current) input.current.value = asked;
  }, [asked]);
  return (
    <search className={className}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          const words = input.current?.value.trim() ?? '';
          if (words) void navigate(PAGE.search(words));
        }}
      >
        <Search size={18} aria-hidden="true" />
        <input
          ref={input}
          type="search"
          dir="auto"
          name="q"
          className={styles.input}
          aria-label="Search auctions"
          placeholder="Search auctions"
          maxLength={LENGTH_MAX}
          defaultValue={asked}
          onFocus={ahead.onFocus}
          enterKeyHint="search"
          autoComplete="off"
        />
      </form>
    </search>
  );
}
