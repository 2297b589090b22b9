// The guides as the server shows them: each guide, each link, and nothing loaded from elsewhere.
import { readdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderGuide } from "../../../src/http/docs/guides/render-guide.ts";
import { isRemote, shareService, type Service } from "../../service.ts";

let service: Service;
beforeAll(async () => {
  service = await shareService();
});
afterAll(() => service.close());

const folder = path.resolve(import.meta.dirname, "../../../docs");
const get = (address: string) => service.ask(address, { key: null });

describe.skipIf(isRemote)("guides at /docs", () => {
  it("serves every guide with working links and a policy without scripts", async () => {
    const files = (await readdir(folder, { recursive: true })).filter((name) =>
      name.endsWith(".md"),
    );
    expect(files.length).toBeGreaterThan(15);
    const pages = new Map<string, string>();
    for (const file of files) {
      const address = `/docs/${file.slice(0, -".md".length)}`;
      const { status, text, headers } = await get(address);
      expect([address, status]).toEqual([address, 200]);
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      const policy = headers.get("content-security-policy") ?? "";
      expect(policy).toContain("script-src 'none'");
      expect(policy).not.toMatch(/unsafe|https?:/);
      expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=|<img|src=/i);
      pages.set(address, text);
    }
    const broken: string[] = [];
    for (const [address, text] of pages)
      for (const [, href = ""] of text.matchAll(/href="([^"]*)"/g)) {
        if (/^https?:/.test(href)) continue;
        const target = new URL(href, `http://a.invalid${address}`);
        if (["/docs", "/docs/api", "/docs/guides.css", "/openapi.json"].includes(target.pathname))
          continue;
        const found = pages.get(target.pathname);
        const id = decodeURIComponent(target.hash.slice(1));
        if (found === undefined || (id !== "" && id !== "content" && !found.includes(`id="${id}"`)))
          broken.push(`${address}: ${href}`);
      }
    expect(broken).toEqual([]);
  }, 60_000);

  it("finds guides by words with the best section first and matches highlighted", async () => {
    const { status, text } = await get("/docs?q=webhook%20signature");
    expect(status).toBe(200);
    const [first = ""] = /<ul class="cards hits">.*?<\/li>/s.exec(text) ?? [];
    expect(first).toContain('href="/docs/webhooks');
    expect(first.toLowerCase()).toContain("<mark>");
    const odd = await get(`/docs?q=${encodeURIComponent('"><script>alert(1)</script> (')}`);
    expect(odd.status).toBe(200);
    expect(odd.text).not.toContain("<script");
    expect(odd.text).toContain("No guide has all of these words");
  });

  it("names the API family and links to the API reference", async () => {
    const { text } = await get("/docs");
    expect(text).toContain("Firecrawl");
    expect(text).toContain('href="/docs/api"');
    expect((await get("/docs/api/")).status).toBe(200);
    expect((await get("/docs/guides.css")).headers.get("content-type")).toContain("text/css");
    expect((await get("/docs/nothing")).status).toBe(404);
    expect((await get("/docs/..%2fpackage.json")).status).toBe(404);
  });
});

describe("guide rendering", () => {
  const render = (markdown: string) =>
    renderGuide(markdown, "one", new Set(["one", "two", "reference/x"]));

  it("shows HTML in a guide's Markdown as text and drops broken links", () => {
    const { html } = render(
      "# A <b>title</b>\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) [b](../src/x.ts) [c](two.md#p) [d](reference/x.md) ![e](http://a/x.png)",
    );
    expect(html).not.toMatch(/<script|<b>|javascript:|<img/);
    expect(html).toContain('<a href="/docs/two#p">c</a>');
    expect(html).toContain('<a href="/docs/reference/x">d</a>');
    expect(html.match(/<a href="(?!#)/g)).toHaveLength(2 + 0);
  });

  it("splits a guide at its headings with ids of their own", () => {
    const { title, summary, sections, html } = render(
      "# T\n\nFirst `words`.\n\n## A b\n\none\n\n## A b\n\n| x |\n|---|\n| two |",
    );
    expect([title, summary]).toEqual(["T", "First words."]);
    expect(sections.map(({ id, text }) => [id, text])).toEqual([
      ["", "First words."],
      ["a-b", "one"],
      ["a-b-1", "x two"],
    ]);
    expect(html).toContain('id="a-b-1"');
  });
});
