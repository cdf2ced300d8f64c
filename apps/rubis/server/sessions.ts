// The sessions of the auction site.
import { Sessions } from '@claret/site/auth/sessions.ts';

import type { Person } from './actions/find-account.ts';
import { key } from './model.ts';

export const sessions = new Sessions<Person>('auctions', ['nickname', 'region_id'], key.bidding);
