// The types of this site's session: its person, login and registration.
import * as site from '@claret/ui/site';
import type * as api from '../../server/api.ts';

export const useSession = site.useSession<api.UserRef, api.LoginRequest, api.RegisterRequest>;
