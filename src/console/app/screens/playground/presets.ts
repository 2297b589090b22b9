// Common sets of options, and sets saved in this browser.
import type { VNode } from "preact";
import { menu } from "../../ui/menu.ts";
import { dom } from "../../ui/dom.ts";
import { icon } from "../../ui/icons.ts";
import type { Mode, Options } from "./modes.ts";

type Preset = { readonly name: string; readonly text: string; readonly options: Options };

const DAY_MS = 86_400_000;

const PAGE_PRESETS: readonly Preset[] = [
  { name: "Clean article", text: "Markdown of the main content", options: {} },
  {
    name: "Everything on the page",
    text: "whole page, links, images, HTML",
    options: { formats: ["markdown", "html", "links", "images"], onlyMainContent: false },
  },
  {
    name: "Data with evidence",
    text: "fields of a product, each with its place",
    options: {
      formats: [
        "markdown",
        {
          type: "json",
          evidence: true,
          schema: {
            type: "object",
            properties: {
              name: { type: "string" },
              price: { type: "string" },
              description: { type: "string" },
            },
          },
        },
      ],
    },
  },
  {
    name: "As in a browser",
    text: "rendered, with a picture of the whole page",
    options: { formats: ["markdown", { type: "screenshot", fullPage: true }], waitFor: 1000 },
  },
  { name: "Fresh copy", text: "never from the cache", options: { maxAge: 0 } },
];

const CRAWL_PRESETS: readonly Preset[] = [
  { name: "First look", text: "25 pages", options: { limit: 25 } },
  {
    name: "Documentation site",
    text: "up to 1,000 pages below the address",
    options: { limit: 1000, scrapeOptions: { onlyMainContent: true, maxAge: DAY_MS } },
  },
  {
    name: "Whole domain",
    text: "all paths, with subdomains",
    options: { limit: 1000, crawlEntireDomain: true, allowSubdomains: true },
  },
];

const PRESETS: Readonly<Partial<Record<Mode["id"], readonly Preset[]>>> = {
  scrape: PAGE_PRESETS,
  batch: PAGE_PRESETS,
  crawl: CRAWL_PRESETS,
};

export function presetMenu({ id }: Mode, onChoose: (options: Options) => void): VNode | undefined {
  const presets = PRESETS[id];
  if (presets === undefined) return undefined;
  return menu({
    label: "Presets",
    class: "quiet small",
    button: ["Presets", icon("down", { size: 12 })],
    items: (close) =>
      presets.map((preset) =>
        dom.button(
          {
            key: preset.name,
            type: "button",
            onClick: () => {
              onChoose(preset.options);
              close();
            },
          },
          dom.span(null, preset.name, dom.br(null), dom.span({ class: "tiny faint" }, preset.text)),
        ),
      ),
  });
}
