// The branding format over HTTP, through the published JavaScript client and the service's own
// browser.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Firecrawl } from "@mendable/firecrawl-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { brandingSchema } from "../../../src/contract/page/branding.ts";
import {
  formatAnswer,
  disguise,
  isRight,
  readLayout,
  readTheme,
  readTruth,
} from "../../branding/pages.ts";
import { startService, type Service } from "../../service.ts";

let site: Server;
let url: string;
let service: Service;
let client: Firecrawl;

beforeAll(async () => {
  const css = await readTheme("superhero");
  const { html } = disguise(await readLayout("shop"), css, "dark", "none");
  const bodies: Readonly<Record<string, readonly [type: string, body: string]>> = {
    "/": ["text/html; charset=utf-8", html],
    "/theme.css": ["text/css", css],
    "/data.json": ["application/json", "{}"],
    "/file.pdf": ["application/pdf", "%PDF-1.4\n%%EOF"],
  };
  site = createServer((request, response) => {
    const [type, body] = bodies[request.url ?? ""] ?? ["", undefined];
    if (body === undefined) response.writeHead(404).end();
    else response.setHeader("content-type", type).end(body);
  });
  await new Promise<void>((resolve) => {
    site.listen(0, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  service = await startService(undefined, { egressAllow: [new URL(url).host] });
  client = new Firecrawl({ apiUrl: service.url, apiKey: service.key });
});
afterAll(async () => {
  await service.close();
  site.close();
});

describe("branding format", () => {
  it("returns the theme's colors and fonts, the logo and the components", async () => {
    const { branding, markdown } = await client.scrape(`${url}/`, {
      formats: ["branding", "markdown"],
    });
    const profile = brandingSchema.parse(branding);
    const truth = readTruth(await readTheme("superhero"), "dark");
    const wrong = Object.entries(truth).filter(
      ([key, expected]) => !isRight(formatAnswer(profile, key), expected),
    );
    expect(wrong).toEqual([]);
    expect(branding).toMatchObject({
      colorScheme: "dark",
      brandName: "Kestrel & Co.",
      images: { logo: `${url}/img/kestrel.svg`, favicon: `${url}/favicon-192.png` },
      components: { buttonPrimary: { background: truth["primary"] } },
    });
    expect(JSON.stringify(branding)).not.toContain("null");
    expect(markdown).toContain("# Lamps");
  });

  it("returns the same branding each time and never from the cache", async () => {
    const ask = async (): Promise<unknown> =>
      (await client.scrape(`${url}/`, { formats: ["branding"], maxAge: 600_000 })).branding;
    expect(JSON.stringify(await ask())).toBe(JSON.stringify(await ask()));
  });

  it.each(["/data.json", "/file.pdf"])(
    "rejects branding of %s, which is not HTML",
    async (path) => {
      const { status, body } = await service.scrape({
        url: `${url}${path}`,
        formats: ["branding"],
      });
      expect(status).toBe(500);
      expect(body.code).toBe("SCRAPE_BRANDING_NOT_SUPPORTED");
    },
  );
});
