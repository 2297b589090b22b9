// Missing capabilities: a clear 501, and a correct list.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CapabilitiesResponse } from "../../../src/contract/account/capabilities.ts";
import {
  ENDPOINTS,
  HOSTED_PATHS,
  LEGACY_ENDPOINTS,
} from "../../../src/contract/endpoints/endpoints.ts";
import { LIMITS } from "../../../src/contract/request/limits.ts";
import { shareService, type Service } from "../../service.ts";
import { startSite, type Site } from "../../site/site.ts";

let site: Site;
let service: Service;
let page: string;
beforeAll(async () => {
  site = await startSite();
  service = await shareService();
  page = `${site.url}/tiny`;
});
afterAll(async () => {
  await service.close();
  await site.close();
});

const ID = "0199f0c0-0000-7000-8000-000000000000";
const fill = (path: string): string => path.replaceAll(/:\w+/g, ID).replaceAll("*", "anything");

describe("missing capabilities", () => {
  it("answers 501 with a text for exactly the endpoints without a handler", async () => {
    const { body } = await service.ask("/v2/capabilities");
    const { capabilities } = body as unknown as CapabilitiesResponse;
    for (const { method, path, capability, streams } of ENDPOINTS) {
      // A response that does not end by itself.
      if (streams?.includes("text/event-stream") === true) continue;
      const answer = await service.ask(fill(path), {
        method,
        ...(method === "GET" || method === "DELETE" ? {} : { body: {} }),
      });
      const support = capabilities[capability];
      if (support?.available === true) {
        expect(answer.status, `${method} ${path}`).not.toBe(501);
        continue;
      }
      expect(answer.status, `${method} ${path}`).toBe(501);
      expect(answer.body, path).toMatchObject({ success: false, code: "NOT_IMPLEMENTED" });
      expect(answer.body.error, path).toBe(support?.reason);
    }
  });

  it("answers 501 for the old API and hosted services and 404 for anything else", async () => {
    for (const { method, path } of LEGACY_ENDPOINTS)
      expect((await service.ask(fill(path), { method })).status, path).toBe(501);
    for (const path of HOSTED_PATHS)
      for (const method of ["GET", "POST"])
        expect((await service.ask(fill(path), { method })).status, `${method} ${path}`).toBe(501);
    const answer = await service.ask("/v2/poem", { method: "POST", body: {} });
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({ success: false, code: "NOT_FOUND" });
  });

  it("answers 200 for formats listed as available and 501 for the others", async () => {
    const { formats } = await service.client.capabilities();
    const options: Record<string, object> = {
      attributes: { selectors: [] },
      json: { prompt: "p" },
      deterministicJson: { prompt: "p" },
      question: { question: "q" },
      highlights: { query: "q" },
      query: { prompt: "q" },
    };
    const names = Object.keys(formats ?? {});
    expect(names.length).toBeGreaterThan(15);
    for (const type of names) {
      const asked = type === "changeTracking" ? ["markdown", type] : [{ type, ...options[type] }];
      const url = type === "audio" ? `${site.url}/silence.mp3` : page;
      const answer = await service.scrape({ url, formats: asked });
      const support = formats?.[type];
      expect(answer.status, `${type} ${answer.text}`).toBe(support?.available === true ? 200 : 501);
      if (support?.available !== true) expect(answer.body.error, type).toBe(support?.reason);
    }
  });

  it("enforces the documented limits", () => {
    expect(LIMITS.timeoutMs).toMatchObject({ min: 1_000, max: 300_000, default: 30_000 });
    expect(LIMITS.requestBodyBytes).toBe(10 * 1024 * 1024);
  });
});
