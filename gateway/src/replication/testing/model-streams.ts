// A trivial model of streams of NATS JetStream, with the part of NATS' client that a replicated log uses. A stream is a run of messages. A message
// that names the sequence which it has to follow is stored there or refused, and one that comes again is recognized by its id.
import type { Environment } from '@claret/client';
import { JetStreamApiCodes, JetStreamApiError } from '@nats-io/jetstream';
import type { JetStreamPublishOptions, StreamConfig } from '@nats-io/jetstream';
import type { StoredMessage } from '../../log/jetstream/chain.ts';
import type { Nats } from '../../log/jetstream/connection.ts';
import type { ModelContents, ModelServers } from './model-servers.ts';

type Config = Partial<StreamConfig> & { name: string };

/** A run of messages. */
class Messages {
  readonly #messages: StoredMessage[];
  /** none is before it */
  first: number;
  bytes: number;

  constructor(first = 1, messages: StoredMessage[] = [], bytes = 0) {
    this.first = first;
    this.#messages = messages;
    this.bytes = bytes;
  }

  get last(): number {
    return this.first + this.#messages.length - 1;
  }

  /** Undefined if it is not there. */
  at(sequence: number): StoredMessage | undefined {
    return this.#messages[sequence - this.first];
  }

  lastOf(subject: string): StoredMessage | undefined {
    return this.#messages.findLast((message) => message.subject === subject);
  }

  from(sequence: number): StoredMessage[] {
    return this.#messages.slice(Math.max(0, sequence - this.first));
  }

  store(subject: string, payload: Uint8Array): StoredMessage {
    const message = { sequence: this.last + 1, subject, payload };
    this.#messages.push(message);
    this.bytes += payload.length;
    return message;
  }

  removeBefore(sequence: number): void {
    const removed = this.#messages.splice(0, Math.max(0, sequence - this.first));
    this.first += removed.length;
    for (const { payload } of removed) this.bytes -= payload.length;
  }

  copy(): Messages {
    return new Messages(this.first, [...this.#messages], this.bytes);
  }
}

class Stream {
  readonly config: Config;
  /** by the ids of messages */
  readonly sequences = new Map<string, number>();
  readonly now = new Messages();
  /** when the contents were remembered */
  past = new Messages();

  constructor(config: Config) {
    this.config = config;
  }
}

const apiError = (code: number, description: string, status = 400): JetStreamApiError =>
  new JetStreamApiError({ code: status, err_code: code, description });
const notFound = (): JetStreamApiError => apiError(JetStreamApiCodes.StreamNotFound, 'stream not found', 404);

export class ModelStreams implements ModelContents {
  /** Called with each message when it is stored. */
  onStored: (stream: string, message: StoredMessage) => void = () => {};
  readonly #servers: ModelServers;
  readonly #streams = new Map<string, Stream>();
  readonly #deliveries = new Set<Delivery>();
  readonly #connected = new Map<Environment, Nats[]>();

  constructor(servers: ModelServers) {
    this.#servers = servers;
    servers.hold(this);
    servers.rejoinListeners.add((machine) => {
      for (const nats of this.#connected.get(machine) ?? []) machine.setTimeout(() => nats.onReconnected(), servers.againMs());
    });
  }

  remember(): void {
    for (const stream of this.#streams.values()) stream.past = stream.now.copy();
  }

  /** A connection of that machine. */
  connect(machine: Environment): Nats {
    const servers = this.#servers;
    const js = {
      publish: (subject: string, payload: Uint8Array, options: Partial<JetStreamPublishOptions>) =>
        servers.change(machine, this, () => this.#publish(subject, payload, options)),
      consumers: {
        get: async (name: string, { opt_start_seq: first }: { opt_start_seq: number }) => {
          await servers.read(machine, () => void this.#streamOf(name));
          return this.#consumer(machine, this.#streamOf(name), first);
        },
      },
    };
    const streams = {
      info: (name: string) => servers.read(machine, (isPast) => infoOf(this.#streamOf(name), isPast)),
      getMessage: (name: string, query: { seq: number } | { last_by_subj: string }) =>
        servers.read(machine, (isPast) => find(this.#streamOf(name)[isPast ? 'past' : 'now'], query)),
      add: (config: Config) => servers.change(machine, this, () => this.#add(config)),
      purge: (name: string, { seq }: { seq: number }) => servers.change(machine, this, () => this.#streamOf(name).now.removeBefore(seq)),
    };
    const connection = { close: () => Promise.resolve() };
    const nats = { js, jsm: { streams }, connection, environment: machine, onReconnected: () => {} } as unknown as Nats;
    this.#connected.set(machine, [...(this.#connected.get(machine) ?? []), nats]);
    return nats;
  }

  /** The machine is gone. */
  forget(machine: Environment): void {
    this.#connected.delete(machine);
    for (const delivery of this.#deliveries) if (delivery.machine === machine) this.#deliveries.delete(delivery);
  }

  #streamOf(name: string): Stream {
    const stream = this.#streams.get(name);
    if (stream === undefined) throw notFound();
    return stream;
  }

  #add(config: Config) {
    const stream = this.#streams.get(config.name) ?? new Stream(config);
    this.#streams.set(config.name, stream);
    return infoOf(stream, false);
  }

  #publish(subject: string, payload: Uint8Array, { expect = {}, msgID }: Partial<JetStreamPublishOptions>) {
    const stream = this.#streamOf(expect.streamName ?? '');
    const stored = msgID === undefined ? undefined : stream.sequences.get(msgID);
    if (stored !== undefined) return { stream: stream.config.name, seq: stored, duplicate: true };
    if (expect.lastSequence !== undefined && expect.lastSequence !== stream.now.last)
      throw apiError(JetStreamApiCodes.StreamWrongLastSequence, `wrong last sequence: ${stream.now.last}`);
    this.onStored(stream.config.name, stream.now.store(subject, payload));
    if (msgID !== undefined) stream.sequences.set(msgID, stream.now.last);
    for (const delivery of this.#deliveries) if (delivery.stream === stream) delivery.wake();
    return { stream: stream.config.name, seq: stream.now.last, duplicate: false };
  }

  #consumer(machine: Environment, stream: Stream, first: number) {
    const delivery = new Delivery(this.#servers, machine, stream, first);
    return {
      consume: () => {
        this.#deliveries.add(delivery);
        delivery.wake();
        return Promise.resolve(delivery);
      },
      delete: () => {
        delivery.stop();
        this.#deliveries.delete(delivery);
        return Promise.resolve(true);
      },
    };
  }
}

function infoOf({ config, now, past }: Stream, isPast: boolean) {
  const { first, last, bytes } = isPast ? past : now;
  return { config, state: { messages: last - first + 1, bytes, first_seq: first, last_seq: last } };
}

function find(messages: Messages, query: { seq: number } | { last_by_subj: string }) {
  const found = 'seq' in query ? messages.at(query.seq) : messages.lastOf(query.last_by_subj);
  return found === undefined ? null : { seq: found.sequence, subject: found.subject, data: found.payload };
}

interface Delivered {
  seq: number;
  subject: string;
  data: Uint8Array;
}

/** The messages of a stream on their way to a machine, in order. */
class Delivery implements AsyncIterable<Delivered> {
  readonly machine: Environment;
  readonly stream: Stream;
  readonly #servers: ModelServers;
  /** the next message */
  #sequence: number;
  #isUnderWay = false;
  #isStopped = false;
  readonly #arrived: Delivered[] = [];
  #wanting: ((result: IteratorResult<Delivered>) => void) | undefined;

  constructor(servers: ModelServers, machine: Environment, stream: Stream, first: number) {
    this.#servers = servers;
    this.machine = machine;
    this.stream = stream;
    this.#sequence = first;
  }

  /** There may be more messages. */
  wake(): void {
    if (this.#isUnderWay || this.#isStopped || this.#sequence > this.stream.now.last) return;
    const { machine } = this;
    this.#isUnderWay = true;
    const over = () => {
      this.#isUnderWay = false;
      this.wake();
    };
    if (!this.#servers.reach(machine)) return void machine.setTimeout(over, this.#servers.againMs());
    const messages = this.stream.now.from(this.#sequence);
    this.#sequence = this.stream.now.last + 1;
    machine.setTimeout(() => {
      this.#arrived.push(...messages.map(({ sequence, subject, payload }) => ({ seq: sequence, subject, data: payload })));
      this.#give();
      over();
    }, this.#servers.wayMs());
  }

  stop(): void {
    this.#isStopped = true;
    this.#give();
  }

  [Symbol.asyncIterator](): AsyncIterator<Delivered> {
    return {
      next: () =>
        new Promise((resolve) => {
          this.#wanting = resolve;
          this.#give();
        }),
    };
  }

  #give(): void {
    const wanting = this.#wanting;
    if (wanting === undefined || (this.#arrived.length === 0 && !this.#isStopped)) return;
    this.#wanting = undefined;
    const value = this.#isStopped ? undefined : this.#arrived.shift();
    wanting(value === undefined ? { value, done: true } : { value });
  }
}
