// Runs in an isolated world of the page: finds logo candidates, icons and metadata. Every function
// is sent as text, so it may use only the others in this file.
import type { BrandingEvidence, EvidenceLogo } from "../../branding-evidence.ts";
import type { PageDocument, PageElement, PageWindow } from "./dom-surface.ts";

declare const document: PageDocument;
declare const window: PageWindow;
declare const XMLSerializer: new () => { serializeToString(element: PageElement): string };
declare const URL: { parse(address: string, base: string): { href: string } | null };

function toAbsolute(address: string | null): string {
  if (address === null || address.trim() === "") return "";
  const href = URL.parse(address, document.baseURI)?.href ?? "";
  return href.length > 4000 ? "" : href;
}

function listWordsAround(element: PageElement, source: string): string {
  const words = [source.startsWith("data:") ? "" : (source.split("/").at(-1) ?? "")];
  let at: PageElement | null = element;
  for (let level = 0; at !== null && level < 4; level += 1) {
    words.push(at.getAttribute("class") ?? "", at.getAttribute("id") ?? "");
    at = at.parentElement;
  }
  return words.join(" ").slice(0, 600);
}

function findRegion(element: PageElement): EvidenceLogo["region"] {
  if (element.closest("footer,[role=contentinfo]") !== null) return "footer";
  if (element.closest("header,[role=banner]") !== null) return "header";
  return element.closest("nav,[role=navigation]") === null ? "page" : "nav";
}

function cleanDrawing(drawing: PageElement): string {
  const copy = drawing.cloneNode(true);
  for (const use of Array.from(copy.querySelectorAll("use"))) {
    const reference = use.getAttribute("href") ?? use.getAttribute("xlink:href") ?? "";
    const target = reference.startsWith("#")
      ? document.querySelectorAll(`[id="${reference.slice(1).replace(/["\\]/g, "")}"]`)[0]
      : undefined;
    if (target === undefined) continue;
    if (copy.getAttribute("viewBox") === null) {
      copy.setAttribute("viewBox", target.getAttribute("viewBox") ?? "0 0 24 24");
    }
    for (const part of Array.from(target.children)) copy.append(part.cloneNode(true));
    use.remove();
  }
  for (const part of Array.from(copy.querySelectorAll("script,foreignObject,iframe")))
    part.remove();
  for (const part of [copy, ...Array.from(copy.querySelectorAll("*"))]) {
    for (const attribute of part.getAttributeNames()) {
      if (/^on|^data-/i.test(attribute)) part.removeAttribute(attribute);
    }
  }
  const box = drawing.getBoundingClientRect();
  copy.setAttribute("color", window.getComputedStyle(drawing).getPropertyValue("color"));
  if (copy.getAttribute("width") === null)
    copy.setAttribute("width", String(Math.round(box.width)));
  if (copy.getAttribute("height") === null) {
    copy.setAttribute("height", String(Math.round(box.height)));
  }
  const markup = new XMLSerializer().serializeToString(copy);
  return markup.length > 60_000 ? "" : markup;
}

function readSource(element: PageElement, kind: EvidenceLogo["kind"]): string {
  if (kind === "svg") return "";
  if (kind === "image") {
    const first = (element.getAttribute("srcset") ?? "").trim().split(/\s+/)[0] ?? "";
    return toAbsolute(element.getAttribute("src") ?? element.getAttribute("data-src") ?? first);
  }
  const image = window.getComputedStyle(element).getPropertyValue("background-image");
  return toAbsolute(/^url\("([^"]*)"\)/.exec(image)?.[1] ?? null);
}

function describeLogo(
  element: PageElement,
  kind: EvidenceLogo["kind"],
  source: string,
): EvidenceLogo {
  const box = element.getBoundingClientRect();
  const round = (value: number): number => Math.max(-1e6, Math.min(1e6, Math.round(value)));
  const link = element.closest("a[href]");
  const title = kind === "svg" ? element.querySelector("title")?.textContent : undefined;
  const named = element.getAttribute("alt") ?? element.getAttribute("aria-label") ?? title;
  const alt = named ?? link?.getAttribute("aria-label") ?? link?.getAttribute("title") ?? "";
  const words = listWordsAround(element, source);
  const place = round(box.top + window.scrollY);
  const likely = place < 300 || /logo|brand/i.test(`${words} ${alt}`);
  return {
    kind,
    source,
    alt: alt.trim().slice(0, 300),
    words,
    href: toAbsolute(link?.getAttribute("href") ?? null),
    box: [round(box.left + window.scrollX), place, round(box.width), round(box.height)],
    region: findRegion(element),
    markup: kind === "svg" && likely ? cleanDrawing(element) : "",
  };
}

export function readLogos(max: number): EvidenceLogo[] {
  const found: EvidenceLogo[] = [];
  const near = "header,nav,[role=banner],[class*=logo i],[id*=logo i],[class*=brand i]";
  const seen = document.querySelectorAll(
    `img,svg,${near
      .split(",")
      .map((part) => `${part},${part} *`)
      .join(",")}`,
  );
  for (let index = 0; index < seen.length && index < 5000 && found.length < max; index += 1) {
    const element = seen[index];
    if (element === undefined) continue;
    const tag = element.tagName.toLowerCase();
    const kind = tag === "img" ? "image" : tag === "svg" ? "svg" : "background";
    const box = element.getBoundingClientRect();
    if (box.width < 8 || box.height < 8 || box.left + box.width <= 0) continue;
    const wide = box.top + window.scrollY < 400 || element.closest(near) !== null;
    if (!wide && !/logo|brand/i.test(element.getAttribute("alt") ?? "")) continue;
    const source = readSource(element, kind);
    if (kind !== "svg" && source === "") continue;
    found.push(describeLogo(element, kind, source));
  }
  return found;
}

export function readHead(): Pick<BrandingEvidence, "icons" | "metas" | "linkedData" | "title"> {
  const list = (selector: string, max: number): PageElement[] =>
    Array.from(document.querySelectorAll(selector)).slice(0, max);
  const get = (element: PageElement, name: string): string =>
    (element.getAttribute(name) ?? "").slice(0, 120);
  const metas = list("meta[name],meta[property]", 200).flatMap((meta): [string, string][] => {
    const name = (get(meta, "property") || get(meta, "name")).toLowerCase();
    const wanted =
      /^(?:og:(?:image.*|site_name|title)|twitter:image|application-name|apple-mobile-web-app-title|theme-color|color-scheme|msapplication-.*|description)$/;
    if (!wanted.test(name)) return [];
    const content = (meta.getAttribute("content") ?? "").trim().slice(0, 4000);
    return [[name, /image$|image:(?:secure_)?url$/.test(name) ? toAbsolute(content) : content]];
  });
  return {
    title: document.title.slice(0, 300),
    icons: list("link[rel~=icon i],link[rel*=touch-icon i],link[rel=mask-icon i]", 40).map(
      (link) => ({
        rel: get(link, "rel").toLowerCase(),
        href: toAbsolute(link.getAttribute("href")),
        sizes: get(link, "sizes").toLowerCase(),
        type: get(link, "type").toLowerCase(),
      }),
    ),
    metas: metas.slice(0, 80),
    linkedData: list('script[type="application/ld+json"]', 6)
      .map((script) => script.textContent ?? "")
      .filter((text) => text.length <= 60_000),
  };
}

/** Everything that the functions above call, as text for the page. */
export const IMAGE_FUNCTIONS = [
  toAbsolute,
  listWordsAround,
  findRegion,
  cleanDrawing,
  readSource,
  describeLogo,
  readLogos,
  readHead,
];
