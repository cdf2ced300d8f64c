// One list of entries as far as it was read: kept while the site is open, so that coming back from a post finds it as
// one left it, and still: what is newer waits until it is asked for. One reading of the first page at a time; what an
// older reading answers late is not taken. Knows nothing of React.
import { asProblem, type ApiProblem } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';
import { joinEntries } from './entries.ts';

export interface EntryPagesState {
  /** In order; none until the first is there. */
  readonly pages: readonly api.EntryPage[];
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  /** Why the first page could not be read; what was there before is still there. */
  readonly problem: ApiProblem | null;
  /** Why the next one could not. */
  readonly moreProblem: ApiProblem | null;
}

export class EntryPages {
  private current: EntryPagesState = { pages: [], isLoading: false, isLoadingMore: false, problem: null, moreProblem: null };
  private readonly read: (cursor: string | null) => Promise<api.EntryPage>;
  private readonly listeners = new Set<() => void>();
  private reading: Promise<void> | null = null;
  /** Pages that were asked for before the first page was read again do not continue it. */
  private generation = 0;

  constructor(read: (cursor: string | null) => Promise<api.EntryPage>) {
    this.read = read;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  state = (): EntryPagesState => this.current;

  /** Something on the page shows it. */
  get isShown(): boolean {
    return this.listeners.size > 0;
  }

  /** Reads the first page, again if it is there; what was read below it stays if that leaves no gap. */
  load(): Promise<void> {
    this.reading ??= this.readFirst().finally(() => (this.reading = null));
    return this.reading;
  }

  /** Reads the page after the last one. */
  async more(): Promise<void> {
    const cursor = this.current.pages.at(-1)?.next_cursor ?? null;
    if (cursor === null || this.current.isLoadingMore) return;
    const { generation } = this;
    this.set({ isLoadingMore: true, moreProblem: null });
    try {
      const page = await this.read(cursor);
      if (generation === this.generation) this.set({ pages: [...this.current.pages, page], isLoadingMore: false });
    } catch (thrown) {
      if (generation === this.generation) this.set({ moreProblem: asProblem(thrown), isLoadingMore: false });
    }
  }

  /** What the page itself knows better: something was just added or taken away. */
  change(how: (pages: readonly api.EntryPage[]) => readonly api.EntryPage[]): void {
    if (this.current.pages.length > 0) this.set({ pages: how(this.current.pages) });
  }

  private async readFirst(): Promise<void> {
    this.set({ isLoading: true, problem: null });
    try {
      const fresh = await this.read(null);
      this.generation++;
      const pages = joinEntries(fresh, this.current.pages);
      this.set({ pages, isLoading: false, isLoadingMore: false, moreProblem: null });
    } catch (thrown) {
      this.set({ isLoading: false, problem: asProblem(thrown) });
    }
  }

  private set(part: Partial<EntryPagesState>): void {
    this.current = { ...this.current, ...part };
    for (const listener of this.listeners) listener();
  }
}
