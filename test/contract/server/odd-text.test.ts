// Texts that a database cannot store, or far too long ones, in every text field of every endpoint.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Endpoint } from "../../../src/contract/endpoints/endpoint.ts";
import { ENDPOINTS } from "../../../src/contract/endpoints/endpoints.ts";
import { startService, type Service } from "../../service.ts";

const ODD_TEXTS = { nul: "a\0b", surrogate: "a\ud800b", long: "x".repeat(300_000) } as const;

let service: Service;
beforeAll(async () => {
  service = await startService(undefined, { browser: "none" });
});
afterAll(() => service.close());

type Json = Record<string, unknown>;
type JsonSchema = { readonly properties?: Record<string, JsonSchema>; readonly type?: unknown };

/** Top-level text fields of the endpoint's schema. */
function textFields(schema: z.ZodType): string[] {
  const { properties = {} } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
  }) as JsonSchema;
  return Object.keys(properties);
}

/** The example with one text, or one more field, replaced; each variant once. */
function variants(endpoint: Endpoint, odd: string): Json[] {
  if (endpoint.body === undefined) return [];
  const example = (endpoint.example ?? {}) as Json;
  const found: Json[] = textFields(endpoint.body).map((name) => ({ ...example, [name]: odd }));
  found.push({ ...example, [odd]: 1 });
  const visit = (value: unknown, replace: (inner: unknown) => Json): void => {
    if (typeof value === "string") found.push(replace(odd));
    else if (typeof value === "object" && value !== null)
      for (const [key, inner] of Object.entries(value))
        visit(inner, (next) =>
          replace(
            Array.isArray(value)
              ? value.map((each, index) => (String(index) === key ? next : each))
              : { ...value, [key]: next },
          ),
        );
  };
  visit(example, (value) => value as Json);
  return found;
}

describe.each(Object.entries(ODD_TEXTS))("text that is %s", (kind, odd) => {
  it("never answers odd text with a server error", async () => {
    const faults: string[] = [];
    const ask = async (endpoint: Endpoint, path: string, body?: Json): Promise<number> => {
      const {
        status,
        text,
        body: answer,
      } = await service.ask(path, {
        method: endpoint.method,
        ...(body ? { body } : {}),
      });
      if (status === 500 && answer.code !== "MAP_FAILED")
        faults.push(
          `${endpoint.method} ${endpoint.path} ${status} ${JSON.stringify(body)?.slice(0, 200)} ${text.slice(0, 200)}`,
        );
      return status;
    };
    for (const endpoint of ENDPOINTS) {
      const written = kind === "surrogate" ? "%ED%A0%80" : encodeURIComponent(odd.slice(0, 4_000));
      const odds = endpoint.path.replaceAll(/:\w+/g, written);
      const plain = endpoint.path.replaceAll(/:\w+/g, "00000000-0000-7000-8000-000000000001");
      if (odds !== plain) await ask(endpoint, odds);
      for (const name of endpoint.query === undefined ? [] : textFields(endpoint.query))
        await ask(endpoint, `${plain}?${name}=${written}`);
      for (const body of variants(endpoint, odd)) {
        const status = await ask(endpoint, plain, body);
        if (kind === "nul")
          expect([400, 501, 403], `${endpoint.path} ${JSON.stringify(body)}`).toContain(status);
      }
    }
    expect(faults).toEqual([]);
  }, 120_000);
});

describe("NUL character in a name", () => {
  it("answers 400 for a NUL character in the file name of an upload", async () => {
    const { status, body } = await service.ask("/v2/parse/upload-url", {
      method: "POST",
      body: { filename: "a\0b.pdf" },
    });
    expect([status, body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(body.error).toContain("filename in the request body contains a NUL character");
  });

  it("answers 400 for a NUL character in a profile name in body or path", async () => {
    await using open = {
      service: await startService(undefined),
      [Symbol.asyncDispose]: async () => open.service.close(),
    };
    const asked = await open.service.ask("/v2/browser", {
      method: "POST",
      body: { profile: { name: "a\0b" } },
    });
    expect([asked.status, asked.body.code]).toEqual([400, "BAD_REQUEST"]);
    const deleted = await open.service.ask("/v2/browser/profiles/%00", { method: "DELETE" });
    expect([deleted.status, deleted.body.code]).toEqual([400, "BAD_REQUEST"]);
  });
});
