// The token of the cluster, if it has one: from the environment, so that it is in no file of the storm.

const token = __ENV['CLARET_TOKEN'];

/** Headers, and metadata of gRPC. */
export const authorization: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
