// What is wrong with a request that its schema refuses, as a sentence: which part, which member, what it should be.
import type { FastifySchemaValidationError } from 'fastify';
import { GatewayError } from '../errors.ts';

const PARTS: Record<string, string> = { body: 'The body', querystring: 'The query', params: 'The path', headers: 'The headers' };

/** `part`: "body", "querystring", "params" or "headers". Only the first mismatch is told. */
export function describeMismatch(errors: readonly FastifySchemaValidationError[], part: string): GatewayError {
  const first = errors[0];
  const path = first?.instancePath ?? '';
  return new GatewayError(
    'invalid_request',
    first === undefined ? `${partName(part)} does not match the schema.` : sentence(first, path, part),
  );
}

function sentence({ keyword, params, message }: FastifySchemaValidationError, path: string, part: string): string {
  if (keyword === 'required') {
    const missing = list((params as { requiredProperties?: string[] }).requiredProperties ?? []);
    return `${placeName(path, part)} needs ${missing}.`;
  }
  if (keyword === 'boolean') {
    // the schema `false` of a member that should not be there
    const cut = path.lastIndexOf('/');
    return `${placeName(path.slice(0, cut), part)} has no member "${unescaped(path.slice(cut + 1))}".`;
  }
  if (keyword === 'enum') {
    return `${placeName(path, part)} must be one of ${list((params as { allowedValues?: unknown[] }).allowedValues ?? [])}.`;
  }
  return `${placeName(path, part)} ${message ?? 'does not match the schema'}.`;
}

const partName = (part: string) => PARTS[part] ?? part;

/** "/operations/0/key" in the body: `operations[0].key in the body` */
function placeName(path: string, part: string): string {
  if (path === '') return partName(part);
  const name = path
    .split('/')
    .slice(1)
    .map((step, at) => (/^\d+$/.test(step) ? `[${step}]` : `${at === 0 ? '' : '.'}${unescaped(step)}`))
    .join('');
  return `"${name}" in ${partName(part).toLowerCase()}`;
}

/** One step of a JSON pointer (RFC 6901), decoded. */
const unescaped = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~');

function list(items: readonly unknown[]): string {
  const shown = items.map((item) => JSON.stringify(item));
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
