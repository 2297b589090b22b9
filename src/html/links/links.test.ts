import { describe, expect, it } from "vitest";
import { listLinks } from "./links.ts";
import { parseHtml } from "../parse/parse.ts";

describe("listLinks", () => {
  it("lists absolute link targets once, in order, without in-page fragments and scripts", () => {
    const document = parseHtml(
      '<a href="/b">1</a><a href="a">2</a><a href="/b">3</a><a href="#x">4</a><a href="https://e.org/p#y">5</a><a href="q#z">6</a>' +
        '<a href="mailto:a@b.c">7</a><a href="http:/host/x">8</a><a href="javascript:x()">9</a><a href="http://[bad">10</a><a>11</a>',
    );
    expect(listLinks(document, "https://e.org/p")).toEqual([
      "https://e.org/b",
      "https://e.org/a",
      "https://e.org/q#z",
      "mailto:a@b.c",
      "http://host/x",
    ]);
  });
  it("lists areas of image maps and decodes obfuscated email addresses", () => {
    const document = parseHtml(
      '<map><area href="/north"></map><a href="/cdn-cgi/l/email-protection#2b4a6b490548">mail</a>',
    );
    expect(listLinks(document, "https://e.org/p")).toEqual(["https://e.org/north", "mailto:a@b.c"]);
  });
});
