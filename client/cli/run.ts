// Run: makes the action of a command. The action gets a context, which is closed after it has ended.

import type { Context } from './context.ts';

// Commander passes an action its arguments, options and command in a list without a type.
// oxlint-disable-next-line typescript/no-explicit-any
export type Run = (work: (context: Context, ...received: any[]) => Promise<void> | void) => (...received: any[]) => Promise<void>;
