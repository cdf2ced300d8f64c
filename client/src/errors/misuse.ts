// Misuse: wrong arguments of the public functions, which TypeScript sees and JavaScript does not. Without these checks they would end as a TypeError
// somewhere inside the client. Calls of operations are checked by values/check-call.ts.

import { ClaretError } from './claret-error.ts';
import { codes } from './error-codes.ts';

const kindOf = (value: unknown): string => {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return 'a text';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

/** @param rule "connect takes an object" */
export const misuse = (rule: string, given: unknown): ClaretError =>
  new ClaretError({ code: codes.wrongArgumentType, message: `${rule}, not ${kindOf(given)}` });

/** Throws `wrong_argument_type`. */
export function wantFunction(value: unknown, rule: string): void {
  if (typeof value !== 'function') throw misuse(rule, value);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Throws `wrong_argument_type`. */
export function wantComputation(value: unknown): void {
  if (!isObject(value) || typeof value['body'] !== 'function') throw misuse('call takes a computation and its arguments', value);
}

const isDescribed = (value: unknown): boolean => isObject(value) && isObject(value['spec']) && typeof value['key'] === 'string';

/** What is wrong with an operation that was to be described; null: nothing. */
export const misusedOperation = (name: string, operation: unknown): ClaretError | null =>
  isDescribed(operation)
    ? null
    : misuse(`${name} takes what claret.on or describe() describe, as in claret.on.counter('hits').add(1)`, operation);

interface Guessable {
  readonly name: string;
  readonly operationClass: string;
  readonly result: string;
}

/** The body may go on with a result that it expects. The fields that `Dict.all` tells have no order. */
export const mayBeGuessed = ({ operationClass, result }: Guessable): boolean => operationClass === 'observe' && result !== 'entries';

/** What is wrong with the guess of a result; null: nothing. */
export function misusedGuess({ spec }: { readonly spec: Guessable }, guess: unknown): ClaretError | null {
  if (mayBeGuessed(spec)) return null;
  return spec.operationClass === 'observe'
    ? misuse(`the fields that ${spec.name} tells have no order, and cannot be guessed`, guess)
    : misuse(`only the result of an operation that changes nothing is guessed: ${spec.name}`, guess);
}

/** What is wrong with a list of described operations; null: nothing. */
export function misusedList(name: string, operations: unknown): ClaretError | null {
  if (!Array.isArray(operations)) return misuse(`the operations of ${name} are a list`, operations);
  for (const operation of operations) {
    const wrong = misusedOperation(name, operation);
    if (wrong !== null) return wrong;
  }
  return null;
}

/** What is wrong with the arguments of a transaction; null: nothing. */
export function misusedTransaction(name: string, label: unknown, work: unknown, options: unknown): ClaretError | null {
  if (typeof label !== 'string') return misuse(`the first argument of ${name} is a label, the name of this kind of transaction`, label);
  if (!isObject(options)) return misuse(`the options of ${name} are an object`, options);
  if (name === 'transaction' || name === 'firm')
    return typeof work === 'function' ? null : misuse(`the body of ${name} is a function`, work);
  return misusedList(name, work);
}

/** Throws `wrong_argument_type`. */
export function wantConnectOptions(options: unknown, isGrpc: boolean): void {
  const example = "connect takes { addresses: ['127.0.0.1:7401'] }, the gRPC addresses of any gateways";
  if (!isObject(options)) throw misuse(example, options);
  const { addresses } = options;
  for (const name of ['combining', 'warranties']) {
    const value = options[name];
    if (value !== undefined && value !== 'off') {
      throw new ClaretError({
        code: codes.wrongArgumentType,
        message: `the option ${name} of connect is 'off' or left out, not '${value}'`,
      });
    }
  }
  if (!Array.isArray(addresses)) throw misuse(example, addresses);
  if (addresses.length === 0) throw new ClaretError({ code: codes.wrongArgumentType, message: `${example}: one at least` });
  for (const address of addresses) {
    if (typeof address !== 'string') throw misuse(example, address);
    // grpc-js would take port 443.
    if (isGrpc && !/:\d+$|^unix:/.test(address)) {
      throw new ClaretError({ code: codes.wrongArgumentType, message: `${example}: '${address}' has no port` });
    }
  }
}
