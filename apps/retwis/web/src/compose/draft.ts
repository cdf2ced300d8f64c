// The unsent text of a person: the same in every composer of the page, and kept in this browser until it is sent or emptied.
import { useSyncExternalStore } from 'react';

const key = (writer_id: string) => `claret-timelines-draft:${writer_id}`;

export class Drafts {
  private readonly texts = new Map<string, string>();
  private readonly listeners = new Set<() => void>();
  private readonly storage: () => Storage;

  /** `storage` is called each time, since merely accessing a forbidden storage throws. */
  constructor(storage: () => Storage) {
    this.storage = storage;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  read(writer_id: string): string {
    const text = this.texts.get(writer_id) ?? this.kept(writer_id);
    this.texts.set(writer_id, text);
    return text;
  }

  write(writer_id: string, text: string): void {
    this.texts.set(writer_id, text);
    try {
      if (text === '') this.storage().removeItem(key(writer_id));
      else this.storage().setItem(key(writer_id), text);
    } catch {
      // Without storage a draft lasts as long as the page.
    }
    for (const listener of this.listeners) listener();
  }

  private kept(writer_id: string): string {
    try {
      return this.storage().getItem(key(writer_id)) ?? '';
    } catch {
      return '';
    }
  }
}

const drafts = new Drafts(() => localStorage);

export function useDraft(writer_id: string): [string, (text: string) => void] {
  const text = useSyncExternalStore(drafts.subscribe, () => drafts.read(writer_id));
  return [text, (next) => drafts.write(writer_id, next)];
}
