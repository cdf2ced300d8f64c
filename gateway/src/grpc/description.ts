// Corrects the descriptors that reflection serves. protobufjs, which makes them, has two errors, for each of which clients in Go (grpcurl,
// k6) refuse the whole file:
//
//   the message of a map field is called `Statuses` instead of `StatusesEntry`
//   the range of a reserved number is [13, 13) instead of [13, 14): the end is exclusive
//
// Field numbers are those of google/protobuf/descriptor.proto.
import type { PackageDefinition } from '@grpc/proto-loader';
import { bytesField, bytesOf, fieldsOf, textOf, varintField, varintOf } from './protobuf.ts';

const FILE = { message: 4 };
const MESSAGE = { name: 1, field: 2, nested: 3, options: 7, reservedRange: 9 };
const FIELD = { typeName: 6 };
const OPTIONS = { mapEntry: 7 };
const RANGE = { start: 1, end: 2 };

type Field = ReturnType<typeof fieldsOf> extends Generator<infer Each> ? Each : never;

/** Returns the packages with corrected descriptors. */
export function described(packages: PackageDefinition): PackageDefinition {
  const files = new Map<Uint8Array, Buffer>(); // each message names all files
  const corrected = (bytes: Buffer) => {
    const known = files.get(bytes) ?? file(bytes);
    files.set(bytes, known);
    return known;
  };
  return Object.fromEntries(
    Object.entries(packages).map(([name, definition]) => {
      if (!Array.isArray(definition.fileDescriptorProtos)) return [name, definition]; // a service
      return [name, { ...definition, fileDescriptorProtos: definition.fileDescriptorProtos.map(corrected) } as typeof definition];
    }),
  );
}

const file = (bytes: Uint8Array) =>
  rewritten(bytes, (field) => (field.number === FILE.message ? message(bytesOf(field.value), false) : null));

function message(bytes: Uint8Array, isMapEntry: boolean): Buffer {
  const nested = [...fieldsOf(bytes)].filter(({ number }) => number === MESSAGE.nested).map(({ value }) => bytesOf(value));
  const entries = new Set(nested.filter(isEntry).map(nameOf));
  return rewritten(bytes, ({ number, value }) => {
    if (number === MESSAGE.name && isMapEntry) return `${textOf(value)}Entry`;
    if (number === MESSAGE.nested) return message(bytesOf(value), isEntry(bytesOf(value)));
    if (number === MESSAGE.reservedRange) return range(bytesOf(value));
    if (number !== MESSAGE.field) return null;
    return rewritten(bytesOf(value), (field) => {
      const isEntrysName = field.number === FIELD.typeName && entries.has(textOf(field.value));
      return isEntrysName ? `${textOf(field.value)}Entry` : null;
    });
  });
}

const nameOf = (bytes: Uint8Array) => textOf([...fieldsOf(bytes)].find(({ number }) => number === MESSAGE.name)!.value);

function isEntry(bytes: Uint8Array): boolean {
  const options = [...fieldsOf(bytes)].find(({ number }) => number === MESSAGE.options);
  return (
    options !== undefined && [...fieldsOf(bytesOf(options.value))].some(({ number, value }) => number === OPTIONS.mapEntry && value === 1n)
  );
}

function range(bytes: Uint8Array): Buffer {
  const of = (wanted: number) => Number(varintOf([...fieldsOf(bytes)].find(({ number }) => number === wanted)!.value));
  return Buffer.concat([varintField(RANGE.start, of(RANGE.start)), varintField(RANGE.end, of(RANGE.end) + 1)]);
}

/** Copies a message; `change` returns the new value of a field, or null to keep it. Descriptors contain only varints and bytes. */
function rewritten(bytes: Uint8Array, change: (field: Field) => string | Uint8Array | null): Buffer {
  return Buffer.concat(
    [...fieldsOf(bytes)].map((field) => {
      const { number, type, value } = field;
      if (type === 0) return varintField(number, Number(varintOf(value)));
      return bytesField(number, change(field) ?? bytesOf(value));
    }),
  );
}
