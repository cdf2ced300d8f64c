// The code that the pages of every site share. It contains nothing about any one site.
export { SITE_PATHS, withQuery } from './api/addresses.ts';
export {
  ApiProblem,
  asProblem,
  del,
  failureOf,
  get,
  isPassing,
  isSurelyUndone,
  newKey,
  post,
  postWithKey,
  put,
  type ProblemCode,
} from './api/client.ts';
export { type Failure } from './api/requestKeys.ts';
export { type QueryState } from './api/queryCache.ts';
export { usePages, type CursorPage, type Pages } from './api/usePages.ts';
export { queries, useQuery, type Query } from './api/useQuery.ts';
export { AccountMenu, type AccountMenuProps } from './layout/AccountMenu.tsx';
export { AppLink, AppNavLink, type AppLinkProps } from './layout/AppLink.tsx';
export { ProblemState, type ProblemStateProps } from './layout/ProblemState.tsx';
export { SiteLayout, type SiteLayoutProps } from './layout/SiteLayout.tsx';
export { usePrefetch } from './layout/usePrefetch.ts';
export { DemoAccounts, type DemoAccountsProps } from './form/DemoAccounts.tsx';
export { FormPage, type FormPageProps } from './form/FormPage.tsx';
export { PageForm, type PageFormProps } from './form/PageForm.tsx';
export { useForm, type FieldErrors, type FormState } from './form/useForm.ts';
export { ShowMore, type ShowMoreProps } from './list/ShowMore.tsx';
export { createLive, type Live } from './live/createLive.tsx';
export { type LiveRules, type LiveStore } from './live/liveStore.ts';
export { type Trouble } from './live/trouble.ts';
export { type Page } from './pages.ts';
export { useSession, type Session, type SessionApi, type SessionUser } from './session/useSession.ts';
export { begunWith } from './session/visit.ts';
export { useLoginRedirect } from './session/useLoginRedirect.ts';
export { type Site } from './site.ts';
export { startSite } from './start.tsx';
