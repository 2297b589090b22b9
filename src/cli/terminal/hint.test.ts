import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { toInvocation, createHint } from "./hint.ts";

beforeEach(() => {
  vi.stubEnv("npm_command", "");
  vi.stubEnv("npm_lifecycle_event", "");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const hint = (dataDir: string, choice = {}, script = "/usr/local/bin/quarry"): string =>
  createHint({ dataDir }, choice, script)("crawl ID");

describe("createHint", () => {
  it("starts hints the way the program was called: by name, through npx, or as a file", () => {
    expect(hint(".quarry")).toBe("quarry crawl ID");
    expect(hint(".quarry", {}, "/x/bin/quarry.mjs")).toMatch(/^node \S*bin\/quarry\.mjs crawl ID$/);
    vi.stubEnv("npm_command", "exec");
    expect(hint(".quarry", {}, "/x/bin/quarry.mjs")).toBe("npx quarry crawl ID");
  });

  it("includes the data folder or server in hints when they are not the default", () => {
    expect(hint("/srv/my data")).toBe("quarry crawl ID --data-dir '/srv/my data'");
    expect(hint("/srv", { apiUrl: "http://10.0.0.2:3002" })).toBe(
      "quarry crawl ID --api-url http://10.0.0.2:3002",
    );
  });

  it("never prints the API key in hints", () => {
    const shown = hint(".quarry", { apiUrl: "http://10.0.0.2:3002", apiKey: "qy-secret" });
    expect(shown).toBe("quarry crawl ID --api-url http://10.0.0.2:3002 --api-key KEY");
  });
});

it("help examples start the way the program was called", () => {
  vi.stubEnv("npm_command", "exec");
  expect(
    toInvocation("Examples:\n  quarry map URL | quarry batch -\nWords about quarry stones"),
  ).toBe("Examples:\n  npx quarry map URL | npx quarry batch -\nWords about quarry stones");
});
