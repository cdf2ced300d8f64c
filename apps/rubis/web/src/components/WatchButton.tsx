import { Button, classes, formatCompact, formatCounted, LiveValue, useToast } from '@claret/ui/kit';
import { AppLink } from '@claret/ui/site';
import { Eye } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type * as api from '../../../server/api.ts';
import { asProblem, del, put } from '../api/client.ts';
import { API, PAGE } from '../api/paths.ts';
import { useSession } from '../session.ts';
import styles from './WatchButton.module.css';

export interface WatchButtonProps {
  item_id: string;
  title: string;
  /** the number of people who watch it, live */
  watchers: number;
  isWatching: boolean;
  onChange(): void;
}

/**
 * Watches an auction without bidding. The change shows at once, and is undone if the server refuses it; the number follows the live view.
 */
export function WatchButton({ item_id, title, watchers, isWatching, onChange }: WatchButtonProps) {
  const { user } = useSession();
  const toast = useToast();
  const [wish, setWish] = useState<boolean | null>(null);
  const isBusy = useRef(false);
  useEffect(() => setWish(null), [isWatching]); // the read state has caught up
  const isOn = wish ?? isWatching;
  const words = (
    <>
      <Eye size={18} aria-hidden="true" className={classes(isOn && styles.on)} />
      {isOn ? 'Watching' : 'Watch'}
      <LiveValue value={watchers} className={styles.count}>
        <span aria-hidden="true">{formatCompact(watchers)}</span>
        <span className="visually-hidden"> ({formatCounted(watchers, 'person is watching', 'people are watching')})</span>
      </LiveValue>
    </>
  );
  if (!user) {
    return (
      <Button asChild size="small">
        <AppLink to={PAGE.login(PAGE.item(item_id))}>{words}</AppLink>
      </Button>
    );
  }
  const toggle = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    const next = !isOn;
    setWish(next);
    try {
      await (next ? put : del)<api.WatchAnswer>(API.watch(item_id));
      onChange();
    } catch (thrown) {
      setWish(null);
      const what = next ? 'isn’t on your watch list' : 'is still on your watch list';
      toast({ tone: 'bad', title: `${title} ${what}`, text: asProblem(thrown).message, key: `watch ${item_id}` });
    } finally {
      isBusy.current = false;
    }
  };
  return (
    <Button size="small" aria-pressed={isOn} onClick={() => void toggle()}>
      {words}
    </Button>
  );
}
