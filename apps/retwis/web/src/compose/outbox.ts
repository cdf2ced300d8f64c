// Outgoing posts. Each is shown at once, sent with its own draft_id, and stays until the server has it or its writer takes it back; the
// draft_id makes a repeated request harmless. Kept for the lifetime of the window, so that a reload loses no post: those that were being
// sent are sent again. Independent of React.
import { asProblem, type ProblemCode } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';

export interface OutgoingPost {
  readonly draft_id: string;
  readonly text: string;
  readonly state: 'sending' | 'failed';
  /** why sending failed, with one friendly sentence */
  readonly problem: { readonly code: ProblemCode<api.ErrorCode>; readonly message: string } | null;
}

/** the result of sending: the server's post, or the problem */
export type PostOutcome = { readonly posted: api.Posted } | { readonly problem: NonNullable<OutgoingPost['problem']> };

export interface OutboxWorld {
  send(request: api.PostRequest): Promise<api.Posted>;
  newId(): string;
  /** Called each time, since merely accessing a forbidden storage throws. */
  storage(): Pick<Storage, 'getItem' | 'setItem'>;
  /** the storage key of this writer's posts */
  key: string;
}

export class Outbox {
  private current: readonly OutgoingPost[];
  private readonly world: OutboxWorld;
  private readonly listeners = new Set<() => void>();
  private readonly outcomeListeners = new Set<(outcome: PostOutcome) => void>();

  constructor(world: OutboxWorld) {
    this.world = world;
    this.current = this.kept();
    for (const { draft_id, state } of this.current) if (state === 'sending') void this.send(draft_id);
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
    const draft_id = this.world.newId();
    this.set([{ draft_id, text, state: 'sending', problem: null }, ...this.current]);
    return this.send(draft_id);
  }

  /** Sends a failed post again, as the same post. */
  retry(draft_id: string): Promise<void> {
    if (this.current.find((post) => post.draft_id === draft_id)?.state !== 'failed') return Promise.resolve();
    this.change(draft_id, { state: 'sending', problem: null });
    return this.send(draft_id);
  }

  discard(draft_id: string): void {
    this.set(this.current.filter((post) => post.draft_id !== draft_id));
  }

  private async send(draft_id: string): Promise<void> {
    const { text } = this.current.find((post) => post.draft_id === draft_id)!;
    try {
      const posted = await this.world.send({ text, draft_id });
      this.tell({ posted });
      this.discard(draft_id);
    } catch (thrown) {
      const { code, message } = asProblem<api.ErrorCode>(thrown);
      this.change(draft_id, { state: 'failed', problem: { code, message } });
      this.tell({ problem: { code, message } });
    }
  }

  private tell(outcome: PostOutcome): void {
    for (const listener of this.outcomeListeners) listener(outcome);
  }

  private change(draft_id: string, part: Partial<OutgoingPost>): void {
    this.set(this.current.map((post) => (post.draft_id === draft_id ? { ...post, ...part } : post)));
  }

  private set(posts: readonly OutgoingPost[]): void {
    this.current = posts;
    try {
      this.world.storage().setItem(this.world.key, JSON.stringify(posts));
    } catch {
      // Without storage the posts last as long as the page.
    }
    for (const listener of this.listeners) listener();
  }

  private kept(): readonly OutgoingPost[] {
    try {
      const posts = JSON.parse(this.world.storage().getItem(this.world.key) ?? '[]') as OutgoingPost[];
      return posts.filter(({ draft_id, text }) => typeof draft_id === 'string' && typeof text === 'string');
    } catch {
      return [];
    }
  }
}

/** A unique id: 128 random bits, in characters that a URL may contain. */
export function newDraftId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
