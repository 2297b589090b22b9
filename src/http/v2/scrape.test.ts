import { expect, it } from "vitest";
import { ANONYMOUS_IDENTITY } from "../../account/identity.ts";
import type { StoredScrape } from "../../store/captures/scrapes.ts";
import type { Call } from "../route.ts";
import { createScrapeHandlers } from "./scrape.ts";

const SCRAPE: StoredScrape = {
  id: "019a0000-0000-7000-8000-000000000001",
  accountId: ANONYMOUS_IDENTITY.accountId,
  keyId: ANONYMOUS_IDENTITY.keyId,
  requestedUrl: "https://a.example/",
  finalUrl: null,
  status: "failed",
  statusCode: null,
  error: { code: "SCRAPE_TIMEOUT", message: "The page took too long." },
  options: null,
  headerNames: [],
  explanation: null,
  credits: 0,
  createdAt: 0,
  expiresAt: 1,
  document: undefined,
};

async function read(route: "" | "/request", found?: Partial<StoredScrape>): Promise<unknown> {
  const handlers = createScrapeHandlers({
    scrape: async () => {
      throw new Error("Nothing is scraped.");
    },
    scrapes: async () => ({
      save: async () => undefined,
      load: async () => (found === undefined ? undefined : { ...SCRAPE, ...found }),
    }),
    address: (_request, path) => path,
  });
  const call = { params: { id: SCRAPE.id }, identity: ANONYMOUS_IDENTITY };
  return await handlers[`GET /v2/scrape/:id${route}`]?.(call as Call<unknown, unknown, unknown>);
}

it("tells a scrape without a document from an unknown one by the status in the details", async () => {
  await expect(read("", { status: "failed" })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "The scrape of https://a.example/ failed and has no result: The page took too long.",
    details: { status: "failed" },
  });
  await expect(read("", { status: "completed" })).rejects.toMatchObject({
    code: "NOT_FOUND",
    message: "The stored document of https://a.example/ is gone.",
    details: { status: "completed" },
  });
  await expect(read("")).rejects.toMatchObject({ code: "NOT_FOUND", details: undefined });
});

it("returns the request of a scrape without typed text and scripts", async () => {
  const actions = [
    { type: "write", text: "word" },
    { type: "press", key: "Enter" },
    { type: "executeJavascript", script: "word()" },
  ];
  const options = { url: "https://a.example/", mobile: true, actions };
  const request = await read("/request", { options });
  expect(JSON.stringify(request)).not.toContain("word");
  expect(request).toMatchObject({
    options: {
      mobile: true,
      actions: [{ type: "write" }, { type: "press", key: "Enter" }, { type: "executeJavascript" }],
    },
    omitted: ["actions.0.text", "actions.2.script"],
  });
});
