// The sessions of the timelines site.
import { Sessions } from '@claret/site/auth/sessions.ts';

import type { UserRef } from './api.ts';
import { key } from './model.ts';

export const sessions = new Sessions<UserRef>('timelines', ['username'], key.posts);
