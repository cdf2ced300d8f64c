// What the viewer turned on or off, such as a repost or following somebody, as far as this page has been told since it read
// it. A press shows at once and is then sent; what was pressed meanwhile is sent after it, so that the last press is what
// holds. Knows nothing of React.
import { asProblem, type ApiProblem } from '@claret/ui/site';

/** What was pressed, and what is known of it. A new object with every change. */
export interface Press {
  /** what is shown */
  readonly wanted: boolean;
  /** what holds on the server */
  readonly known: boolean;
  /** what held before this was pressed, and when that was at the earliest, by the server's clock */
  readonly before: boolean;
  readonly pressed_at_ms: number;
  /** when the server said what holds; -1: it has not yet */
  readonly known_at_ms: number;
  readonly isSending: boolean;
}

/** Sends one change; gives the server's time at which it held. */
export type SendPress = (id: string, isOn: boolean) => Promise<number>;

export interface NewPress {
  /** who presses */
  viewer_id: string;
  /** what it is about: a post, a person */
  id: string;
  /** what they want from now on */
  isOn: boolean;
  /**
   * now, by the server's clock, and rather too early than too late: a count that is taken for one from after the press is put
   * right by the next, but one from after it that is taken for an earlier one would count the press twice for good
   */
  at_ms: number;
}

const keyOf = (viewer_id: string, id: string) => `${viewer_id} ${id}`;

export class Presses {
  private readonly presses = new Map<string, Press>();
  private readonly listeners = new Set<() => void>();
  private readonly send: SendPress;

  constructor(send: SendPress) {
    this.send = send;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** What this person pressed; undefined: nothing. */
  pressed(viewer_id: string, id: string): Press | undefined {
    return this.presses.get(keyOf(viewer_id, id));
  }

  /** Shows the change and sends it. Resolves with what went wrong, if anything did: then nothing changed. */
  async press({ viewer_id, id, isOn, at_ms }: NewPress): Promise<ApiProblem | null> {
    const key = keyOf(viewer_id, id);
    const earlier = this.presses.get(key);
    if (earlier?.isSending) {
      this.set(key, { ...earlier, wanted: isOn }); // whoever sends will see it
      return null;
    }
    const held = { known: !isOn, before: !isOn, known_at_ms: -1 };
    this.set(key, { ...held, wanted: isOn, pressed_at_ms: at_ms, isSending: true });
    const problem = await this.settle(key, id);
    this.set(key, { ...this.presses.get(key)!, isSending: false });
    return problem;
  }

  private async settle(key: string, id: string): Promise<ApiProblem | null> {
    for (;;) {
      const { wanted, known } = this.presses.get(key)!;
      if (wanted === known) return null;
      try {
        const known_at_ms = await this.send(id, wanted);
        this.set(key, { ...this.presses.get(key)!, known: wanted, known_at_ms });
      } catch (thrown) {
        this.set(key, { ...this.presses.get(key)!, wanted: known });
        return asProblem(thrown);
      }
    }
  }

  private set(key: string, press: Press): void {
    this.presses.set(key, press);
    for (const listener of this.listeners) listener();
  }
}

/** How many have turned it on, and whether the viewer is one of them. */
export interface Pressed {
  count: number;
  isOn: boolean;
}

/** What a page read, and what it has heard and done since, in one. */
export function shownPressed(
  read: Pressed & { at_ms: number },
  heard: { count: number; at_ms: number } | undefined,
  press: Press | undefined,
): Pressed {
  const isPressed = press !== undefined && (press.isSending || press.known_at_ms >= read.at_ms);
  const isOn = isPressed ? press.wanted : read.isOn;
  if (!heard || heard.at_ms <= read.at_ms) return { isOn, count: Math.max(0, read.count + Number(isOn) - Number(read.isOn)) };
  // What was counted after the press has counted it.
  const isCounted = !isPressed || heard.at_ms >= press.pressed_at_ms;
  const uncounted = isCounted ? 0 : Number(press.wanted) - Number(press.before);
  return { isOn, count: Math.max(0, heard.count + uncounted) };
}
