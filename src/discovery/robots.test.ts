import { describe, expect, it } from "vitest";
import { createRobots, type FetchedText, type RobotsOptions } from "./robots.ts";

const text = (body: string, status = 200, contentType = "text/plain"): FetchedText => ({
  status,
  contentType,
  body: Buffer.from(body),
});
const CLOSED = "User-agent: *\nDisallow: /private/\nCrawl-delay: 2\nSitemap: /s.xml";

function build(answer: FetchedText | Error, options: Partial<RobotsOptions> = {}) {
  const fetched: string[] = [];
  const clock = { now: 1_000 };
  const robots = createRobots({
    fetchText: async (url) => {
      fetched.push(url);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    now: () => clock.now,
    ...options,
  });
  return { robots, fetched, clock };
}
const at = (path: string) => new URL(path, "https://example.com");

describe("createRobots", () => {
  it("fetches robots.txt once for concurrent requests", async () => {
    const { robots, fetched } = build(text(CLOSED));
    const urls = [at("/a"), at("/private/a"), at("/b")];
    const verdicts = await Promise.all(urls.map((url) => robots.decide(url, "x")));
    expect(fetched).toEqual(["https://example.com/robots.txt"]);
    expect(verdicts).toEqual([
      { allowed: true, crawlDelaySeconds: 2 },
      { allowed: false, reason: "line 2: Disallow: /private/", crawlDelaySeconds: 2 },
      { allowed: true, crawlDelaySeconds: 2 },
    ]);
    expect((await robots.load(at("/"))).file.sitemaps).toEqual(["/s.xml"]);
  });

  it("keeps robots.txt per scheme, host and port", async () => {
    const { robots, fetched } = build(text(CLOSED));
    for (const url of ["https://a.example/", "http://a.example/", "https://a.example:8443/"])
      await robots.load(new URL(url));
    expect(new Set(fetched).size).toBe(3);
  });

  it("returns a loaded robots.txt without waiting for a day", async () => {
    const { robots, fetched, clock } = build(text(CLOSED));
    expect(robots.decideCached(at("/private/"), "x")).toBeUndefined();
    await robots.load(at("/"));
    expect(robots.decideCached(at("/private/"), "x")?.allowed).toBe(false);
    clock.now += 24 * 3_600_000;
    expect(robots.known(at("/"))).toBeUndefined();
    await robots.load(at("/"));
    expect(fetched).toHaveLength(2);
  });

  it.each([
    [text("", 404), "missing", true],
    [text(CLOSED, 403), "missing", true],
    [text("", 410), "missing", true],
    [text("", 304), "missing", true],
    [text(CLOSED, 500), "unreachable", false],
    [text("", 503), "unreachable", false],
    [text("", 429), "unreachable", false],
    [new Error("connection refused"), "unreachable", false],
    [text("<!DOCTYPE html><p>Disallow: /", 200, "text/html"), "missing", true],
    [text("\n <html>", 200, "text/plain"), "missing", true],
    [text('{"Disallow": "/"}', 200, "application/json"), "missing", true],
    [text("<?xml version='1.0'?><Error/>", 200, "text/plain"), "missing", true],
    [text("<Error/>", 200, "application/xml"), "missing", true],
    [text("User-agent: *\nDisallow: /", 200, "text/html"), "found", false],
  ])("treats robots.txt %j as %s, and allows: %s", async (answer, state, allowed) => {
    const { robots } = build(answer);
    expect((await robots.load(at("/"))).state).toBe(state);
    expect((await robots.decide(at("/private/"), "x")).allowed).toBe(allowed);
  });

  it("retries soon when the host was unreachable", async () => {
    const { robots, fetched, clock } = build(new Error("connection refused"));
    expect(await robots.decide(at("/"), "x")).toMatchObject({
      allowed: false,
      reason: "robots.txt cannot be read (connection refused)",
    });
    clock.now += 60_000;
    await robots.load(at("/"));
    expect(fetched).toHaveLength(2);
  });

  it("allows everything for an unreachable robots.txt when configured", async () => {
    const { robots } = build(text("", 500), { whenUnreachable: "allow" });
    expect((await robots.decide(at("/a"), "x")).allowed).toBe(true);
  });
});

describe("createRobots with trailing slashes (wire contract 5.6)", () => {
  it.each([
    ["/private", false],
    ["/private?x=1", false],
    ["/private/", false],
    ["/private.html", true],
    ["/privateer", true],
  ])("applies slash rules to both variants: %s is allowed: %s", async (path, allowed) => {
    const { robots } = build(text(CLOSED));
    expect((await robots.decide(at(path), "x")).allowed).toBe(allowed);
  });

  it.each([
    ["/secret/ok", true],
    ["/secret/ok/", false],
    ["/secret/no", false],
    ["/closed", false],
    ["/open", true],
  ])(
    "respects a longer allow rule with an end anchor: %s is allowed: %s",
    async (path, allowed) => {
      const rules =
        "User-agent: *\nAllow: /\nDisallow: /secret\nAllow: /secret/ok$\nDisallow: /closed/";
      const { robots } = build(text(rules));
      expect((await robots.decide(at(path), "x")).allowed).toBe(allowed);
    },
  );
});
