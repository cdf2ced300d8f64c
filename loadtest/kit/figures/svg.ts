// SVG as text: elements and their attributes, escaped, with lengths to a hundredth of a pixel.

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** `children` are markup; use `text` for plain text. */
export function element(name: string, attributes: Attributes, ...children: readonly string[]): string {
  const given = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? rounded(value) : escaped(value!)}"`)
    .join('');
  return children.length === 0 ? `<${name}${given}/>` : `<${name}${given}>${children.join('')}</${name}>`;
}

export const group = (attributes: Attributes, ...children: readonly string[]) => element('g', attributes, ...children);

export const text = (content: string, x: number, y: number, attributes: Attributes = {}) =>
  element('text', { x, y, ...attributes }, escaped(content));

export const line = (x1: number, y1: number, x2: number, y2: number, attributes: Attributes) =>
  element('line', { x1, y1, x2, y2, ...attributes });

const rounded = (value: number) => {
  if (!Number.isFinite(value)) throw new Error(`a length of ${value} cannot be drawn`);
  return String(Math.round(value * 100) / 100);
};

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (content: string) => content.replace(/[&<>"]/g, (character) => ESCAPES[character]!);
