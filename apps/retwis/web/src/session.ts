// Whom this site knows, and what it asks of those who come in.
import * as site from '@claret/ui/site';
import type * as api from '../../server/api.ts';

export const useSession = site.useSession<api.UserRef, api.LoginRequest, api.RegisterRequest>;
