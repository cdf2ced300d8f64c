import { Button, useToast } from '@claret/ui/kit';
import { useState } from 'react';
import type * as api from '../../../server/api.ts';
import { asProblem, del } from '../api/client.ts';
import { API } from '../api/paths.ts';

/** Removes an auction from the watch list, on the list itself. */
export function StopWatching({ item, onDone }: { item: Pick<api.ItemCard, 'id' | 'title'>; onDone(): void }) {
  const toast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const stop = async () => {
    setIsBusy(true);
    try {
      await del<api.WatchAnswer>(API.watch(item.id));
      onDone();
    } catch (thrown) {
      setIsBusy(false);
      const title = `${item.title} is still on your watch list`;
      toast({ tone: 'bad', title, text: asProblem(thrown).message, key: `watch ${item.id}` });
    }
  };
  return (
    <Button size="small" isBusy={isBusy} aria-label={`Stop watching ${item.title}`} onClick={() => void stop()}>
      Stop watching
    </Button>
  );
}
