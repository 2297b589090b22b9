import { describe, expect, it } from "vitest";
import { createMetrics } from "../metrics.ts";
import { createGate } from "./gate.ts";
import { createEgressPolicy } from "./policy.ts";
import { createResolver, type Lookup } from "./resolver.ts";
import { createProxySelection, parseUpstreamProxy } from "./upstream-proxy.ts";

const buildGate = (lookup: Lookup, allow: string[] = []) => {
  const metrics = createMetrics();
  const policy = createEgressPolicy({ allow, allowMetadata: false });
  return { metrics, gate: createGate(policy, createResolver({ lookup }), metrics) };
};
const noLookup: Lookup = () => Promise.reject(new Error("must not be asked"));
const refused = async (promise: Promise<unknown>) => {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error as { code: string; message: string } | undefined;
};

describe("egress gate", () => {
  it("returns the checked addresses of a public name", async () => {
    const { gate } = buildGate(() => Promise.resolve(["93.184.216.34", "2606:2800:220::1"]));
    const addresses = await gate.check("example.com", 443);
    expect(addresses.map(({ address }) => address)).toEqual(["93.184.216.34", "2606:2800:220::1"]);
  });

  it("refuses a name with one forbidden address among three", async () => {
    const { gate, metrics } = buildGate(() =>
      Promise.resolve(["93.184.216.34", "10.1.2.3", "93.184.216.35"]),
    );
    const error = await refused(gate.check("mixed.example", 443));
    expect(error?.code).toBe("UNSUPPORTED_SITE");
    expect(error?.message).toContain("mixed.example");
    expect(error?.message).toContain("a private address");
    expect(error?.message).toContain("QUARRY_EGRESS_ALLOW=mixed.example:443");
    expect(error?.message).not.toContain("10.1.2.3");
    expect((await metrics.egressRefused.get()).values[0]?.value).toBe(1);
  });

  it("does not query a name server for literals and localhost", async () => {
    const { gate } = buildGate(noLookup);
    for (const host of [
      "127.0.0.1",
      "0x7f.1",
      "[::1]",
      "[::ffff:7f00:1]",
      "localhost",
      "LOCALHOST.",
      "x.localhost",
      "169.254.169.254",
    ]) {
      expect((await refused(gate.check(host, 80)))?.code).toBe("UNSUPPORTED_SITE");
    }
    expect((await gate.check("8.8.8.8", 80))[0]?.address).toBe("8.8.8.8");
  });

  it("allows localhost at the named address only", async () => {
    const { gate } = buildGate(noLookup, ["127.0.0.1:3000"]);
    expect((await gate.check("localhost", 3000)).map(({ address }) => address)).toEqual([
      "127.0.0.1",
    ]);
    expect((await refused(gate.check("localhost", 3001)))?.code).toBe("UNSUPPORTED_SITE");
  });

  it("explains a decision with the address without refusing", async () => {
    const { gate, metrics } = buildGate(() => Promise.resolve(["93.184.216.34", "192.168.7.7"]));
    const explanation = await gate.explain("mixed.example", 80);
    expect(explanation.allowed).toBe(false);
    expect(explanation.reason).toContain("192.168.7.7 is a private address");
    expect(explanation.addresses).toHaveLength(2);
    expect((await metrics.egressRefused.get()).values[0]?.value).toBe(0);
    expect((await gate.explain("1.2.3.4.5", 80)).allowed).toBe(false);
  });

  it("distinguishes an unknown name from a silent name server", async () => {
    const { gate } = buildGate((name) =>
      Promise.reject(
        Object.assign(new Error(), { code: name.startsWith("a") ? "EAI_AGAIN" : "ENOTFOUND" }),
      ),
    );
    const silent = await refused(gate.check("a.example", 80));
    const missing = await refused(gate.check("b.example", 80));
    expect([silent?.code, missing?.code]).toEqual(Array(2).fill("SCRAPE_DNS_RESOLUTION_ERROR"));
    expect(silent?.message).toContain("a.example");
    expect(silent?.message).not.toBe(missing?.message.replace("b.example", "a.example"));
  });
});

describe("DNS resolver", () => {
  it("queries once for concurrent callers and again when the answer is stale", async () => {
    let asked = 0;
    let time = 0;
    const resolver = createResolver({
      lookup: () => Promise.resolve([`93.184.216.${++asked}`]),
      lifeMs: 1_000,
      now: () => time,
    });
    const both = await Promise.all([resolver.resolve("a.example"), resolver.resolve("a.example")]);
    expect(both.map(([first]) => first?.address)).toEqual(["93.184.216.1", "93.184.216.1"]);
    time = 999;
    expect((await resolver.resolve("a.example"))[0]?.address).toBe("93.184.216.1");
    time = 1_001;
    expect((await resolver.resolve("a.example"))[0]?.address).toBe("93.184.216.2");
  });
});

describe("upstream proxies", () => {
  const parse = (text: string) => parseUpstreamProxy(text, "QUARRY_PROXY_BASIC");

  it("parses country tag and credentials of a proxy and never prints the credentials", () => {
    const proxy = parse("http://ann:p%40ss@proxy.example:8080#country=DE");
    expect(proxy).toMatchObject({ label: "http://proxy.example:8080", country: "de", port: 8080 });
    expect(JSON.stringify(proxy)).not.toContain("p%40ss");
    expect(proxy.credentials?.getAuthorization()).toBe(
      `Basic ${Buffer.from("ann:p@ss").toString("base64")}`,
    );
    expect(parse("proxy.example:3128").label).toBe("http://proxy.example:3128");
    expect(parse("socks5h://proxy.example").port).toBe(1080);
    expect(() => parse("ftp://secret@proxy.example")).toThrow(/QUARRY_PROXY_BASIC/);
  });

  it("rotates proxies and prefers the requested country", () => {
    const select = createProxySelection(["http://a", "http://b#country=de", "http://c"].map(parse));
    expect([1, 2, 3, 4].map(() => select(undefined)?.hostname)).toEqual(["a", "c", "a", "c"]);
    expect(select("DE")?.hostname).toBe("b");
    expect(["a", "c"]).toContain(select("fr")?.hostname);
    expect(() => createProxySelection([parse("http://b#country=de")])("fr")).toThrow(/country fr/);
    expect(createProxySelection([])("fr")).toBeUndefined();
  });
});
