// Responses beside the API: health, metrics, documentation, CORS; and the mode without keys.
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createApp } from "../../../src/app.ts";
import { ConfigError, createTestConfig } from "../../../src/config.ts";
import { ADMIN_ENDPOINTS } from "../../../src/contract/endpoints/admin.ts";
import { ENDPOINTS, findEndpoint } from "../../../src/contract/endpoints/endpoints.ts";
import { isRemote, startService, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: object;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema: object; readonly example?: object }>
    >;
  };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: object }>
  >;
};
type OpenApi = {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};

/** Resolves a JSON pointer in a fragment (RFC 6901); undefined if it does not exist. */
function pointedAt(document: object, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  let value: unknown = document;
  for (const part of reference.slice(2).split("/"))
    value = (value as Record<string, unknown> | undefined)?.[
      part.replaceAll("~1", "/").replaceAll("~0", "~")
    ];
  return value;
}

describe("routes beside the API", () => {
  let site: Site;
  let service: Service;
  beforeAll(async () => {
    site = await startSite();
    service = await startService(site);
  });
  afterAll(async () => {
    await service.close();
    await site.close();
  });

  it("health needs no key and reveals only ok", async () => {
    // The first check starts the conversion threads.
    await expect
      .poll(async () => (await service.ask("/v0/health/readiness", { key: null })).status)
      .toBe(200);
    for (const path of ["/v0/health/liveness", "/v0/health/readiness"]) {
      const answer = await service.ask(path, { key: null });
      expect(answer.status, path).toBe(200);
      expect(answer.text, path).toBe('{"status":"ok"}');
    }
  });

  it("answers small routes that clients probe", async () => {
    const root = await service.ask("/", { key: null });
    expect(root.status).toBe(200);
    expect(root.headers.get("content-type")).toContain("text/html");
    const described = await service.ask("/", {
      key: null,
      headers: { accept: "application/json" },
    });
    expect(described.body).toMatchObject({ name: "Quarry", docs: "/docs" });
    expect((await service.ask("/e2e-test", { key: null })).text).toBe("OK");
    expect((await service.ask("/is-production", { key: null })).body).toEqual({
      isProduction: true,
    });
  });

  it("metrics count by route pattern and never by raw URL", async () => {
    await service.page({ url: `${site.url}/tiny` });
    await service.scrape({ url: `${site.url}/hang-up` });
    await service.ask("/v2/scrape/0199f0c0-0000-7000-8000-000000000000");
    const { text, headers } = await service.ask("/metrics", { key: null });
    expect(headers.get("content-type")).toMatch(/^text\/plain/);
    for (const line of [
      'quarry_http_requests_total{route="/v2/scrape",status="200"}',
      'quarry_http_requests_total{route="/v2/scrape/:id",status="404"}',
      'quarry_scrapes_total{outcome="ok",engine="http"}',
      'quarry_scrapes_total{outcome="SCRAPE_SITE_ERROR",engine="none"}',
      'quarry_scrape_step_seconds_bucket{le="0.1",step="fetch"}',
      "quarry_scrapes_active 0",
      "process_resident_memory_bytes",
    ])
      expect(text, line).toContain(line);
    expect(Number(/^quarry_credits_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
    expect(Number(/^quarry_fetched_bytes_total (\d+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
    expect(text).not.toContain("0199f0c0");
    expect(text).not.toContain(site.url);
  });

  it("openapi.json is valid OpenAPI 3.1 with every available endpoint", async () => {
    const { text } = await service.ask("/openapi.json", { key: null });
    const document = JSON.parse(text) as OpenApi;
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
    expect(document.info.title).toBe("Quarry");
    const ids: string[] = [];
    const { capabilities } = await service.client.capabilities();
    const offered = ENDPOINTS.filter(
      ({ capability, neverSucceeds }) =>
        neverSucceeds === undefined && capabilities[capability]?.available,
    );
    const described = [...offered, ...ADMIN_ENDPOINTS];
    for (const { method, path } of described) {
      const template = path.replaceAll(/:(\w+)/g, "{$1}");
      const operation = document.paths[template]?.[method.toLowerCase()];
      expect(operation, `${method} ${path}`).toBeDefined();
      if (operation === undefined) continue;
      ids.push(operation.operationId);
      expect(Object.keys(operation.responses).length, path).toBeGreaterThan(0);
      const named = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
      expect(named.map(({ name }) => `{${name}}`).toSorted(), path).toEqual(
        [...(template.match(/\{\w+\}/g) ?? [])].toSorted(),
      );
      for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
        expect(() => z.fromJSONSchema(schema as never), path).not.toThrow();
    }
    expect(new Set(ids).size).toBe(ids.length);
    const statuses = Object.keys(document.paths["/v2/scrape"]?.["post"]?.responses ?? {});
    for (const status of [400, 401, 402, 403, 404, 408, 413, 415, 429, 500, 501, 503])
      expect(statuses).toContain(String(status));
    const state = document.paths["/v2/crawl/{id}"]?.["get"]?.responses ?? {};
    expect(Object.keys(state)).toContain("404");
    expect(Object.keys(state)).not.toContain("413");
    const withoutKey = ["/metrics", "/health", "/v0/health/liveness", "/v0/health/readiness"];
    expect(Object.keys(document.paths)).toHaveLength(
      new Set([...described.map(({ path }) => path), ...withoutKey]).size,
    );
    for (const path of withoutKey) expect((await fetch(`${service.url}${path}`)).status).toBe(200);
    const references = new Set([...text.matchAll(/"\$ref":"([^"]*)"/g)].map(([, to = ""]) => to));
    expect(references).toContain("#/components/schemas/Document");
    for (const reference of references)
      expect(pointedAt(document, reference), reference).toBeTypeOf("object");
    expect(text).not.toContain('"$defs"');
    const scrape = document.paths["/v2/scrape"]?.["post"]?.requestBody?.content["application/json"];
    const { properties } = (scrape?.schema ?? { properties: {} }) as {
      properties: Record<string, { default?: unknown }>;
    };
    expect(scrape?.example).toEqual(findEndpoint("POST", "/v2/scrape").example);
    expect(properties["maxAge"]?.default).toBe(172_800_000);
    expect(properties["onlyMainContent"]?.default).toBe(true);
  });

  it("docs work offline: everything they load comes from this server", async () => {
    const page = await service.ask("/docs/api", { key: null });
    const html =
      page.status === 200
        ? page
        : await service.ask(page.headers.get("location") ?? "", { key: null });
    expect(html.status).toBe(200);
    expect(html.headers.get("content-type")).toContain("text/html");
    const loaded = [...html.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = ""]) => url);
    expect(loaded.length).toBeGreaterThan(3);
    for (const url of loaded) {
      expect(url).not.toMatch(/^(?:https?:)?\/\//);
      const target = new URL(url, `${service.url}/docs/api/`);
      const asset = await fetch(target);
      await asset.arrayBuffer();
      expect(asset.status, url).toBe(200);
    }
    const policy = html.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'self'");
    expect(policy, "works over plain HTTP").not.toContain("upgrade-insecure-requests");
    expect(policy, "asks nobody else").not.toMatch(/https?:|swagger\.io/);
    const description = await service.ask("/docs/json", { key: null });
    expect(JSON.parse(description.text)).toHaveProperty("paths./v2/scrape");
  });

  it("allows cross-origin calls when a key is required", async () => {
    const origin = "https://app.example";
    const preflight = await fetch(`${service.url}/v2/scrape`, {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "authorization,content-type",
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toContain("authorization");
    expect(preflight.headers.get("access-control-allow-methods")?.split(/, */).toSorted()).toEqual([
      "DELETE",
      "GET",
      "HEAD",
      "PATCH",
      "POST",
      "PUT",
    ]);
    for (const path of ["/v2/team/queue-status", "/v2/nothing"]) {
      const answer = await service.ask(path, { headers: { origin } });
      expect(answer.headers.get("access-control-allow-origin"), path).toBe("*");
      expect(answer.headers.get("access-control-expose-headers"), path).toContain("x-request-id");
    }
  });
});

describe.skipIf(isRemote)("server without keys", () => {
  let site: Site;
  let service: Service;
  beforeAll(async () => {
    site = await startSite();
    service = await startService(site, { auth: false });
  });
  afterAll(async () => {
    await service.close();
    await site.close();
  });

  /** Status of a request with these headers, Host among them. */
  const statusWith = (
    headers: Record<string, string>,
    method = "GET",
    path = "/v2/team/queue-status",
  ): Promise<number> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(service.url);
      request({ port, host: "127.0.0.1", path, headers, method }, (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      })
        .on("error", reject)
        .end();
    });

  it("without keys accepts every local caller, with any key or none", async () => {
    expect(service.key).toBe("");
    const { status, body } = await service.scrape({ url: `${site.url}/tiny` }, { key: null });
    expect(status).toBe(200);
    expect(body.data?.markdown).toContain("Ferry cancelled.");
    expect((await service.ask("/v2/team/credit-usage", { key: "anything" })).status).toBe(200);
    const stored = await service.ask(`/v2/scrape/${String(body.data?.metadata.scrapeId)}`);
    expect(stored.status).toBe(200);
  });

  it("without keys accepts its own host names only (DNS rebinding)", async () => {
    const { port } = new URL(service.url);
    for (const host of [
      `127.0.0.1:${port}`,
      `localhost:${port}`,
      `LocalHost.:${port}`,
      `[::1]:${port}`,
      "localhost",
    ])
      expect(await statusWith({ host }), host).toBe(200);
    for (const host of [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1.evil.example",
      "10.0.0.5",
      "0.0.0.0",
      "localhost..",
      ".",
    ])
      expect(await statusWith({ host }), host).toBe(403);
    const forwarded = { host: `127.0.0.1:${port}`, "x-forwarded-host": "evil.example" };
    expect(await statusWith(forwarded)).toBe(200);
    expect(await statusWith({ host: "evil.example", "x-forwarded-host": "localhost" })).toBe(403);
  });

  it("without keys rejects foreign web pages", async () => {
    for (const origin of [
      "https://evil.example",
      "null",
      "http://127.0.0.1.evil.example",
      "file://",
    ])
      expect(await statusWith({ origin }), origin).toBe(403);
    const { host } = new URL(service.url);
    expect(await statusWith({ origin: service.url })).toBe(200);
    expect(await statusWith({ origin: `http://${host.replace("127.0.0.1", "localhost")}` })).toBe(
      403,
    );
    expect(await statusWith({ origin: "http://localhost:5173" })).toBe(403);
    expect(await statusWith({ origin: "http://127.0.0.1:1" })).toBe(403);
    expect(await statusWith({ origin: "https://evil.example" }, "OPTIONS")).toBe(403);
    const answer = await service.ask("/v2/team/queue-status", { key: null });
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("without keys rejects cross-site requests without Origin, such as an <img>", async () => {
    for (const site of ["cross-site", "same-site"])
      for (const mode of ["no-cors", "navigate"])
        expect(
          await statusWith({
            "sec-fetch-site": site,
            "sec-fetch-mode": mode,
            "sec-fetch-dest": "document",
          }),
          `${site} ${mode}`,
        ).toBe(403);
    for (const site of ["same-origin", "none"])
      expect(await statusWith({ "sec-fetch-site": site }), site).toBe(200);
    const preview = "/v2/crawl/params-preview?url=https://a.example/&prompt=all";
    const image = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "no-cors",
      "sec-fetch-dest": "image",
    };
    expect(await statusWith(image, "GET", preview)).toBe(403);
  });

  it("without keys rejects every GET of the contract from other sites", async () => {
    const link = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    };
    for (const { method, path } of ENDPOINTS.filter((each) => each.method === "GET"))
      expect(await statusWith(link, method, path.replaceAll(/:\w+/g, "1")), path).toBe(403);
    for (const path of [
      "/metrics",
      "/openapi.json",
      "/read/https://a.example/",
      "/find/words",
      "/mcp",
    ])
      expect(await statusWith(link, "GET", path), path).toBe(403);
  });

  it("without keys allows a link to the documentation", async () => {
    const link = {
      "sec-fetch-site": "cross-site",
      "sec-fetch-mode": "navigate",
      "sec-fetch-dest": "document",
    };
    expect(await statusWith(link, "GET", "/docs")).toBe(200);
    expect(await statusWith({ ...link, "sec-fetch-dest": "iframe" }, "GET", "/docs")).toBe(403);
  });

  it("without keys does not start on a public address", async () => {
    const config = createTestConfig({ auth: false, host: "0.0.0.0", port: 0 });
    await expect(createApp(config)).rejects.toThrow(ConfigError);
    await expect(createApp(config)).rejects.toThrow(/QUARRY_HOST/);
  });
});
