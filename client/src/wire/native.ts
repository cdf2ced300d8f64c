// NativeBuffer: methods of Node's Buffer that are undocumented but have been stable since its first releases. `write` and `toString`
// check their arguments and call these methods.

export type NativeBuffer = Buffer & {
  utf8Write(text: string, offset: number): number;
  latin1Write(text: string, offset: number): number;
  utf8Slice(start: number, end: number): string;
};
