// The layout that oxfmt gives to generated lists of objects, so that a formatted file is still what the generator makes.

const LINE_WIDTH = 140;

/** Members of an object: "name: value". */
type Members = readonly string[];

const onOneLine = (members: Members): string => `{ ${members.join(', ')} }`;

function inList(members: Members, indent: string): string {
  const line = `${indent}${onOneLine(members)},`;
  if (line.length <= LINE_WIDTH) return line;
  return [`${indent}{`, ...members.map((member) => `${indent}  ${member},`), `${indent}},`].join('\n');
}

/** The member `name` with a list of objects: on one line if the list has at most one object and fits there. */
export function objectList(name: string, objects: readonly Members[], indent: string): string {
  const line = `${indent}${name}: [${objects.map(onOneLine).join(', ')}],`;
  if (objects.length === 0 || (objects.length === 1 && line.length <= LINE_WIDTH)) return line;
  return [`${indent}${name}: [`, ...objects.map((members) => inList(members, `${indent}  `)), `${indent}],`].join('\n');
}
