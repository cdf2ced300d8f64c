// NativeBuffer: methods of Node's Buffer that are undocumented, but stable since its first releases. `write` and `toString` call
// them after a check of their arguments.

export type NativeBuffer = Buffer & {
  utf8Write(text: string, offset: number): number;
  latin1Write(text: string, offset: number): number;
  utf8Slice(start: number, end: number): string;
};
