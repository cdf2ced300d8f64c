// The types of this site's session: its person, login and registration.
import * as site from '@claret/ui/site';
import type * as api from '../../server/api.ts';

type Person = NonNullable<api.Session['user']>;

export const useSession = site.useSession<Person, api.LoginRequest, api.RegisterRequest>;
