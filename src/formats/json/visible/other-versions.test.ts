import { describe, expect, it } from "vitest";
import { pageOf, readObject, STRING } from "../../../../test/understanding/schema-pages.ts";

const read = <P extends Record<string, unknown>>(
  main: string,
  properties: P,
): { readonly [K in keyof P]?: unknown } => readObject(pageOf("en", main), properties);
const VERSION = { latest_version: STRING };
const pack = (side: string): string =>
  `<h1>tidewire</h1><p>Small client for tide tables.</p><aside class="sidebar">${side}</aside>`;

describe("latest version", () => {
  it.each([
    ["a label above it", pack("<h3>Latest version</h3><p>2.4.1</p>")],
    [
      "a label and its value",
      pack("<dl><dt>Latest version</dt><dd>2.4.1</dd><dt>License</dt><dd>MIT</dd></dl>"),
    ],
    ["a label in the same line", pack("<p>Latest version: 2.4.1</p>")],
    [
      "its label below the count",
      pack("<dl><dt>Versions</dt><dd>17</dd><dt>Version</dt><dd>2.4.1</dd></dl>"),
    ],
  ])("is read from %s", (_, main) => {
    expect(String(read(main, VERSION).latest_version).replace(/^v/u, "")).toBe("2.4.1");
  });

  it.each([
    ["a date and a person", pack("<p>Latest release: Jan 20, 2025 by mholm</p>")],
    ["a date with its label", pack("<dl><dt>Latest release</dt><dd>Jan 20, 2025</dd></dl>")],
    ["the version of the runtime", pack("<dl><dt>Node version</dt><dd>18.0.0</dd></dl>")],
    ["a pre-release", pack("<dl><dt>Latest pre-release</dt><dd>3.0.0-rc.1</dd></dl>")],
    ["a date with dots", pack("<dl><dt>Latest release</dt><dd>20.01.2025</dd></dl>")],
    ["a time ago", pack("<p>Latest release: 3 days ago</p>")],
    ["a person", pack("<dl><dt>Latest release by</dt><dd>Mara Holm</dd></dl>")],
    ["a count", pack("<p>Versions 17</p>")],
    ["a count with its label", pack("<dl><dt>Versions</dt><dd>17</dd></dl>")],
    ["a tab with a count", pack('<ul><li><a href="?tab=versions">17 Versions</a></li></ul>')],
    [
      "the version of the language it needs",
      pack("<dl><dt>Requires</dt><dd>Python &gt;=3.9</dd></dl>"),
    ],
    ["the version of a dependency", pack("<h3>Dependencies</h3><ul><li>netring ^1.2.0</li></ul>")],
    ["a German date", pack("<dl><dt>Letzte Version</dt><dd>20. Januar 2025</dd></dl>")],
  ])("is not read from %s", (_, main) => {
    expect(read(main, VERSION).latest_version).toBeUndefined();
  });

  it.each([
    ["a date in digits", "2025-01-20"],
    ["a day without a year", "20 Jan"],
    ["a time ago", "2 days ago"],
    ["a time ago and a person", "5 months ago by mholm"],
    ["a person", "Mara Holm"],
  ])("is not read from %s below its label: %s", (_, value) => {
    const main = pack(`<dl><dt>Latest version</dt><dd>${value}</dd></dl>`);
    expect(read(main, VERSION).latest_version).toBeUndefined();
  });

  it("is not read from a date of publication below its heading", () => {
    const main = pack("<h3>Latest version</h3><p>Published Jan 20, 2025</p>");
    expect(read(main, VERSION).latest_version).toBeUndefined();
  });

  it("is read without a date in brackets behind it", () => {
    const main = pack("<p>Latest release: 2.4.1 (Jan 20, 2025)</p>");
    expect(read(main, VERSION).latest_version).toBe("2.4.1");
  });

  it.each([["a date", "<dl><dt>Latest release</dt><dd>2.4.1 – Jan 20, 2025</dd></dl>"]])(
    "is read without %s behind it",
    (_, side) => {
      expect(read(pack(side), VERSION).latest_version).toBe("2.4.1");
    },
  );

  it.fails.each([["a person", "<p>Latest release: 2.4.1 by mholm</p>"]])(
    "is read without %s behind it",
    (_, side) => {
      expect(read(pack(side), VERSION).latest_version).toBe("2.4.1");
    },
  );

  it.each([
    ["in the heading's text", "<h1>tidewire 2.4.1</h1><p>Small client for tide tables.</p>"],
    [
      "in a part of the heading",
      "<h1>tidewire <small>v2.4.1</small></h1><p>Small client for tide tables.</p>",
    ],
    [
      "in a badge of the heading",
      '<h1><span>tidewire</span> <span class="badge">2.4.1</span></h1><p>Small client for tide tables.</p>',
    ],
  ])("is no part of the name when it stands %s", (_, main) => {
    expect(read(main, { name: STRING, ...VERSION }).name).toBe("tidewire");
  });

  it.fails.each([
    [
      "in a badge without a space",
      '<h1><span>tidewire</span><span class="badge">2.4.1</span></h1>',
    ],
    ["behind an @", "<h1>tidewire@2.4.1</h1>"],
  ])("is no part of the name when it stands %s in the heading", (_, heading) => {
    const main = `${heading}<p>Small client for tide tables.</p>`;
    expect(read(main, { name: STRING, ...VERSION }).name).toBe("tidewire");
  });

  it.each(["tidewire3", "Tidewire 365", "v8-tides", "Windward 11"])(
    "does not take the number in the name %s",
    (name) => {
      const page = `<h1>${name}</h1><p>Small client for tide tables.</p><dl><dt>Latest version</dt><dd>2.4.1</dd></dl>`;
      expect(read(page, { name: STRING, ...VERSION })).toMatchObject({
        name,
        latest_version: "2.4.1",
      });
    },
  );
});

describe("repository URL", () => {
  const url = "https://github.com/holm/tidewire";
  it.each([
    [
      "its label above",
      pack(`<h3>Repository</h3><p><a href="${url}">github.com/holm/tidewire</a></p>`),
    ],
    [
      "its label in a list",
      pack(`<dl><dt>Repository</dt><dd><a href="${url}">holm/tidewire</a></dd></dl>`),
    ],
    ["its label before its address", pack(`<p>Repository: ${url}</p>`)],
  ])("is the address of the link with %s", (_, main) => {
    expect(read(main, { repository_url: STRING }).repository_url).toBe(url);
  });

  it.each([
    [
      "there is a link to the docs only",
      pack('<ul><li><a href="https://tidewire.example/docs">Docs</a></li></ul>'),
    ],
    ["a sentence speaks of repositories", pack("<p>Used in 1,204 repositories</p>")],
  ])("is missing when %s", (_, main) => {
    expect(read(main, { repository_url: STRING }).repository_url).toBeUndefined();
  });

  const URI = { type: "string", format: "uri" };

  it.fails.each([
    ["a list", `<ul><li><a href="${url}">Repository</a></li></ul>`],
    [
      "a list with the docs",
      `<ul><li><a href="${url}">Source code</a></li><li><a href="/docs">Docs</a></li></ul>`,
    ],
  ])("is the address of the link that is its own label in %s", (_, side) => {
    expect(read(pack(side), { repository_url: STRING }).repository_url).toBe(url);
  });

  it.each([STRING, URI])("is the address of the link in a line with its label (%o)", (type) => {
    const main = pack(`<p>Repository: <a href="${url}">holm/tidewire</a></p>`);
    expect(read(main, { repository_url: type }).repository_url).toBe(url);
  });

  it.each([
    ["the label has no link", "private", STRING],
    ["the label has no link", "private", URI],
    ["the link leads nowhere", '<a href="#">Git</a>', STRING],
    ["the link leads nowhere", '<a href="#">Git</a>', URI],
    ["the link runs a script", '<a href="javascript:void(0)">Copy</a>', STRING],
    ["the link runs a script", '<a href="javascript:void(0)">Copy</a>', URI],
    ["the link explains the label", 'Git <a href="/help">What is this?</a>', STRING],
  ])("is missing when %s: %s (%o)", (_, value, type) => {
    const main = pack(`<dl><dt>Repository</dt><dd>${value}</dd></dl>`);
    expect(read(main, { repository_url: type }).repository_url).toBeUndefined();
  });
});
