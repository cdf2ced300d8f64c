// Definitions of data types of an application's own, for the check of histories that have such types (docs/history.md).

import { readFileSync } from 'node:fs';
import type { HistoryAttempt } from '@claret/client';
import { addDefinition, hasModel } from './models/index.ts';

/**
 * Adds the definitions of a file: the text of a definition, or what `GET /v1/types/NAME` answers, or a list of these. Throws, and names the file.
 */
export function readDefinitions(path: string): void {
  try {
    const json = JSON.parse(readFileSync(path, 'utf8')) as unknown;
    for (const one of Array.isArray(json) ? (json as unknown[]) : [json]) addDefinition(textOf(one));
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}

function textOf(json: unknown): string {
  if (typeof json === 'string') return json;
  const { definition } = (json ?? {}) as { definition?: unknown };
  return typeof definition === 'string' ? definition : JSON.stringify(json);
}

/** The operations of a type that are not checked, since nobody has said what the type is. */
export interface Unchecked {
  type: string;
  operations: number;
}

/** The attempts without the operations of types that have no model. */
export function ofKnownTypes(attempts: readonly HistoryAttempt[]): { attempts: HistoryAttempt[]; unchecked: Unchecked[] } {
  const operations = new Map<string, number>();
  const known = attempts.map((attempt) => {
    const ops = attempt.ops.filter(({ type }) => {
      if (hasModel(type)) return true;
      operations.set(type, (operations.get(type) ?? 0) + 1);
      return false;
    });
    return ops.length === attempt.ops.length ? attempt : { ...attempt, ops };
  });
  return { attempts: known, unchecked: [...operations].map(([type, count]) => ({ type, operations: count })) };
}
