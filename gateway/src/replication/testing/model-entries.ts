// A trivial model of replicated entries.
import type { Environment } from '@claret/client';
import type { ClusterEntries, Entry } from '../entries.ts';
import type { ModelContents, ModelServers } from './model-servers.ts';

interface Follower {
  readonly machine: Environment;
  readonly listener: (key: string, entry: Entry | undefined) => void;
  /** the revisions that it was told of */
  told: ReadonlyMap<string, number>;
  isBeingTold: boolean;
  isClosed: boolean;
}

export class ModelEntries implements ModelContents {
  readonly #servers: ModelServers;
  readonly #followers = new Set<Follower>();
  #entries: ReadonlyMap<string, Entry> = new Map();
  #past = this.#entries;
  #revision = 0;

  constructor(servers: ModelServers) {
    this.#servers = servers;
    servers.hold(this);
  }

  remember(): void {
    this.#past = this.#entries;
  }

  /** As that machine reaches them. */
  from(machine: Environment): ClusterEntries {
    const servers = this.#servers;
    const own: Follower[] = [];
    return {
      get: (key) => servers.read(machine, (isPast) => (isPast ? this.#past : this.#entries).get(key)),
      replace: (key, value, after) =>
        servers.change(machine, this, () => ((this.#entries.get(key)?.revision ?? 0) === after ? this.#put(key, value) : undefined)),
      set: async (key, value) => void (await servers.change(machine, this, () => this.#put(key, value))),
      remove: (key) => servers.change(machine, this, () => this.#change((entries) => entries.delete(key))),
      follow: (listener) => {
        const follower = { machine, listener, told: new Map<string, number>(), isBeingTold: false, isClosed: false };
        own.push(follower);
        this.#followers.add(follower);
        this.#tell(follower);
      },
      close: () => {
        for (const follower of own) {
          follower.isClosed = true;
          this.#followers.delete(follower);
        }
        return Promise.resolve();
      },
    };
  }

  #put(key: string, value: string): number {
    const revision = ++this.#revision;
    this.#change((entries) => entries.set(key, { value, revision }));
    return revision;
  }

  #change(make: (entries: Map<string, Entry>) => unknown): void {
    const entries = new Map(this.#entries);
    make(entries);
    this.#entries = entries;
    for (const follower of this.#followers) this.#tell(follower);
  }

  /** Tells what is new, in order. */
  #tell(follower: Follower): void {
    const { machine, listener } = follower;
    if (follower.isBeingTold || follower.isClosed) return;
    const entries = this.#entries;
    const news = [...new Set([...entries.keys(), ...follower.told.keys()])].filter(
      (key) => entries.get(key)?.revision !== follower.told.get(key),
    );
    if (news.length === 0) return;
    follower.isBeingTold = true;
    const over = () => {
      follower.isBeingTold = false;
      this.#tell(follower);
    };
    if (!this.#servers.reach(machine)) return void machine.setTimeout(over, this.#servers.againMs());
    machine.setTimeout(() => {
      follower.told = new Map([...entries].map(([key, { revision }]) => [key, revision]));
      if (!follower.isClosed) for (const key of news) listener(key, entries.get(key));
      over();
    }, this.#servers.wayMs());
  }
}
