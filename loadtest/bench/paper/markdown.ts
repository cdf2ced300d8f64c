// Markdown: a table, and figures as they are shown in it.

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/** Three digits are what such figures are good for; – where there is none. */
export function figure(value: number | null, unit = ''): string {
  if (value === null || Number.isNaN(value)) return '–';
  if (value >= 1000) return `${Math.round(value).toLocaleString('en')}${unit}`;
  return `${value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)}${unit}`;
}
