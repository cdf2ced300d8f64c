// Describes why a request does not match its schema, in one sentence with the section, the member and the expectation.
import type { FastifySchemaValidationError } from 'fastify';
import { GatewayError } from '../errors.ts';

const SECTIONS: Record<string, string> = { body: 'The body', querystring: 'The query', params: 'The path', headers: 'The headers' };

/** Describes the first mismatch. `section`: "body", "querystring", "params" or "headers" */
export function describeMismatch(errors: readonly FastifySchemaValidationError[], section: string): GatewayError {
  const first = errors[0];
  const path = first?.instancePath ?? '';
  return new GatewayError(
    'invalid_request',
    first === undefined ? `${sectionName(section)} does not match the schema.` : sentence(first, path, section),
  );
}

function sentence({ keyword, params, message }: FastifySchemaValidationError, path: string, section: string): string {
  if (keyword === 'required') {
    const missing = list((params as { requiredProperties?: string[] }).requiredProperties ?? []);
    return `${memberName(path, section)} needs ${missing}.`;
  }
  if (keyword === 'boolean') {
    // the schema `false` of an additional member
    const cut = path.lastIndexOf('/');
    return `${memberName(path.slice(0, cut), section)} has no member "${unescaped(path.slice(cut + 1))}".`;
  }
  if (keyword === 'enum') {
    return `${memberName(path, section)} must be one of ${list((params as { allowedValues?: unknown[] }).allowedValues ?? [])}.`;
  }
  return `${memberName(path, section)} ${message ?? 'does not match the schema'}.`;
}

const sectionName = (section: string) => SECTIONS[section] ?? section;

/** "/operations/0/key" in the body: `operations[0].key in the body` */
function memberName(path: string, section: string): string {
  if (path === '') return sectionName(section);
  const name = path
    .split('/')
    .slice(1)
    .map((step, at) => (/^\d+$/.test(step) ? `[${step}]` : `${at === 0 ? '' : '.'}${unescaped(step)}`))
    .join('');
  return `"${name}" in ${sectionName(section).toLowerCase()}`;
}

/** One step of a JSON pointer (RFC 6901), decoded. */
const unescaped = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~');

function list(items: readonly unknown[]): string {
  const shown = items.map((item) => JSON.stringify(item));
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
