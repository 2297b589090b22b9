// Times, URLs and numbers as elements.
import type { ComponentChildren, VNode } from "preact";
import { formatAgo, formatExact, shortenUrl } from "../data/format.ts";
import { dom } from "./dom.ts";

export function time(at: string | number | null | undefined): VNode {
  if (at === null || at === undefined) return dom.span({ class: "faint" }, "–");
  const iso = new Date(at).toISOString();
  return dom.time({ datetime: iso, title: formatExact(at), class: "num" }, formatAgo(at));
}

/** Plain text: an address from a page is never a link of the console. */
export function url(address: string, characters?: number): VNode {
  const parts = shortenUrl(address, characters).split(/(?<=\/)/);
  // A narrow column breaks a URL between its parts, not within one.
  const shown = parts.flatMap((part, at) => (at === 0 ? [part] : [dom.wbr(null), part]));
  return dom.span({ class: "url", title: address }, ...shown);
}

export type TileProps = {
  readonly label: string;
  readonly value: ComponentChildren;
  readonly note?: ComponentChildren;
};

export function tiles(...list: readonly (TileProps | false)[]): VNode {
  return dom.dl(
    { class: "tiles" },
    ...list.map(
      (tile) =>
        tile !== false &&
        dom.div(
          { class: "tile", key: tile.label },
          dom.dt(null, tile.label),
          dom.dd(null, tile.value),
          tile.note !== undefined && dom.dd({ class: "note" }, tile.note),
        ),
    ),
  );
}

export type MeterPart = { readonly share: number; readonly color: string; readonly label: string };

/** A bar of stacked parts; `share` is 0 to 1. */
export function meter(parts: readonly MeterPart[], label: string): VNode {
  return dom.span(
    { class: "meter", role: "img", "aria-label": label, title: label },
    ...parts
      .filter(({ share }) => share > 0)
      .map((part) =>
        dom.span({
          key: part.label,
          class: `fill-${part.color}`,
          style: { width: `${part.share * 100}%` },
        }),
      ),
  );
}

/** Pairs of name and value; pairs without a value are left out. */
export function details(pairs: readonly (readonly [string, ComponentChildren])[]): VNode {
  return dom.dl(
    { class: "details" },
    ...pairs
      .filter(([, value]) => value !== undefined && value !== null && value !== "")
      .flatMap(([name, value]) => [
        dom.dt({ key: name }, name),
        dom.dd({ key: `${name} value` }, value),
      ]),
  );
}
