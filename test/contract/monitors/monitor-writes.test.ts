// Every route of monitors that writes, called by a page of another site in a browser that is signed in.
// The routes come from the API's own description, so that a new one is included.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Monitor } from "../../../src/contract/jobs/monitor-report.ts";
import { isRemote, startService, type Service } from "../../service.ts";

describe.skipIf(isRemote)("writes of monitors from another site", () => {
  let service: Service;
  let id: string;
  let session: { readonly cookie: string; readonly csrf: string };
  let routes: readonly (readonly [method: string, path: string])[];

  beforeAll(async () => {
    service = await startService(undefined, { browser: "none" });
    const { text } = await service.ask("/openapi.json", { key: null });
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, unknown>> };
    routes = Object.entries(paths)
      .filter(([path]) => path.startsWith("/v2/monitor"))
      .flatMap(([path, methods]) =>
        Object.keys(methods)
          .filter((method) => ["post", "patch", "put", "delete"].includes(method))
          .map((method) => [method.toUpperCase(), path] as const),
      );
    const made = await service.ask("/v2/monitor", {
      method: "POST",
      body: {
        name: "town",
        schedule: { text: "daily" },
        targets: [{ type: "scrape", urls: ["https://town.example/"] }],
      },
    });
    ({ id } = (made.body as unknown as { data: Monitor }).data);
    const signed = await service.ask("/console/session", {
      method: "POST",
      key: null,
      body: { key: service.key },
    });
    session = {
      cookie: (signed.headers.get("set-cookie") ?? "").split(";")[0] ?? "",
      csrf: (signed.body as unknown as { data: { csrfToken: string } }).data.csrfToken,
    };
  });
  afterAll(async () => {
    await service.close();
  });

  const toPath = (path: string): string => path.replaceAll("{id}", id).replaceAll(/\{\w+\}/g, id);

  it("refuses writes without the token of the session on every route", async () => {
    expect(routes.length).toBeGreaterThan(6);
    expect(session.cookie).not.toBe("");
    for (const [method, path] of routes)
      for (const [status, headers] of [
        [403, { cookie: session.cookie }],
        [403, { cookie: session.cookie, "x-csrf-token": "wrong" }],
        [
          401,
          { cookie: session.cookie, "x-csrf-token": session.csrf, origin: "https://other.example" },
        ],
        [
          401,
          { cookie: session.cookie, "sec-fetch-site": "cross-site", "x-csrf-token": session.csrf },
        ],
        [401, { "content-type": "text/plain" }],
      ] as const) {
        const answer = await service.ask(toPath(path), {
          method,
          key: null,
          headers,
          body: method === "DELETE" ? "" : "{}",
        });
        expect(answer.status, `${method} ${path} ${JSON.stringify(headers)}`).toBe(status);
      }
    const { body } = await service.ask(`/v2/monitor/${id}`);
    expect((body as unknown as { data: Monitor }).data).toMatchObject({
      name: "town",
      status: "active",
    });
  });

  it("accepts writes with the token of the session", async () => {
    const answer = await service.ask(`/v2/monitor/${id}`, {
      method: "PATCH",
      key: null,
      headers: { cookie: session.cookie, "x-csrf-token": session.csrf },
      body: { name: "harbour" },
    });
    expect(answer.status, answer.text).toBe(200);
  });
});
