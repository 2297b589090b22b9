import { expect, it } from "vitest";
import { scrapeOptionsSchema } from "../contract/page/scrape.ts";
import { buildJobRequest } from "./job-request.ts";

const WEBHOOK = { url: "https://a.example/hook", headers: {}, metadata: {}, events: ["page"] };

it("returns the caller's webhook, and not that of the deployment", () => {
  expect(buildJobRequest({ fields: { limit: 1 }, webhook: WEBHOOK })).toEqual({
    request: {
      limit: 1,
      webhook: { url: "https://a.example/hook", metadata: {}, events: ["page"] },
    },
    omitted: [],
  });
  const webhook = { ...WEBHOOK, isDefault: true } as const;
  expect(buildJobRequest({ fields: {}, webhook })).toEqual({ request: {}, omitted: [] });
});

it("leaves out a webhook's URL with a login or a query, and its secret", () => {
  for (const url of ["https://name:word@a.example/hook", "https://a.example/hook?key=word"]) {
    const built = buildJobRequest({
      fields: {},
      webhook: { ...WEBHOOK, url, headers: { "X-Key": "word" }, sealedSecret: "sealed" },
    });
    expect(JSON.stringify(built)).not.toMatch(/word|sealed"/);
    expect(built.omitted).toEqual(["webhook.url", "webhook.headers.X-Key", "webhook.secret"]);
  }
});

it("keeps options that differ from those that follow from the others", () => {
  const read = (given: object): Readonly<Record<string, unknown>> => {
    const values = scrapeOptionsSchema.parse(given);
    const headerNames = Object.keys(values.headers);
    const scrapeOptions = { values, headerNames, isTop: true };
    return buildJobRequest({ fields: {}, scrapeOptions, webhook: null }).request;
  };
  const names = ["timeout", "skipTlsVerification", "storeInCache"];
  for (const name of names) expect(read({ headers: { A: "b" } })).not.toHaveProperty(name);
  expect(read({ headers: { A: "b" }, skipTlsVerification: true, timeout: 5_000 })).toMatchObject({
    skipTlsVerification: true,
    timeout: 5_000,
  });
  expect(read({ storeInCache: false })).toMatchObject({ storeInCache: false });
});
