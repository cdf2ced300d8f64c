// DriverProcess: runs the load of a benchmark in a separate process, so that its CPU time is counted separately. It handles one
// request at a time; it ends when its parent disconnects or ends.

import { fork, type ChildProcess } from 'node:child_process';

/** Progress of a long request. */
export interface Told {
  done: number;
  total: number;
}

type Message<Answer> = { answer: Answer } | { told: Told };

export class DriverProcess<Question extends object, Answer> {
  readonly #child: ChildProcess;
  #settle: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null;
  #end: Error | null = null;
  /** Called when the driver reports progress. */
  onTold: (told: Told) => void = () => {};

  /** `execArgv`: options for Node, such as --cpu-prof. */
  constructor(file: URL, args: readonly string[], execArgv: readonly string[] = []) {
    this.#child = fork(file, args, { execArgv: [...execArgv] });
    this.#child.on('message', (message: Message<Answer>) => {
      if ('told' in message) return this.onTold(message.told);
      this.#settle?.resolve(message.answer);
      this.#settle = null;
    });
    this.#child.on('exit', (code, signal) => {
      this.#end = new Error(`the driver ended with ${signal ?? `exit code ${code}`}`);
      this.#settle?.reject(this.#end);
    });
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** REQUIRES: the previous request has been answered. Rejects if the driver ends instead. */
  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#end !== null) return reject(this.#end);
      this.#settle = { resolve, reject };
      this.#child.send(question);
    });
  }

  /** Resolves when the process has ended. */
  async close(): Promise<void> {
    if (this.#end !== null) return;
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    if (this.#child.connected) this.#child.disconnect();
    await gone;
  }
}

/** The driver's side: answers each request in turn. An error of `answer` ends the process with its message. */
export function answerParent<Question, Answer>(answer: (question: Question, tell: (told: Told) => void) => Promise<Answer>): void {
  const send = (message: Message<Answer>) => void process.send!(message);
  process.on('message', (question) => {
    answer(question as Question, (told) => send({ told })).then(
      (given) => send({ answer: given }),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.on('disconnect', () => process.exit(0));
}
