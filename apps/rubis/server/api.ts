// The HTTP interface of the auction site: every request, response, error and live event, defined once.
//
// The server validates and serializes with these schemas; the browser uses the types (`import type`). All money is in integer cents; all
// times are milliseconds since 1970 by the server's clock; all ids are opaque text. `null` means "there is none"; no field is ever omitted.
// API.md beside this file lists the routes.
export * from './api/limits.ts';
export * from './api/common.ts';
export * from './api/errors.ts';
export * from './api/session.ts';
export * from './api/lists.ts';
export * from './api/auction.ts';
export * from './api/auction-page.ts';
export * from './api/people.ts';
export * from './api/live.ts';
