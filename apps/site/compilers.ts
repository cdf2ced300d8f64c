// What validates requests and writes answers, from the schemas of the routes: compiled when a route is asked first, so that a server starts at once.
import buildValidators, { type BuildCompilerFromPool } from '@fastify/ajv-compiler';
import buildSerializers, { type SerializerFactory } from '@fastify/fast-json-stringify-compiler';

type Validator = ReturnType<ReturnType<BuildCompilerFromPool>>;

/** Fastify's own compilers, each at its first use. */
export const onFirstUse = {
  buildValidator: ((schemas, options) => {
    const compile = buildValidators()(schemas, options);
    return (route) => {
      let compiled: Validator | undefined;
      const validate = (data: unknown) => {
        compiled ??= compile(route);
        const isValid = compiled(data);
        validate.errors = compiled.errors;
        return isValid;
      };
      validate.errors = undefined as Validator['errors'];
      return validate as Validator;
    };
  }) satisfies BuildCompilerFromPool,
  buildSerializer: ((schemas, options) => {
    const compile = buildSerializers()(schemas, options);
    return (route) => {
      let compiled: ReturnType<typeof compile> | undefined;
      return (data) => (compiled ??= compile(route))(data);
    };
  }) satisfies SerializerFactory,
};
