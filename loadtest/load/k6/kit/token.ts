// The token of the cluster, where it has one: in the environment, so that it is in no file of the storm.

const token = __ENV['CLARET_TOKEN'];

/** Headers, and metadata of gRPC. */
export const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
