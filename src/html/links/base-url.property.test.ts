import fc from "fast-check";
import { expect, it } from "vitest";
import { LinkResolver, resolveUrl } from "./base-url.ts";

const BASES = [
  "https://a.example/",
  "https://a.example/one/two/three/page.html?q=1#part",
  "http://a.example:8080/one",
  "file:///one/two.html",
  "no address",
];
const piece = fc.constantFrom(
  "../../",
  "../",
  "..",
  ".",
  "/",
  "a",
  "b-1",
  "c.html",
  "#",
  "?",
  "é",
  " ",
  "%41",
  ":",
  "\\",
  "\t",
);

it("resolves plain links to the same address as the URL parser", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...BASES),
      fc.array(
        fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
        { maxLength: 6 },
      ),
      (base, links) => {
        const resolver = new LinkResolver(base);
        for (const link of links) expect(resolver.resolve(link)).toBe(resolveUrl(link, base));
      },
    ),
    { numRuns: 2_000 },
  );
});

it("resolves ../ up to the root even if a link has more levels than the path", () => {
  const resolver = new LinkResolver("https://a.example/one/two/three/page.html");
  expect(resolver.resolve("../../x.html")).toBe("https://a.example/one/x.html");
  expect(resolver.resolve("../x.html#y")).toBe("https://a.example/one/two/x.html#y");
  expect(resolver.resolve("../../".repeat(9) + "x")).toBe("https://a.example/x");
  expect(resolver.resolve("../../".repeat(20_000) + "x")).toBe("https://a.example/x");
});
