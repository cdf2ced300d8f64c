// Whom the viewer follows, as far as this page has been told since it read it. A press shows at once and is then sent;
// what was pressed meanwhile is sent after it, so that the last press is what holds. Knows nothing of React.
import { asProblem, type ApiProblem } from '@claret/ui/site';

/** Sends one change; gives the server's time at which it held. */
export type SendFollow = (username: string, follows: boolean) => Promise<number>;

export interface Press {
  /** who presses, and the person it is about */
  viewer_id: string;
  user: { id: string; username: string };
  /** what the viewer wants from now on */
  follows: boolean;
}

interface Told {
  /** what is shown */
  wanted: boolean;
  /** what holds on the server */
  known: boolean;
  /** when the server said so, by its clock; -1: it has not, a page has read it */
  known_at_ms: number;
  isSending: boolean;
}

export class Follows {
  private readonly told = new Map<string, Told>();
  private readonly listeners = new Set<() => void>();
  private readonly send: SendFollow;

  constructor(send: SendFollow) {
    this.send = send;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** Whether the viewer follows the person, given what a page read at `read_at_ms` (server's clock). */
  state(viewer_id: string, user_id: string, read: boolean, read_at_ms: number): boolean {
    const told = this.told.get(`${viewer_id} ${user_id}`);
    if (!told) return read;
    return told.isSending || told.known_at_ms >= read_at_ms ? told.wanted : read;
  }

  /** Shows the change and sends it. Resolves with what went wrong, if anything did: then nothing changed. */
  async press({ viewer_id, user, follows }: Press): Promise<ApiProblem | null> {
    const id = `${viewer_id} ${user.id}`;
    const told = this.told.get(id) ?? { wanted: !follows, known: !follows, known_at_ms: -1, isSending: false };
    if (!told.isSending) told.known = !follows;
    told.wanted = follows;
    this.told.set(id, told);
    this.tell();
    if (told.isSending) return null; // whoever sends will see it
    told.isSending = true;
    const problem = await this.settle(told, user.username);
    told.isSending = false;
    this.tell();
    return problem;
  }

  private async settle(told: Told, username: string): Promise<ApiProblem | null> {
    while (told.wanted !== told.known) {
      const goal = told.wanted;
      try {
        told.known_at_ms = await this.send(username, goal);
        told.known = goal;
      } catch (thrown) {
        const problem = asProblem(thrown);
        told.wanted = told.known;
        return problem;
      }
    }
    return null;
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
