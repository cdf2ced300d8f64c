// Which posts the viewer has reposted, as far as this page has been told since it read them. A press shows at once and is
// then sent; what was pressed meanwhile is sent after it, so that the last press is what holds. Knows nothing of React.
import { asProblem, type ApiProblem } from '@claret/ui/site';

/** What was pressed, and what is known of it. A new object with every change. */
export interface Press {
  /** what is shown */
  readonly wanted: boolean;
  /** what holds on the server */
  readonly known: boolean;
  /** what held before this was pressed, and when that was, by the server's clock */
  readonly before: boolean;
  readonly pressed_at_ms: number;
  /** when the server said what holds; -1: it has not yet */
  readonly known_at_ms: number;
  readonly isSending: boolean;
}

/** Sends one change; gives the server's time at which it held. */
export type SendRepost = (post_id: string, reposted: boolean) => Promise<number>;

export interface RepostPress {
  /** who presses */
  viewer_id: string;
  post_id: string;
  /** what they want from now on */
  reposted: boolean;
  /** now, by the server's clock */
  at_ms: number;
}

const key = (viewer_id: string, post_id: string) => `${viewer_id} ${post_id}`;

export class Reposts {
  private readonly presses = new Map<string, Press>();
  private readonly listeners = new Set<() => void>();
  private readonly send: SendRepost;

  constructor(send: SendRepost) {
    this.send = send;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** What this person pressed at the post; undefined: nothing. */
  pressed(viewer_id: string, post_id: string): Press | undefined {
    return this.presses.get(key(viewer_id, post_id));
  }

  /** Shows the change and sends it. Resolves with what went wrong, if anything did: then nothing changed. */
  async press({ viewer_id, post_id, reposted, at_ms }: RepostPress): Promise<ApiProblem | null> {
    const id = key(viewer_id, post_id);
    const earlier = this.presses.get(id);
    if (earlier?.isSending) {
      this.set(id, { ...earlier, wanted: reposted }); // whoever sends will see it
      return null;
    }
    const held = { known: !reposted, before: !reposted, known_at_ms: -1 };
    this.set(id, { ...held, wanted: reposted, pressed_at_ms: at_ms, isSending: true });
    const problem = await this.settle(id, post_id);
    this.set(id, { ...this.presses.get(id)!, isSending: false });
    return problem;
  }

  private async settle(id: string, post_id: string): Promise<ApiProblem | null> {
    for (;;) {
      const { wanted, known } = this.presses.get(id)!;
      if (wanted === known) return null;
      try {
        const known_at_ms = await this.send(post_id, wanted);
        this.set(id, { ...this.presses.get(id)!, known: wanted, known_at_ms });
      } catch (thrown) {
        this.set(id, { ...this.presses.get(id)!, wanted: known });
        return asProblem(thrown);
      }
    }
  }

  private set(id: string, press: Press): void {
    this.presses.set(id, press);
    for (const listener of this.listeners) listener();
  }
}

export interface RepostsShown {
  reposts: number;
  reposted: boolean;
}

/** What a page read of a post, and what it has heard and done since, in one. */
export function shownReposts(
  read: RepostsShown & { at_ms: number },
  heard: { reposts: number; at_ms: number } | undefined,
  press: Press | undefined,
): RepostsShown {
  const isPressed = press !== undefined && (press.isSending || press.known_at_ms >= read.at_ms);
  const reposted = isPressed ? press.wanted : read.reposted;
  if (!heard || heard.at_ms <= read.at_ms) {
    return { reposted, reposts: Math.max(0, read.reposts + Number(reposted) - Number(read.reposted)) };
  }
  // What was counted after the press has counted it.
  const isCounted = !isPressed || heard.at_ms >= press.pressed_at_ms;
  const uncounted = isCounted ? 0 : Number(press.wanted) - Number(press.before);
  return { reposted, reposts: Math.max(0, heard.reposts + uncounted) };
}
