import { EmptyState } from '@claret/ui/kit';
import { Hash } from 'lucide-react';
import { useParams } from 'react-router';
import { parseTag } from '../../../server/hashtags.ts';
import { API } from '../api/paths.ts';
import { BackLink } from '../components/BackLink.tsx';
import { EntryList } from '../posts/EntryList.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';
import styles from './TagPage.module.css';

export default function TagPage() {
  const tag = parseTag(useParams()['tag'] ?? '');
  if (tag === null) return <NotFoundPage title="No such hashtag">Hashtags have letters, digits and underscores only.</NotFoundPage>;
  const path = API.tagged(tag);
  return (
    <>
      <title>{`#${tag} · Claret Timelines`}</title>
      <BackLink />
      <h1 className={styles.title} dir="auto">
        #{tag}
      </h1>
      <EntryList key={path} path={path} label={`Posts with #${tag}`} empty={<NothingYet />} />
    </>
  );
}

function NothingYet() {
  return (
    <EmptyState icon={<Hash size={26} />} title="No posts with this hashtag yet">
      Use it in a post, and that post will appear here.
    </EmptyState>
  );
}
