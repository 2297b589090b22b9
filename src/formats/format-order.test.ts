// Formats read one parsed page. None may change it for another.
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { deriveInput } from "../../test/derive-input.ts";
import { scrapeOptionsSchema } from "../contract/page/scrape.ts";
import { toHtml } from "../html/parse/serialize.ts";
import type { Derive } from "./format.ts";
import { FORMATS } from "./index.ts";
import { readContent } from "./page/read-content.ts";
import { PageView } from "./page/view.ts";

const GOLDEN = path.join(import.meta.dirname, "../../test/golden");
const PAGES = ["noscript-page", "made-by-sphinx"].map((name) =>
  readFileSync(path.join(GOLDEN, name, "page.html"), "utf8"),
);
/** A page on which every step of selecting content has something to change. */
PAGES.push(`<!doctype html><title>Lamps</title><body>
  <nav><a href="/">Home</a> <a href="/lamps">Lamps</a></nav>
  <main><h1>Lamps</h1><p>A lamp of brass and blue glass for the desk, made by hand in the village for 20 €.</p>
  <p><a href="#main">Skip to content</a> <a href="/red">Red lamps</a>
  <a href="/cdn-cgi/l/email-protection#24494164414a5c0a">[email protected]</a></p>
  <img src="data:image/gif;base64,R0lGOD" alt=""><noscript><img src="/lamp.jpg" alt="A lamp"></noscript>
  <select><option>small 10 €</option><option>large 20 €</option></select>
  <iframe src="/video"></iframe><script type="math/tex">x^2</script>
  <div class="highlight"><div role="tablist"><button role="tab" aria-controls="a">A</button><button role="tab" aria-controls="b">B</button></div>
  <div role="tabpanel" id="a" hidden>Text of the first panel.</div><div role="tabpanel" id="b" style="display:none">Text of the second panel.</div></div>
  <div id="P:1"><template id="B:1"></template></div><p>Every lamp is tested for a day before it leaves the workshop of the family.</p></main>
  <div hidden id="S:1"><p>This part was streamed after the rest of the page had been sent.</p></div>
  <div style="display:none"><a href="/hidden">Hidden</a></div><footer><a href="/terms">Terms</a></footer>`);

const requested = scrapeOptionsSchema.parse({
  formats: [
    "rawHtml",
    "html",
    "markdown",
    "links",
    "images",
    "summary",
    { type: "attributes", selectors: [{ selector: "a", attribute: "href" }] },
    { type: "json", prompt: "name, price" },
    { type: "question", question: "What are the lamps made of?" },
    { type: "highlights", query: "brass" },
  ],
}).formats;
const types = requested.map(({ type }) => type);

const derivations = new Map<string, Derive>();
beforeAll(async () => {
  for (const format of FORMATS) {
    const derive = await format.derive?.();
    if (derive !== undefined) derivations.set(format.name, derive);
  }
});

function view(page: string): PageView {
  const input = deriveInput(page, {
    formats: requested,
    onlyMainContent: true,
    explain: "overlay",
  });
  return new PageView(input, page);
}

function deriveIn(order: readonly string[], page: string): Record<string, unknown> {
  const shown = view(page);
  const made: Record<string, unknown> = {};
  for (const type of order) {
    const format = requested.find((one) => one.type === type);
    if (type === "reading") made[type] = readContent(shown);
    else if (format !== undefined) made[type] = derivations.get(type)?.(shown, format);
  }
  made["metadata"] = shown.finish();
  made["explanation"] = shown.explain();
  return made;
}

const readers = [...types, "reading"];

describe("the order of formats", () => {
  it.each(PAGES)("gives the same values in any order (page %#)", (page) => {
    const first = deriveIn(readers, page);
    for (let shift = 1; shift < readers.length; shift++) {
      const order = [...readers.slice(shift), ...readers.slice(0, shift)];
      expect(deriveIn(order, page)).toEqual(first);
      expect(deriveIn(order.toReversed(), page)).toEqual(first);
    }
  });

  it.each(PAGES)("leaves the parsed page as it was (page %#)", (page) => {
    const shown = view(page);
    const before = toHtml(shown.getDocument());
    for (const format of requested) derivations.get(format.type)?.(shown, format);
    shown.explain();
    expect(toHtml(shown.getDocument())).toBe(before);
  });
});
