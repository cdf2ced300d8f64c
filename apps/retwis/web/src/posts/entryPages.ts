// The pages of one list of entries that have been read. They are kept while the site is open, so that a reader who returns from a post
// finds the list as they left it; newer entries wait until they are requested. One read of the first page at a time; answers of older reads
// are ignored. Independent of React.
import { asProblem, type ApiProblem } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';
import { joinEntries } from './entries.ts';

export interface EntryPagesState {
  /** in order; empty until the first page has been read */
  readonly pages: readonly api.EntryPage[];
  readonly isLoading: boolean;
  readonly isLoadingMore: boolean;
  /** why the first page could not be read; earlier pages are still there */
  readonly problem: ApiProblem | null;
  /** why the next page could not be read */
  readonly moreProblem: ApiProblem | null;
}

export class EntryPages {
  private current: EntryPagesState = { pages: [], isLoading: false, isLoadingMore: false, problem: null, moreProblem: null };
  private readonly read: (cursor: string | null) => Promise<api.EntryPage>;
  private readonly listeners = new Set<() => void>();
  private reading: Promise<void> | null = null;
  /** Increases with each read of the first page: pages requested before do not continue it. */
  private generation = 0;

  constructor(read: (cursor: string | null) => Promise<api.EntryPage>) {
    this.read = read;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  state = (): EntryPagesState => this.current;

  /** True while a component shows the list. */
  get isShown(): boolean {
    return this.listeners.size > 0;
  }

  /** Reads the first page, also again; the pages below it stay if that leaves no gap. */
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

  /** Applies a change that the page made itself: an added or removed entry. */
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
