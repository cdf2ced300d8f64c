// Run: makes the action of a command. The action gets a context, which is closed after it has ended.

import type { Context } from './context.ts';

// Commander passes arguments, options and command to an action as an untyped list.
// oxlint-disable-next-line typescript/no-explicit-any
export type Run = (work: (context: Context, ...received: any[]) => Promise<void> | void) => (...received: any[]) => Promise<void>;
