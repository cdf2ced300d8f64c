// What validates requests and writes replies, from the schemas of the routes: compiled when a route is asked first, since a gateway has many
// more routes than it is asked for soon after its start.
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import buildSerializer from 'fast-json-stringify';
import type { RestServer } from './rest-server.ts';

/** REQUIRES: no route has been added yet. */
export function addCompilers(app: RestServer): void {
  app.setValidatorCompiler((route) => onFirstUse(() => TypeBoxValidatorCompiler(route)));
  app.setSerializerCompiler<object>(({ schema }) => onFirstUse(() => buildSerializer(schema)));
}

function onFirstUse<A extends unknown[], R>(compile: () => (...values: A) => R): (...values: A) => R {
  let compiled: ((...values: A) => R) | undefined;
  return (...values) => (compiled ??= compile())(...values);
}
