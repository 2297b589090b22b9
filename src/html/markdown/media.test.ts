import { expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { toMarkdown } from "./markdown.ts";

const convertHtml = (html: string): string =>
  toMarkdown(parseHtml(html), { base: "https://a.example/" }).trim();

it("writes a muted, looping video without controls as an image", () => {
  expect(convertHtml('<video autoplay loop muted><source src="/glow.webm"></video>')).toBe(
    "![](https://a.example/glow.webm)",
  );
  expect(
    convertHtml('<video loop muted aria-label="A glowing screen" data-src="/glow.mp4"></video>'),
  ).toBe("![A glowing screen](https://a.example/glow.mp4)");
});

it("writes any other video as a link, named by its label or title", () => {
  expect(convertHtml('<video controls loop muted src="/talk.mp4"></video>')).toBe(
    "[video](https://a.example/talk.mp4)",
  );
  expect(convertHtml('<video src="/talk.mp4" title="https://a.example/talk.mp4"></video>')).toBe(
    "[video](https://a.example/talk.mp4)",
  );
  expect(convertHtml('<video src="/talk.mp4" title="The talk"></video>')).toBe(
    "[The talk](https://a.example/talk.mp4)",
  );
});

it("writes an SVG object as an image", () => {
  expect(
    convertHtml('<object type="image/svg+xml" data="/plan.svg" aria-label="Plan"></object>'),
  ).toBe("![Plan](https://a.example/plan.svg)");
});
