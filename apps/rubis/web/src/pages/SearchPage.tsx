import { Button, EmptyState } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { Search } from 'lucide-react';
import { useSearchParams } from 'react-router';
import { API, PAGE } from '../api/paths.ts';
import { ItemList } from '../parts/ItemList.tsx';
import styles from './BrowsePage.module.css';

export default function SearchPage() {
  const [query] = useSearchParams();
  const words = query.get('q')?.trim() ?? '';
  const path = API.search(words);
  return (
    <>
      <title>{`${words || 'Search'} · Claret Auctions`}</title>
      <div className={styles.head}>
        <h1>{words ? `Auctions for “${words}”` : 'Search'}</h1>
        {words && <p className={styles.order}>Ending soonest first</p>}
      </div>
      {words ? (
        <ItemList key={path} path={path} label={`Auctions for ${words}`} empty={<NothingFound words={words} />} />
      ) : (
        <EmptyState icon={<Search size={26} />} title="What are you looking for?">
          Type a word or two into the search field: the titles of all open auctions are searched.
        </EmptyState>
      )}
    </>
  );
}

function NothingFound({ words }: { words: string }) {
  return (
    <EmptyState
      icon={<Search size={26} />}
      title={`Nothing found for “${words}”`}
      actions={
        <Button asChild look="primary">
          <AppLink to={PAGE.browse()}>Browse all auctions</AppLink>
        </Button>
      }
    >
      Every word has to be in the title. Fewer words, or the singular, may find more.
    </EmptyState>
  );
}
