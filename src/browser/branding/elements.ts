// Runs in an isolated world of the page: samples visible elements with text, color or a control,
// with computed style and position. Every function is sent as text, so it may use only the others
// in this file.
import type { EvidenceElement, EvidenceStyle } from "../../branding-evidence.ts";
import type { PageDocument, PageElement, PageStyle, PageWindow } from "./dom-surface.ts";

declare const document: PageDocument;
declare const window: PageWindow;

type Sample = { elements: EvidenceElement[]; styles: EvidenceStyle[] };
type Visit = { element: PageElement; parent: number; region: EvidenceElement["region"] };

function cut(text: string | null | undefined, length: number): string {
  return (text ?? "").slice(0, length);
}

function parsePixels(text: string): number {
  const number = Number.parseFloat(text);
  return Number.isFinite(number) ? Math.max(-1e6, Math.min(1e6, number)) : 0;
}

function readSides(style: PageStyle, prefix: string): [number, number, number, number] {
  const readSide = (name: string): number =>
    parsePixels(style.getPropertyValue(`${prefix}-${name}`));
  return [readSide("top"), readSide("right"), readSide("bottom"), readSide("left")];
}

function readBorder(style: PageStyle): { width: number; color: string } {
  let widest = { width: 0, color: style.getPropertyValue("border-bottom-color") };
  for (const side of ["bottom", "top", "left", "right"]) {
    if (style.getPropertyValue(`border-${side}-style`) === "none") continue;
    const width = parsePixels(style.getPropertyValue(`border-${side}-width`));
    if (width > widest.width) {
      widest = { width, color: style.getPropertyValue(`border-${side}-color`) };
    }
  }
  return widest;
}

function readStyle(element: PageElement, style: PageStyle): EvidenceStyle {
  const get = (name: string, length = 120): string => cut(style.getPropertyValue(name), length);
  const border = readBorder(style);
  const shape =
    element.tagName.toLowerCase() === "svg"
      ? element.querySelector("path,circle,rect,polygon,line,polyline")
      : null;
  const drawn = shape === null ? style : window.getComputedStyle(shape);
  const columns = get("grid-template-columns", 2000);
  return {
    color: get("color"),
    background: get("background-color"),
    backgroundImage: get("background-image", 600),
    borderColor: cut(border.color, 120),
    borderWidth: border.width,
    corners: ["top-left", "top-right", "bottom-right", "bottom-left"].map((corner) =>
      get(`border-${corner}-radius`),
    ),
    fontFamily: get("font-family", 600),
    fontSize: parsePixels(get("font-size")),
    fontWeight: parsePixels(get("font-weight")),
    lineHeight: get("line-height"),
    letterSpacing: get("letter-spacing"),
    padding: readSides(style, "padding"),
    margin: readSides(style, "margin"),
    shadow: get("box-shadow", 600),
    underlined: get("text-decoration-line").includes("underline"),
    display: get("display"),
    gap: get("column-gap"),
    columns: columns === "none" || columns === "" ? 0 : Math.min(1000, columns.split(" ").length),
    maxWidth: get("max-width"),
    transition: get("transition-duration", 600),
    easing: get("transition-timing-function", 600),
    fill: shape === null ? "" : cut(drawn.getPropertyValue("fill"), 120),
    stroke: shape === null ? "" : cut(drawn.getPropertyValue("stroke"), 120),
  };
}

function readOwnText(element: PageElement): string {
  let text = "";
  const nodes = element.childNodes;
  for (let index = 0; index < nodes.length && index < 200; index += 1) {
    const node = nodes[index];
    if (node?.nodeType === 3) text += `${node.textContent ?? ""} `;
  }
  return text.replace(/\s+/g, " ").trim();
}

function findRegion(
  element: PageElement,
  above: EvidenceElement["region"],
): EvidenceElement["region"] {
  const tag = element.tagName.toLowerCase();
  const role = element.getAttribute("role");
  if (tag === "footer" || role === "contentinfo") return "footer";
  if (above === "header" || above === "footer") return above;
  if (tag === "header" || role === "banner") return "header";
  return tag === "nav" || role === "navigation" ? "nav" : above;
}

/** True if the element is worth sampling: it shows text, a color or is a control. */
function isTelling(element: PageElement, style: EvidenceStyle, text: string): boolean {
  if (text !== "" || style.borderWidth > 0 || style.backgroundImage !== "none") return true;
  if (!/^(?:rgba\(.*, 0\)|transparent)$/.test(style.background)) return true;
  return (
    /^(?:html|body|svg|img|input|button|select|textarea|a|header|nav|main|footer|section|h[1-6])$/i.test(
      element.tagName,
    ) ||
    style.columns > 1 ||
    /^\d/.test(style.maxWidth)
  );
}

function describeElement(
  element: PageElement,
  visit: Visit,
  text: string,
  style: number,
): EvidenceElement {
  const box = element.getBoundingClientRect();
  const round = (value: number): number => Math.max(-1e6, Math.min(1e6, Math.round(value)));
  const control = cut(element.getAttribute("value") ?? element.getAttribute("aria-label"), 120);
  return {
    tag: cut(element.tagName.toLowerCase(), 120),
    classes: cut(element.getAttribute("class"), 300),
    id: cut(element.getAttribute("id"), 120),
    role: cut(element.getAttribute("role"), 120),
    type:
      element.getAttribute("aria-invalid") === "true"
        ? "invalid"
        : cut(element.getAttribute("type"), 120),
    text: cut(text === "" ? control : text, 120),
    textLength: text.length,
    box: [
      round(box.left + window.scrollX),
      round(box.top + window.scrollY),
      round(box.width),
      round(box.height),
    ],
    style,
    parent: visit.parent,
    region: visit.region,
  };
}

export function sampleElements(maxElements: number, maxVisits: number): Sample {
  const sample: Sample = { elements: [], styles: [] };
  const known = new Map<string, number>();
  const stack: Visit[] = [{ element: document.documentElement, parent: -1, region: "page" }];
  for (let visits = 0; stack.length > 0 && visits < maxVisits; visits += 1) {
    const visit = stack.pop();
    if (visit === undefined || sample.elements.length >= maxElements) break;
    const { element } = visit;
    const tag = element.tagName.toLowerCase();
    if (/^(?:head|script|style|template|noscript|iframe|object)$/.test(tag)) continue;
    const computed = window.getComputedStyle(element);
    if (computed.getPropertyValue("display") === "none") continue;
    const region = findRegion(element, visit.region);
    const box = element.getBoundingClientRect();
    const shown =
      box.width > 0 &&
      box.height > 0 &&
      computed.getPropertyValue("visibility") === "visible" &&
      parsePixels(computed.getPropertyValue("opacity")) > 0.1 &&
      box.left + box.width + window.scrollX > 0;
    let parent = visit.parent;
    if (shown || tag === "html" || tag === "body") {
      const style = readStyle(element, computed);
      const text = readOwnText(element);
      if (isTelling(element, style, text)) {
        const key = JSON.stringify(style);
        const place = known.get(key) ?? sample.styles.length;
        if (place === sample.styles.length) {
          known.set(key, place);
          sample.styles.push(style);
        }
        parent = sample.elements.length;
        sample.elements.push(describeElement(element, { ...visit, region }, text, place));
      }
    }
    if (tag === "svg") continue;
    const children = [
      ...Array.from(element.shadowRoot?.children ?? []),
      ...Array.from(element.children),
    ];
    for (const child of children.toReversed()) stack.push({ element: child, parent, region });
  }
  return sample;
}

/** Everything that `sampleElements` calls, as text for the page. */
export const ELEMENT_FUNCTIONS = [
  cut,
  parsePixels,
  readSides,
  readBorder,
  readStyle,
  readOwnText,
  findRegion,
  isTelling,
  describeElement,
  sampleElements,
];
