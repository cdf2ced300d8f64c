// Posts on their way. Each is shown at once, sent with a draft_id of its own, and stays until the server has it or its
// writer takes it back; the same draft_id again makes sending twice harmless. Kept for the window's visit, so that a
// reload loses none: what was on its way then is sent again. Knows nothing of React.
import { asProblem, type ProblemCode } from '@claret/ui/site';
import type * as api from '../../../server/api.ts';

export interface OutgoingPost {
  readonly draft_id: string;
  readonly text: string;
  readonly state: 'sending' | 'failed';
  /** Why it failed, with one friendly sentence. */
  readonly problem: { readonly code: ProblemCode<api.ErrorCode>; readonly message: string } | null;
}

/** How sending ended: the server has the post, or why not. */
export type PostOutcome = { readonly posted: api.Posted } | { readonly problem: NonNullable<OutgoingPost['problem']> };

export interface OutboxWorld {
  send(request: api.PostRequest): Promise<api.Posted>;
  newId(): string;
  /** Asked for each time: merely naming a forbidden one throws. */
  storage(): Pick<Storage, 'getItem' | 'setItem'>;
  /** Under which name this writer's posts are kept. */
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

  /** Hears how each sending ends, before the post is gone from here. */
  onOutcome = (listener: (outcome: PostOutcome) => void): (() => void) => {
    this.outcomeListeners.add(listener);
    return () => void this.outcomeListeners.delete(listener);
  };

  /** Newest first. */
  posts = (): readonly OutgoingPost[] => this.current;

  post(text: string): Promise<void> {
    const draft_id = this.world.newId();
    this.set([{ draft_id, text, state: 'sending', problem: null }, ...this.current]);
    return this.send(draft_id);
  }

  /** Sends again what failed, as the same post. */
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
      // Without storage they live as long as the page.
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

/** An id that nobody has had: 128 bits of chance, as letters that an address may carry. */
export function newDraftId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
