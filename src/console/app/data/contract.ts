// The contract as the server publishes it: forms are made from its schemas.
import { call } from "./api.ts";

export type JsonSchema = {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly (string | number)[];
  readonly const?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly deprecated?: boolean;
};

type Operation = {
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  };
};

type OpenApi = { readonly paths: Readonly<Record<string, { readonly post?: Operation }>> };

const known = new Map<string, Promise<JsonSchema>>();

async function load(path: string): Promise<JsonSchema> {
  const { paths } = await call<OpenApi>("GET", "/openapi.json", { query: { path } });
  const schema = paths[path]?.post?.requestBody?.content["application/json"]?.schema;
  if (schema === undefined) throw new Error(`The server does not describe POST ${path}.`);
  return schema;
}

/** Schema of the body that POST `path` takes. */
export function loadBodySchema(path: string): Promise<JsonSchema> {
  const found = known.get(path);
  if (found !== undefined) return found;
  const loading = load(path);
  known.set(path, loading);
  loading.catch(() => known.delete(path));
  return loading;
}

/** Hides options that are accepted but have no effect. */
export const isOffered = (
  name: string,
  { description = "", deprecated = false }: JsonSchema,
): boolean => !deprecated && !/^Accepted[;, ]/.test(description) && !HIDDEN.has(name);

const HIDDEN: ReadonlySet<string> = new Set([
  "origin",
  "integration",
  "toolDetail",
  "domainTools",
  "useMock",
  "enterprise",
]);
