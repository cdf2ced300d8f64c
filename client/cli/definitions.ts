// Definitions of data types in files: a module whose exports include defined types, or the JSON of one definition.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suggestion } from './catalogue.ts';
import { usageProblem } from './problem.ts';

export interface Definition {
  name: string;
  /** JSON text, as it is installed */
  text: string;
}

const BEGINNING = '{"format":1';

/** Definitions in the order of the module's exports, which JavaScript sorts by name. Throws a usage problem. */
export async function definitionsIn(file: string, name: string | undefined): Promise<Definition[]> {
  const found = file.endsWith('.json') ? [fromJson(file)] : definedTypes(await load(file));
  if (found.length === 0) {
    throw usageProblem(`${file} exports no data type.`, 'A type is made with `defineType` of @claret/client/types, and exported.');
  }
  if (name === undefined) return found;
  const chosen = found.filter((definition) => definition.name === name);
  if (chosen.length > 0) return chosen;
  const names = found.map((definition) => definition.name);
  const meant = suggestion(name, names);
  throw usageProblem(`${file} has no data type ${name}.`, meant === undefined ? `It has ${names.join(', ')}.` : `Did you mean ${meant}?`);
}

function fromJson(file: string): Definition {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return { name: nameIn(text), text };
  } catch (error) {
    throw usageProblem(`${file} cannot be read: ${(error as Error).message}.`);
  }
}

/** Runs the module in this process. */
async function load(file: string): Promise<Record<string, unknown>> {
  try {
    return (await import(pathToFileURL(resolve(file)).href)) as Record<string, unknown>;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isOld = code === 'ERR_UNKNOWN_FILE_EXTENSION';
    throw usageProblem(
      `${file} cannot be loaded: ${message}${/[.!?]$/.test(message) ? '' : '.'}`,
      isOld ? 'Modules in TypeScript take Node 22.18 or later; a built .js or .mjs file takes any.' : undefined,
    );
  }
}

/** A type may be exported twice, by name and as the default. */
function definedTypes(module: Record<string, unknown>): Definition[] {
  const texts = Object.values(module).flatMap((value) => {
    const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function';
    const text = isObject ? (value as { definition?: unknown }).definition : undefined;
    return typeof text === 'string' && text.startsWith(BEGINNING) ? [text] : [];
  });
  return [...new Set(texts)].map((text) => ({ name: nameIn(text), text }));
}

const nameIn = (text: string): string => String((JSON.parse(text) as { name?: unknown } | null)?.name);
