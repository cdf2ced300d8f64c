// The viewer's toggles, such as a repost or a follow, with the state known since the page was read. A press shows at once and is then sent;
// presses made in the meantime are sent after it, so that the last press decides. Independent of React.
import { asProblem, type ApiProblem } from '@claret/ui/site';

/** A toggle and its known state. A new object with every change. */
export interface Press {
  /** the state that is shown */
  readonly wanted: boolean;
  /** the state on the server */
  readonly known: boolean;
  /** the state before the press, and the earliest time of the press by the server's clock */
  readonly before: boolean;
  readonly pressed_at_ms: number;
  /** when the server reported its state; -1: not yet */
  readonly known_at_ms: number;
  readonly isSending: boolean;
}

/** Sends one change; returns the server's time at which it was in effect. */
export type SendPress = (id: string, isOn: boolean) => Promise<number>;

export interface NewPress {
  /** the person who presses */
  viewer_id: string;
  /** the id of the post or person */
  id: string;
  /** the new state */
  isOn: boolean;
  /**
   * A lower bound for the present time on the server's clock. If it is too early, a count from before the press may be taken for a later
   * one, which the next count corrects. If it is too late, a count that includes the press may be taken for an earlier one, and the press
   * would stay counted twice.
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

  /** This person's toggle; undefined: they have not pressed. */
  pressed(viewer_id: string, id: string): Press | undefined {
    return this.presses.get(keyOf(viewer_id, id));
  }

  /** Shows the change and sends it. Resolves to the problem if sending failed, which undoes the change. */
  async press({ viewer_id, id, isOn, at_ms }: NewPress): Promise<ApiProblem | null> {
    const key = keyOf(viewer_id, id);
    const earlier = this.presses.get(key);
    if (earlier?.isSending) {
      this.set(key, { ...earlier, wanted: isOn }); // the sender of the earlier press will see it
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

/** how many people have turned it on, and whether the viewer is one of them */
export interface Pressed {
  count: number;
  isOn: boolean;
}

/** Combines what a page read with later events and presses. */
export function shownPressed(
  read: Pressed & { at_ms: number },
  heard: { count: number; at_ms: number } | undefined,
  press: Press | undefined,
): Pressed {
  const isPressed = press !== undefined && (press.isSending || press.known_at_ms >= read.at_ms);
  const isOn = isPressed ? press.wanted : read.isOn;
  if (!heard || heard.at_ms <= read.at_ms) return { isOn, count: Math.max(0, read.count + Number(isOn) - Number(read.isOn)) };
  // A count from after the press includes it.
  const isCounted = !isPressed || heard.at_ms >= press.pressed_at_ms;
  const uncounted = isCounted ? 0 : Number(press.wanted) - Number(press.before);
  return { isOn, count: Math.max(0, heard.count + uncounted) };
}
