// Checks a value parsed from JSON against a schema. Texts, lists and numbers are bounded, so that no message can exhaust a reader's
// memory. Members that the schema does not name are ignored.
import type { Schema } from './schema.ts';

export const LIST_MAX = 4_096;
export const TEXT_MAX = 1_024;
/** About a thousand times the wall clock in milliseconds. Sums of such numbers stay finite. */
const NUMBER_MAX = 1e15;

/** Whether `value` is of the schema's type. A missing member that has a `default` is filled in. */
export function accepts<T>(schema: Schema<T>, value: unknown): value is T {
  if (schema.enum !== undefined) return schema.enum.includes(value);
  if (schema.anyOf !== undefined) return schema.anyOf.some((each) => accepts(each, value));
  switch (schema.type) {
    case 'string':
      return typeof value === 'string' && value.length <= TEXT_MAX;
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value) && isWithin(schema, value as number);
    case 'number':
      return typeof value === 'number' && isWithin(schema, value);
    case 'array':
      return Array.isArray(value) && value.length <= LIST_MAX && acceptsElements(schema, value);
    case 'object':
      return typeof value === 'object' && value !== null && acceptsMembers(schema, value as Record<string, unknown>);
    default:
      return false;
  }
}

const isWithin = ({ minimum = -NUMBER_MAX, maximum = NUMBER_MAX }: Schema<unknown>, value: number) => value >= minimum && value <= maximum;

function acceptsElements({ items, prefixItems }: Schema<unknown>, values: unknown[]): boolean {
  if (prefixItems !== undefined) return prefixItems.every((each, index) => accepts(each, values[index]));
  for (const value of values) if (!accepts(items!, value)) return false;
  return true;
}

function acceptsMembers({ properties, required, additionalProperties }: Schema<unknown>, value: Record<string, unknown>): boolean {
  if (additionalProperties !== undefined) {
    if (Array.isArray(value)) return false;
    const names = Object.keys(value);
    return names.length <= LIST_MAX && names.every((name) => name.length <= TEXT_MAX && accepts(additionalProperties, value[name]));
  }
  for (const name in properties) {
    const member = properties[name]!;
    if (value[name] === undefined) {
      if (member.default !== undefined) value[name] = member.default;
      else if (required!.includes(name)) return false;
    } else if (!accepts(member, value[name])) {
      return false;
    }
  }
  return true;
}
