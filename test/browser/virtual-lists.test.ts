import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { closeAll, openSite } from "../http-fetching.ts";
import { buildBrowserEngine } from "./engine.ts";

let engine: ReturnType<typeof buildBrowserEngine>;
beforeAll(() => {
  engine = buildBrowserEngine();
});
afterAll(async () => {
  await engine.close();
});
afterEach(closeAll);

const capture = async (style: string, body: string) => {
  const { base } = await openSite((_request, response) => {
    response
      .writeHead(200, { "content-type": "text/html; charset=utf-8" })
      .end(`<!doctype html><title>t</title><style>${style}</style>${body}`);
  });
  return await engine.capture({ url: `${base}/` });
};

const numbersIn = (text: string): number[] =>
  [...text.matchAll(/>entry number (\d+)</g)].map((match) => Number(match[1]));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const BOX = "#box { height: 300px; overflow-y: auto }";

/** A list of entries of 30 px that draws the visible ones and three more at each end. */
interface Drawing {
  readonly style?: string;
  /** The scrollable element as the script names it, and the target of its scroll events. */
  readonly scroller?: string;
  readonly teller?: string;
  /** Milliseconds from scrolling to drawing. */
  readonly lateMs?: number;
  /**
   * True if the list is as high as its drawn entries and moved as one; otherwise each entry is
   * positioned.
   */
  readonly moved?: boolean;
}

const virtualList = (count: number, drawing: Drawing): string => {
  const { scroller = "box", teller = "box", lateMs = 0, moved = false } = drawing;
  const whole = `height:${count * 30}px`;
  const entry = moved
    ? `"<div style='height:30px' data-index=" + i`
    : `"<div style='position:absolute;top:" + i * 30 + "px'"`;
  return `<div id="box"><div style="${whole}"><div id="list" style="position:relative;${moved ? "" : whole}"></div></div></div>
    <script>
      const draw = () => {
        const first = Math.max(0, Math.floor(${scroller}.scrollTop / 30) - 3);
        const last = Math.min(${count}, first + Math.ceil(${scroller}.clientHeight / 30) + 6);
        ${moved ? `list.style.transform = "translateY(" + first * 30 + "px)";` : ""}
        list.innerHTML = Array.from({ length: last - first }, (_, at) => first + at)
          .map((i) => ${entry} + ">entry number " + i + "</div>").join("");
      };
      ${teller}.addEventListener("scroll", () => ${lateMs === 0 ? "draw()" : `setTimeout(draw, ${lateMs})`});
      draw();
    </script>`;
};

describe("virtualized lists", () => {
  it.each<[string, Drawing]>([
    ["at once", {}],
    ["late, in their places", { lateMs: 150 }],
    ["late, moved to their places", { lateMs: 150, moved: true }],
    ["and asks for smooth scrolling", { style: `${BOX} #box { scroll-behavior: smooth }` }],
    [
      "below a header that the list keeps free",
      { style: `${BOX} #box { padding-top: 80px }`, lateMs: 150, moved: true },
    ],
    [
      "in the window, whose overflow the body gives",
      {
        style: "html, body { height: 100% } body { margin: 0; overflow-y: auto }",
        scroller: "document.scrollingElement",
        teller: "window",
      },
    ],
    [
      "in a body that scrolls itself",
      {
        style:
          "html { height: 100%; overflow: hidden } body { height: 100%; margin: 0; overflow-y: auto }",
        scroller: "document.body",
        teller: "document.body",
      },
    ],
  ])("reads a virtualized list completely: %s", async (_how, drawing) => {
    const { text, warnings } = await capture(drawing.style ?? BOX, virtualList(150, drawing));
    expect(warnings).toEqual([]);
    expect(numbersIn(text)).toEqual(upTo(150));
  });

  it("warns about a list that is too long to be scrolled to its end", async () => {
    const { text, warnings } = await capture(BOX, virtualList(10_000, {}));
    const numbers = numbersIn(text);
    expect(numbers).toEqual(upTo(numbers.length));
    expect(numbers.length).toBeGreaterThan(100);
    expect(warnings).toEqual([
      `Virtualized lists were read up to ${numbers.length} entries; they were not scrolled to the end and may have more.`,
    ]);
  });
});

it("does not warn about a list whose entries are all present", async () => {
  const { text, warnings } = await capture(
    "",
    `<div id="list" style="position:relative;height:200000px"></div>
    <script>list.innerHTML = Array.from({ length: 400 }, (_, i) =>
      "<div style='position:absolute;top:" + i * 500 + "px;height:500px'>entry number " + i + "</div>").join("")</script>`,
  );
  expect(warnings).toEqual([]);
  expect(numbersIn(text)).toHaveLength(400);
});
