// DriverProcess: the load of a benchmark in a process of its own, so that its CPU time is counted apart. It is asked one
// thing at a time and answers each; it ends when its parent lets go of it or is gone.

import { fork, type ChildProcess } from 'node:child_process';

/** How far a long answer is. */
export interface Told {
  done: number;
  total: number;
}

type Message<Answer> = { answer: Answer } | { told: Told };

export class DriverProcess<Question extends object, Answer> {
  readonly #child: ChildProcess;
  #settle: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null;
  #end: Error | null = null;
  /** Called when the driver tells how far its answer is. */
  onTold: (told: Told) => void = () => {};

  /** `execArgv`: options for Node, such as --cpu-prof */
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

  /** REQUIRES: the last question has been answered. Rejects when the driver ends instead. */
  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#end !== null) return reject(this.#end);
      this.#settle = { resolve, reject };
      this.#child.send(question);
    });
  }

  /** Resolves when the process is gone. */
  async close(): Promise<void> {
    if (this.#end !== null) return;
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    if (this.#child.connected) this.#child.disconnect();
    await gone;
  }
}

/** The driver's side: answers each question in turn. What `answer` throws ends the process loudly. */
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
