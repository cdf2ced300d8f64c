// Node's Buffer has these methods, undocumented but stable since its first releases; `write` and `toString` end up in
// them after looking at their arguments.

export type NativeBuffer = Buffer & {
  utf8Write(text: string, offset: number): number;
  latin1Write(text: string, offset: number): number;
  utf8Slice(start: number, end: number): string;
};
