// The flags of a benchmark. A wrong flag ends the process with code 2, a line with the reason, and the list of flags.

import { parseArgs, type ParseArgsConfig, type ParseArgsOptionDescriptor } from 'node:util';
import { WrongUse } from './wrong-use.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values'];

/**
 * A flag whose default is a number accepts numbers from 0. `choices` are the values that other flags accept; a flag without a
 * default and without choices accepts any. `check` throws `WrongUse` for further errors.
 */
export function readFlags<const O extends Options>(
  options: O,
  choices: Readonly<Record<string, readonly string[]>> = {},
  check: (values: Values<O>) => void = () => {},
): Values<O> {
  try {
    const { values } = parseArgs({ options });
    for (const [name, option] of Object.entries(options)) {
      const given = listOf((values as Record<string, unknown>)[name]);
      checkNumbers(name, option, given);
      const words = choices[name];
      const wrong = words && given.find((text) => !words.includes(text));
      if (wrong !== undefined) throw new WrongUse(`--${name} takes one of ${words!.join(', ')}; not "${wrong}"`);
    }
    check(values as Values<O>);
    return values as Values<O>;
  } catch (error) {
    console.error(`${(error as Error).message.split('\n', 1)[0]}\n\n${Object.entries(options).map(lineOf).join('\n')}`);
    return process.exit(2);
  }
}

const listOf = (value: unknown): string[] => [value ?? []].flat().map(String);
const isNumber = (text: string) => /^\d+(\.\d+)?$/.test(text);

function checkNumbers(name: string, option: ParseArgsOptionDescriptor, given: readonly string[]): void {
  const defaults = listOf(option.default);
  if (defaults.length === 0 || !defaults.every(isNumber)) return;
  const wrong = given.find((text) => !isNumber(text));
  if (wrong !== undefined) throw new WrongUse(`--${name} takes a number, not "${wrong}"`);
}

function lineOf([name, option]: [string, ParseArgsOptionDescriptor]): string {
  const defaults = listOf(option.default);
  const takes = option.type === 'boolean' ? '' : ` VALUE${option.multiple ? ' (may be repeated)' : ''}`;
  return `  --${name}${takes}${defaults.length === 0 || option.type === 'boolean' ? '' : `, by default ${defaults.join(' ')}`}`;
}
