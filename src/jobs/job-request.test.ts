import { expect, it } from "vitest";
import { scrapeOptionsSchema } from "../contract/page/scrape.ts";
import { buildJobRequest } from "./job-request.ts";

const WEBHOOK = {
  url: "https://a.example/hook",
  headers: {},
  metadata: {},
  events: ["page"],
  isDefault: false,
};

const buildWebhook = (webhook: object) =>
  buildJobRequest({ fields: {}, webhook: { ...WEBHOOK, ...webhook } });

it("returns the events of the caller's webhook, and nothing of the deployment's", () => {
  expect(buildJobRequest({ fields: { limit: 1 }, webhook: WEBHOOK })).toEqual({
    request: { limit: 1, webhook: { events: ["page"] } },
    omitted: ["webhook.url"],
  });
  expect(buildWebhook({ isDefault: true })).toEqual({ request: {}, omitted: [] });
});

it("returns nothing of a webhook that earlier versions stored for the caller or the deployment", () => {
  const { isDefault: _, ...webhook } = WEBHOOK;
  expect(buildJobRequest({ fields: {}, webhook })).toEqual({
    request: {},
    omitted: ["webhook.url"],
  });
  const headers = { "X-Key": "word" };
  expect(buildJobRequest({ fields: {}, webhook: { ...webhook, headers } }).request).toEqual({
    webhook: { events: ["page"] },
  });
});

it("leaves out the URL, header values, metadata and secret of a webhook", () => {
  for (const url of [
    "https://name:word@a.example/hook",
    "https://a.example/hook?key=word",
    "https://hooks.slack.example/services/T0/B0/word",
  ]) {
    const secrets = { headers: { "X-Key": "word" }, metadata: { token: "word" } };
    const built = buildWebhook({ ...secrets, url, sealedSecret: "sealed" });
    expect(JSON.stringify(built)).not.toMatch(/word|sealed"/);
    expect(built.omitted).toEqual([
      "webhook.url",
      "webhook.headers.X-Key",
      "webhook.metadata.token",
      "webhook.secret",
    ]);
  }
});

it("removes logins from URLs in every spelling that a request accepts", () => {
  for (const [written, shown] of [
    ["https://name:word@a.example/x", "https://a.example/x"],
    ["//name:word@a.example/x", "//a.example/x"],
    ["user_1:word@a.example/x", "a.example/x"],
    ["ghp_word@a.example", "a.example"],
  ] as const) {
    const built = buildJobRequest({ fields: {}, urls: [written], webhook: null });
    expect(built).toEqual({ request: { urls: [shown] }, omitted: ["urls.login"] });
  }
});

it("leaves out URLs that cannot be read", () => {
  const urls = ["https://a.example/", "https://name:word@/x"];
  expect(buildJobRequest({ fields: {}, urls, webhook: null })).toEqual({
    request: { urls: ["https://a.example/"] },
    omitted: ["urls.1"],
  });
});

it("leaves out typed text and scripts of actions, and names their places", () => {
  const actions = [
    { type: "click", selector: "#password" },
    { type: "write", text: "word" },
    { type: "executeJavascript", script: "login('word')" },
  ];
  const values = scrapeOptionsSchema.parse({ actions });
  for (const isTop of [true, false]) {
    const scrapeOptions = { values, headerNames: [], isTop };
    const { request, omitted } = buildJobRequest({ fields: {}, scrapeOptions, webhook: null });
    expect(isTop ? request : request["scrapeOptions"]).toMatchObject({
      actions: [
        { type: "click", selector: "#password", all: false },
        { type: "write" },
        { type: "executeJavascript" },
      ],
    });
    expect(JSON.stringify(request)).not.toMatch(/"word"|'word'/);
    const prefix = isTop ? "" : "scrapeOptions.";
    expect(omitted).toEqual([`${prefix}actions.1.text`, `${prefix}actions.2.script`]);
  }
});

it("returns timeout, skipTlsVerification and storeInCache only when they were set", () => {
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
