import { describe, expect, test } from "vitest";
import { createMetrics } from "../metrics.ts";
import { openProviderEgress, chooseProxy } from "./provider-egress.ts";

const PROXY = "http://proxy.example:3128";
const settings = { modelProxy: undefined, httpsProxy: PROXY, noProxy: undefined };

describe("chooseProxy", () => {
  test.each([
    ["https://api.openai.com/v1/", {}, PROXY],
    ["http://127.0.0.1:11434/v1/", {}, undefined],
    ["http://ollama:11434/v1/", {}, undefined],
    ["http://10.1.2.3:8000/v1/", {}, undefined],
    ["https://api.openai.com/v1/", { noProxy: "localhost,.openai.com" }, undefined],
    ["https://api.openai.com/v1/", { noProxy: "openai.com:8443" }, PROXY],
    ["https://notopenai.com/v1/", { noProxy: "openai.com" }, PROXY],
    ["https://api.openai.com/v1/", { noProxy: "*" }, undefined],
    ["https://api.openai.com/v1/", { modelProxy: "none" }, undefined],
    ["http://127.0.0.1:1234/v1/", { modelProxy: "socks5://p:1080" }, "socks5h://p:1080"],
  ])("reaches %s with %o through the proxy %s", (url, given, expected) => {
    expect(chooseProxy(new URL(url), { ...settings, ...given })).toBe(expected);
  });
});

test("allows only the model's host and port among private addresses", async () => {
  const url = new URL("http://127.0.0.1:11434/v1/");
  await using form = openProviderEgress(
    url,
    { ...settings, httpsProxy: undefined },
    { metrics: createMetrics() },
  );
  await expect(form.check("127.0.0.1", 11434)).resolves.toHaveLength(1);
  await expect(form.check("127.0.0.1", 5432)).rejects.toMatchObject({ code: "UNSUPPORTED_SITE" });
  await expect(form.check("10.0.0.1", 11434)).rejects.toMatchObject({ code: "UNSUPPORTED_SITE" });
});
