// The client of ui/site with this site's error codes.
import * as site from '@claret/ui/site';
import type * as api from '../../../server/api.ts';

export const { del, failureOf, get, newKey, post, postWithKey, put, queries } = site;
export type ApiProblem = site.ApiProblem<api.ErrorCode>;
export const asProblem: (thrown: unknown) => ApiProblem = site.asProblem;
export const useQuery: <Answer>(path: string | null) => site.Query<Answer, api.ErrorCode> = site.useQuery;
