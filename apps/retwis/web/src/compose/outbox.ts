// Outgoing posts. Each is shown at once, sent with a key of its own, and stays until the server has it or its writer takes it back. While it may
// have been posted, it is sent again with the same key: however late that is, the server knows whether this key has posted, and posts once at
// most. Once it has certainly not been posted, its writer decides: sent again it is another request, with a new key. Kept for the lifetime of
// the window, so that a reload loses no post: those that were being sent are sent again. Independent of React.
import { asProblem, failureOf, type ProblemCode } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';

export interface OutgoingPost {
  /** of its request */
  readonly key: string;
  readonly text: string;
  readonly state: 'sending' | 'failed';
  /** the request may have posted it */
  readonly isUnclear: boolean;
  /** why sending failed, with one friendly sentence */
  readonly problem: { readonly code: ProblemCode<api.ErrorCode>; readonly message: string } | null;
}

/** the result of sending: the server's post, or the problem */
export type PostOutcome = { readonly posted: api.Posted } | { readonly problem: NonNullable<OutgoingPost['problem']> };

export interface OutboxWorld {
  send(key: string, request: api.PostRequest): Promise<api.Posted>;
  newKey(): string;
  /** Called each time, since merely accessing a forbidden storage throws. */
  storage(): Pick<Storage, 'getItem' | 'setItem'>;
  /** the name in the storage of this writer's posts */
  name: string;
}

export class Outbox {
  private current: readonly OutgoingPost[];
  private readonly world: OutboxWorld;
  private readonly listeners = new Set<() => void>();
  private readonly outcomeListeners = new Set<(outcome: PostOutcome) => void>();

  constructor(world: OutboxWorld) {
    this.world = world;
    this.current = this.kept();
    for (const { key, state } of this.current) if (state === 'sending') void this.send(key);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** Calls `listener` with each result of sending, before the post is removed from the outbox. */
  onOutcome = (listener: (outcome: PostOutcome) => void): (() => void) => {
    this.outcomeListeners.add(listener);
    return () => void this.outcomeListeners.delete(listener);
  };

  /** newest first */
  posts = (): readonly OutgoingPost[] => this.current;

  post(text: string): Promise<void> {
    const key = this.world.newKey();
    this.set([{ key, text, state: 'sending', isUnclear: false, problem: null }, ...this.current]);
    return this.send(key);
  }

  /** Sends a failed post again. */
  retry(failed: string): Promise<void> {
    const post = this.current.find(({ key }) => key === failed);
    if (post?.state !== 'failed') return Promise.resolve();
    const key = post.isUnclear ? failed : this.world.newKey();
    this.change(failed, { key, state: 'sending', problem: null });
    return this.send(key);
  }

  discard(key: string): void {
    this.set(this.current.filter((post) => post.key !== key));
  }

  private async send(key: string): Promise<void> {
    const { text, isUnclear: wasUnclear } = this.current.find((post) => post.key === key)!;
    try {
      const posted = await this.world.send(key, { text });
      this.tell({ posted });
      this.discard(key);
    } catch (thrown) {
      const { code, message } = asProblem<api.ErrorCode>(thrown);
      const failure = failureOf(thrown);
      const isUnclear = failure === 'unclear' || (failure === 'undone' && wasUnclear);
      this.change(key, { state: 'failed', isUnclear, problem: { code, message } });
      this.tell({ problem: { code, message } });
    }
  }

  private tell(outcome: PostOutcome): void {
    for (const listener of this.outcomeListeners) listener(outcome);
  }

  private change(key: string, part: Partial<OutgoingPost>): void {
    this.set(this.current.map((post) => (post.key === key ? { ...post, ...part } : post)));
  }

  private set(posts: readonly OutgoingPost[]): void {
    this.current = posts;
    try {
      this.world.storage().setItem(this.world.name, JSON.stringify(posts));
    } catch {
      // Without storage the posts last as long as the page.
    }
    for (const listener of this.listeners) listener();
  }

  /** What was being sent may have arrived. */
  private kept(): readonly OutgoingPost[] {
    try {
      const posts = JSON.parse(this.world.storage().getItem(this.world.name) ?? '[]') as OutgoingPost[];
      return posts
        .filter(({ key, text }) => typeof key === 'string' && typeof text === 'string')
        .map((post) => (post.state === 'sending' ? { ...post, isUnclear: true } : post));
    } catch {
      return [];
    }
  }
}
