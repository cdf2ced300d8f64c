// Machines: three network namespaces of this machine, joined by a bridge, each with an address of its own, which the programs outside reach,
// too. One can be cut off, as by a pulled cable. Needs root and iproute2. Names hold the pid, and nothing is left behind: what was made is
// undone by `end`, or by the janitor.

import { execFileSync } from 'node:child_process';

export const MACHINES = 3;
/** The networks for measurements (RFC 2544), which are nowhere else. */
const NETWORK = '198.18';
const DELAY = '1ms';

/** The cable of a machine. */
export interface Link {
  cut(): void;
  join(): void;
}

export type Command = readonly [string, ...string[]];

export class Machines {
  /** their addresses */
  readonly hosts: readonly string[];
  readonly links: readonly Link[];
  /** why messages between machines take no longer than within one; empty: they take DELAY longer in each direction */
  readonly noDelay: string;
  readonly #names: readonly string[];
  readonly #undo: Command[] = [];
  readonly #willUndo: (command: Command) => void;

  /** `willUndo`: called with a command before there is something that it removes. Throws with the reason if machines cannot be made here. */
  constructor(willUndo: (command: Command) => void, pid = process.pid) {
    this.#willUndo = willUndo;
    const network = `${NETWORK}.${pid % 256}`;
    const bridge = `clb${pid}`;
    const numbers = Array.from({ length: MACHINES }, (_, number) => number);
    this.hosts = numbers.map((number) => `${network}.${number + 1}`);
    this.#names = numbers.map((number) => `claret-${pid}-${number}`);
    this.links = numbers.map((number) => {
      const outside = outsideOf(pid, number);
      return { cut: () => void ip('link', 'set', outside, 'down'), join: () => void ip('link', 'set', outside, 'up') };
    });
    try {
      this.#make(['ip', 'link', 'del', bridge], ['ip', 'link', 'add', bridge, 'type', 'bridge']);
      ip('addr', 'add', `${network}.254/24`, 'dev', bridge);
      ip('link', 'set', bridge, 'up');
      for (const number of numbers) this.#add(this.#names[number]!, outsideOf(pid, number), bridge, `${this.hosts[number]}/24`);
      this.noDelay = this.#delay();
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** Runs a program on that machine. */
  command(number: number): Command {
    return inside(this.#names[number]!);
  }

  #add(name: string, outside: string, bridge: string, address: string): void {
    this.#make(['ip', 'netns', 'del', name], ['ip', 'netns', 'add', name]);
    const peer = ['peer', 'name', 'eth0', 'netns', name];
    this.#make(['ip', 'link', 'del', outside], ['ip', 'link', 'add', outside, 'type', 'veth', ...peer]);
    ip('link', 'set', outside, 'master', bridge, 'up');
    const within = ['-n', name];
    ip(...within, 'link', 'set', 'lo', 'up');
    ip(...within, 'addr', 'add', address, 'dev', 'eth0');
    ip(...within, 'link', 'set', 'eth0', 'up');
  }

  #delay(): string {
    try {
      for (const name of this.#names) run([...inside(name), 'tc', 'qdisc', 'add', 'dev', 'eth0', 'root', 'netem', 'delay', DELAY]);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  }

  #make(undo: Command, make: Command): void {
    this.#willUndo(undo);
    this.#undo.unshift(undo);
    run(make);
  }

  /** Removes everything. May be called repeatedly. REQUIRES: nothing runs on the machines. */
  end(): void {
    for (const command of this.#undo.splice(0)) {
      try {
        run(command);
      } catch {
        // it went with something else, or was never made
      }
    }
  }
}

/** Interface names have 15 characters at most. */
const outsideOf = (pid: number, number: number): string => `clm${pid}.${number}`;

/** Null: machines can be made here. */
export function whyNoMachines(): string | null {
  const name = `claret-${process.pid}-probe`;
  try {
    run(['ip', 'netns', 'add', name]);
    run(['ip', 'netns', 'del', name]);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

const inside = (name: string): Command => ['ip', 'netns', 'exec', name];

const ip = (...args: string[]): void => run(['ip', ...args]);

function run([program, ...args]: Command): void {
  try {
    execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const said = String((error as { stderr?: Buffer }).stderr ?? '').trim();
    throw new Error(`${[program, ...args].join(' ')}: ${said.split('\n')[0] || (error as Error).message}`, { cause: error });
  }
}
