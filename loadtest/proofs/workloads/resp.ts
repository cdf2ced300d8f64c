// Redis clients at the doors of all gateways: pipelines, MULTI, WATCH and commands that wait, beside transactions on the same records.
import type { Claret, HistoryOperation } from '@claret/client';
import type { Chance } from '../../kit/random.ts';
import { marksIn } from '../history/redis-marks.ts';
import { REDIS_LABEL, type RedisAttempt } from '../history/redis.ts';
import type { Reply } from '../redis/raw-client.ts';
import {
  anyChange,
  anyGroup,
  anyLook,
  anyRemoval,
  awaitFirst,
  fieldOf,
  flagIn,
  flagOf,
  get,
  hashIn,
  increaseBy,
  isNull,
  listIn,
  Marks,
  memberOf,
  numberIn,
  rankingIn,
  readAll,
  set,
  setIn,
  tallyIn,
  type RedisCommand,
} from './redis-commands.ts';
import { Deliberate, perform } from './workload.ts';
import type { Around, DoorConnection, Running, TimedReply, Workload } from './workload.ts';

const PIPELINE_MAX = 6;
const EXEC_MAX = 4;
const OPERATIONS_MAX = 4;
const WAIT_SECONDS = 0.03;
/** A command had no effect, for one of these reasons. */
const REFUSALS = /^(TRYAGAIN|MISCONF|EXECABORT|CROSSSLOT)/;

/** What runs as one: a command, or several in MULTI. */
interface Step {
  readonly commands: readonly RedisCommand[];
  readonly isExec: boolean;
  /** an EXEC after a WATCH: what was read in between */
  readonly watched?: { keys: string[]; sinceNs: number; reads: HistoryOperation[] };
}

interface Client {
  readonly connection: DoorConnection;
  readonly name: string;
}

export const resp: Workload = {
  name: 'resp',
  doors: true,
  appServersLeast: 2,
  inARow: 4,
  begin: () => new RedisClients(),
};

class RedisClients implements Running {
  readonly #marks = new Marks();
  /** by process */
  readonly #idle = new Map<string, Client[]>();
  #opened = 0;
  #told = 0;

  async run(claret: Claret, chance: Chance, around?: Around): Promise<unknown> {
    if (chance.happens(0.3)) return perform(claret, chance, 'Mixed', this.#operations(claret, chance));
    const client = await this.#enter(chance, around!);
    const isDone = chance.happens(0.25) ? await this.#watch(client, chance, around!) : await this.#pipeline(client, chance, around!);
    if (client.connection.isOpen) this.#idleOf(around!).push(client);
    if (!isDone) throw new Deliberate('refused, or without a reply');
    return undefined;
  }

  #idleOf({ process }: Around): Client[] {
    let idle = this.#idle.get(process);
    if (idle === undefined) this.#idle.set(process, (idle = []));
    return idle;
  }

  async #enter(chance: Chance, around: Around): Promise<Client> {
    for (let idle = this.#idleOf(around).pop(); idle !== undefined; idle = this.#idleOf(around).pop()) {
      if (idle.connection.isOpen) return idle;
    }
    const name = `redis ${++this.#opened} of ${around.process}`;
    try {
      return { connection: await around.enterDoor(chance), name };
    } catch (error) {
      throw new Deliberate(String(error));
    }
  }

  // ---- what is sent

  async #pipeline(client: Client, chance: Chance, around: Around): Promise<boolean> {
    const steps = Array.from({ length: 1 + chance.below(PIPELINE_MAX) }, () => this.#anyStep(chance));
    return this.#send(client, steps, around);
  }

  #anyStep(chance: Chance): Step {
    const group = anyGroup(chance);
    if (chance.happens(0.3)) return { commands: this.#anyExec(chance, group), isExec: true };
    if (chance.happens(0.05)) return { commands: [awaitFirst(listIn(group), WAIT_SECONDS)], isExec: false };
    if (chance.happens(0.08))
      return { commands: [readAll([numberIn(group), tallyIn(anyGroup(chance)), flagIn(anyGroup(chance))])], isExec: false };
    const draw = chance.happens(0.6) ? anyChange : anyLook;
    return { commands: [draw(group, chance, this.#marks)], isExec: false };
  }

  /** On one shard, or on any. */
  #anyExec(chance: Chance, group: number): RedisCommand[] {
    const isSpread = chance.happens(0.4);
    const commands = Array.from({ length: 1 + chance.below(EXEC_MAX) }, () => {
      const draw = chance.happens(0.7) ? anyChange : anyLook;
      return draw(isSpread ? anyGroup(chance) : group, chance, this.#marks);
    });
    if (chance.happens(0.2)) commands.push(anyRemoval(group, chance, this.#marks), increaseBy(numberIn(group), this.#marks.next()));
    if (chance.happens(0.2)) commands.push(set(flagIn(group), flagOf(chance)), increaseBy(tallyIn(group), this.#marks.next()));
    return commands;
  }

  /** Reads a flag, and sets it unless it has changed since. */
  async #watch(client: Client, chance: Chance, around: Around): Promise<boolean> {
    const group = anyGroup(chance);
    const key = flagIn(group);
    const [watching, reading] = client.connection.ask([['WATCH', key], get(key).words]);
    const [watch, read] = [await watching!, await reading!];
    const reads = this.#report(client, { commands: [get(key)], isExec: false }, read, around);
    if (reads === null || watch.reply?.line !== 'OK') return false;
    const commands = [set(key, flagOf(chance)), increaseBy(tallyIn(group), this.#marks.next())];
    if (chance.happens(0.3)) commands.reverse();
    return this.#send(client, [{ commands, isExec: true, watched: { keys: [key], sinceNs: watch.endMs * 1e6, reads } }], around);
  }

  /** Ordinary transactions on the same records. */
  #operations(claret: Claret, chance: Chance) {
    const marks = this.#marks;
    const { on } = claret;
    return Array.from({ length: 1 + chance.below(OPERATIONS_MAX) }, () => {
      const group = anyGroup(chance);
      return chance.pick([
        () => on.register(numberIn(group)).set(marks.next()),
        () => on.register(numberIn(group)).get(),
        () => on.register(tallyIn(group)).incrementAndGet(1),
        () => on.register(flagIn(group)).set(flagOf(chance)),
        () => on.register(flagIn(group)).get(),
        () => on.dict(hashIn(group)).get(fieldOf(chance)),
        () => on.set(setIn(group)).add(memberOf(chance)),
        () => on.set(setIn(group)).contains(memberOf(chance)),
        () => on.list(listIn(group)).append(marks.next()),
        () => on.list(listIn(group)).length(),
        () => on.scoredSet(rankingIn(group)).add(memberOf(chance), marks.next()),
        () => on.scoredSet(rankingIn(group)).score(memberOf(chance)),
      ])();
    });
  }

  // ---- what is answered

  /** Whether any step has taken effect. */
  async #send(client: Client, steps: readonly Step[], around: Around): Promise<boolean> {
    const replies = client.connection.ask(steps.flatMap(wordsOf));
    let next = 0;
    let isDone = false;
    for (const step of steps) {
      const { length } = wordsOf(step);
      const own = replies.slice(next, (next += length));
      const { callMs } = await own[0]!;
      const last = await own.at(-1)!;
      if (this.#report(client, step, { ...last, callMs }, around) !== null) isDone = true;
    }
    return isDone;
  }

  /** Puts a step into the history. Its operations; null if it has taken no effect, or nobody knows. */
  #report({ name }: Client, step: Step, { callMs, endMs, reply }: TimedReply, around: Around): HistoryOperation[] | null {
    const id = `redis:${++this.#told}`;
    const known = { id, transaction: id, process: name, label: REDIS_LABEL, call: callMs * 1e6, return: endMs * 1e6 };
    const tell = (attempt: Pick<RedisAttempt, 'outcome' | 'ops' | 'watched'>) => {
      around.told({ ...known, ...attempt, marks: marksIn(attempt.ops) } as RedisAttempt);
    };
    const changes = step.commands.flatMap((command) => command.changes);
    const isNothing = reply !== undefined && (isRefusal(reply) || (step.isExec && isNull(reply)));
    if (reply === undefined || isNothing) {
      if (changes.length > 0) tell({ outcome: isNothing ? 'fail' : 'unknown', ops: changes });
      return null;
    }
    const ops = step.isExec ? execTold(step, reply) : step.commands[0]!.told(reply);
    if (ops.length === 0) return null;
    const { watched } = step;
    if (watched === undefined) tell({ outcome: 'ok', ops });
    else tell({ outcome: 'ok', ops: [...watched.reads, ...ops], watched: { keys: watched.keys, sinceNs: watched.sinceNs } });
    return ops;
  }
}

/** Throws an Error if it is one that no command of ours deserves. */
function isRefusal({ kind, line }: Reply): boolean {
  if (kind === '-' && !REFUSALS.test(line)) throw new Error(`a door answers ${line}`);
  return kind === '-';
}

function wordsOf({ commands, isExec }: Step): (readonly string[])[] {
  const words = commands.map((command) => command.words);
  return isExec ? [['MULTI'], ...words, ['EXEC']] : words;
}

function execTold({ commands }: Step, { elements, raw }: Reply): HistoryOperation[] {
  if (elements.length !== commands.length) throw new Error(`EXEC of ${commands.length} commands is answered with ${raw}`);
  return commands.flatMap((command, i) => (isRefusal(elements[i]!) ? [] : command.told(elements[i]!)));
}
