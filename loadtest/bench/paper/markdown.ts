// Markdown: a table, and the format of figures in it.

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/** Three digits, the precision of the measurements; – for none. */
export function figure(value: number | null, unit = ''): string {
  if (value === null || Number.isNaN(value)) return '–';
  if (value >= 1000) return `${Math.round(value).toLocaleString('en')}${unit}`;
  return `${value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)}${unit}`;
}
