// What the pages of every site share. Nothing here knows what a site is about.
export { DOOR, safeNext, SESSION_API, withQuery } from './api/addresses.ts';
export { ApiProblem, asProblem, del, get, post, type ProblemCode } from './api/client.ts';
export { type QueryState } from './api/queryCache.ts';
export { usePages, type CursorPage, type Pages } from './api/usePages.ts';
export { queries, useQuery, type Query } from './api/useQuery.ts';
export { DemoAccounts, type DemoAccountsProps } from './form/DemoAccounts.tsx';
export { FieldPair, FormPage, type FormPageProps } from './form/FormPage.tsx';
export { PageForm, type PageFormProps } from './form/PageForm.tsx';
export { useForm, type FieldErrors, type FormDoor } from './form/useForm.ts';
export { ShowMore, type ShowMoreProps } from './list/ShowMore.tsx';
export { SessionProvider } from './session/SessionProvider.tsx';
export { useSession, type Session, type SessionDoor, type Somebody } from './session/useSession.ts';
export { useWayOn } from './session/useWayOn.ts';
