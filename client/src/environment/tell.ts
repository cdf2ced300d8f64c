// Calls into the application. An error that a listener throws must not disturb the client: it is thrown again in the next turn of
// the event loop.

import type { Environment } from './environment.ts';

export function tell<Argument>(environment: Environment, listener: (argument: Argument) => void, argument: Argument): void {
  try {
    listener(argument);
  } catch (error) {
    throwLater(environment, error);
  }
}

export function throwLater(environment: Environment, error: unknown): void {
  environment.setImmediate(() => {
    throw error;
  });
}
