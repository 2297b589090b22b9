import { isTag } from "domhandler";
import { describe, expect, it } from "vitest";
import { getElementIndex } from "../evidence/element-index.ts";
import { parseHtml } from "./parse.ts";
import { toHtml } from "./serialize.ts";
import { listElements } from "./tree.ts";
import { MAX_DEPTH } from "./tree-writer.ts";

const flattenHtml = (html: string): string => toHtml(parseHtml(html));

describe("declarative shadow roots", () => {
  it("replaces the children of a host with its declarative shadow root", () => {
    expect(flattenHtml('<x-a><template shadowrootmode="open"><p>in</p></template>lost</x-a>')).toBe(
      "<x-a><p>in</p></x-a>",
    );
  });

  it("fills the slots of a shadow root with the host's children of the same name", () => {
    expect(
      flattenHtml(
        '<x-a><template shadowrootmode="closed"><h1><slot name="t">none</slot></h1><slot></slot></template><b slot="t">T</b> rest</x-a>',
      ),
    ).toBe('<x-a><h1><slot name="t"><b slot="t">T</b></slot></h1><slot> rest</slot></x-a>');
  });

  it("keeps the fallback content of an empty slot", () => {
    expect(
      flattenHtml(
        '<x-a><template shadowrootmode="open"><slot name="t">standby</slot></template></x-a>',
      ),
    ).toBe('<x-a><slot name="t">standby</slot></x-a>');
  });

  it("passes the children of an outer shadow host on to an inner host", () => {
    expect(
      flattenHtml(
        '<x-a><template shadowrootmode="open"><x-b><template shadowrootmode="open"><i><slot></slot></i></template><slot></slot></x-b></template>text</x-a>',
      ),
    ).toBe("<x-a><x-b><i><slot><slot>text</slot></slot></i></x-b></x-a>");
  });

  it("leaves ordinary templates unchanged", () => {
    const html = "<div><template><p>later</p></template>now</div>";
    expect(flattenHtml(html)).toBe(html);
    expect(flattenHtml('<x-a><template shadowrootmode="no">x</template>y</x-a>')).toBe(
      '<x-a><template shadowrootmode="no">x</template>y</x-a>',
    );
  });

  it("counts the text of shadow roots as text of the page", () => {
    const page = parseHtml(
      '<x-a><template shadowrootmode="open"><h1>Two words</h1></template></x-a>',
    );
    expect(getElementIndex(page).text).toMatchObject({ words: 2, heading: "Two words" });
  });

  it("keeps all text of nested shadow roots within the maximum tree depth", () => {
    const deep = "<div>".repeat(100);
    const host = `<x-a><template shadowrootmode="open">${deep}<slot></slot>${"</div>".repeat(100)}</template>`;
    const page = parseHtml(`${host.repeat(100)}bottom`);
    let depth = 0;
    for (const element of listElements(page)) {
      let own = 0;
      for (let node = element.parent; node !== null && isTag(node); node = node.parent) own++;
      depth = Math.max(depth, own);
    }
    expect(depth).toBeLessThanOrEqual(MAX_DEPTH);
    expect(toHtml(page)).toContain("bottom");
  });

  it("flattens shadow roots in linear time", () => {
    const cost = (count: number): number => {
      const html =
        '<x-a><template shadowrootmode="open"><p><slot></slot></p></template>t</x-a>'.repeat(count);
      const started = process.cpuUsage();
      parseHtml(html);
      const { user, system } = process.cpuUsage(started);
      return user + system;
    };
    cost(1_000);
    expect(cost(40_000)).toBeLessThan(40 * Math.max(cost(4_000), 5_000));
  });
});
