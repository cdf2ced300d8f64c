// Lays out generated lists of objects as oxfmt does, so that formatting a generated file does not change it.

const LINE_WIDTH = 140;

/** Members of an object: "name: value". */
type Members = readonly string[];

const onOneLine = (members: Members): string => `{ ${members.join(', ')} }`;

function inList(members: Members, indent: string): string {
  const line = `${indent}${onOneLine(members)},`;
  if (line.length <= LINE_WIDTH) return line;
  const lines = members.map((member) => {
    const [, name, value] = /^(\w+): (.*)$/s.exec(member)!;
    return longMember(name!, value!, `${indent}  `);
  });
  return [`${indent}{`, ...lines, `${indent}},`].join('\n');
}

/** The member `name` with a list of objects: on one line if the list has at most one object and fits there. */
export function objectList(name: string, objects: readonly Members[], indent: string): string {
  const line = `${indent}${name}: [${objects.map(onOneLine).join(', ')}],`;
  if (objects.length === 0 || (objects.length === 1 && line.length <= LINE_WIDTH)) return line;
  return [`${indent}${name}: [`, ...objects.map((members) => inList(members, `${indent}  `)), `${indent}],`].join('\n');
}

/** `open`, the items and `close`: on one line if they fit there. */
export function argumentList(open: string, items: readonly string[], close: string, indent: string): string {
  const line = `${open}${items.join(', ')}${close}`;
  if (line.length <= LINE_WIDTH) return line;
  return [open, ...items.map((item) => `${indent}  ${item},`), `${indent}${close}`].join('\n');
}

/** The member `name` with a value that cannot be broken: on the next line if it does not fit on one. */
export function longMember(name: string, value: string, indent: string): string {
  const line = `${indent}${name}: ${value},`;
  return line.length <= LINE_WIDTH ? line : `${indent}${name}:\n${indent}  ${value},`;
}
