// Detects unknown cookie banners: an element in front of the page that mentions cookies or consent
// and asks for a click.
import type { PageElement } from "../page/capture-surface.ts";

type Surface = PageElement & {
  readonly innerText?: string;
  readonly style: { setProperty(name: string, value: string, priority: string): void };
  remove(): void;
};

declare const document: {
  readonly body: Surface | null;
  readonly documentElement: Surface;
  querySelectorAll(selector: string): ArrayLike<Surface>;
  elementsFromPoint(x: number, y: number): Surface[];
};
declare const innerWidth: number;
declare const innerHeight: number;
declare const getComputedStyle: (element: PageElement) => {
  readonly position: string;
  readonly overflowY: string;
};

/** Elements in front of the page with the words of a banner. */
function findBanners(): Surface[] {
  const words =
    /\bcookies?\b|\bconsent\b|\bgdpr\b|\bccpa\b|datenschutz|einwilligung|confidentialité|privacidad|consentimiento|consenso|personuppgifter|プライバシー|クッキー|файлы? cookie/i;
  const named =
    "[id*=cookie i],[class*=cookie i],[id*=consent i],[class*=consent i],[id*=gdpr i],[class*=gdpr i],[id^=sp_message_container],[id*=onetrust i],[id*=usercentrics i],[id*=didomi i],[id*=cmp i],[class*=cmp i],[class*=privacy i],[id*=privacy i],[aria-modal=true],[role=dialog],dialog[open]";
  const found = new Set<Surface>();
  const consider = (start: Surface): void => {
    let front: Surface | undefined;
    for (let at: PageElement | null = start; at !== null; at = at.parentElement) {
      if (at === document.body || at === document.documentElement) break;
      if (/fixed|sticky/.test(getComputedStyle(at).position)) front = at as Surface;
    }
    if (front === undefined || found.has(front)) return;
    const text = front.innerText ?? "";
    if (front.querySelectorAll("main,article,h1").length > 0) return;
    const isForeign =
      front.querySelectorAll("iframe").length > 0 &&
      /sp_message|consent|cmp|cookie/i.test(front.outerHTML.slice(0, 600));
    const isBanner = text.length < 4_000 && words.test(text) && hasAnswerButton(front);
    if (isForeign || isBanner) found.add(front);
  };
  const candidates = document.querySelectorAll(named);
  for (let index = 0; index < Math.min(candidates.length, 200); index++) {
    const candidate = candidates[index];
    if (candidate === undefined) continue;
    const { width, height } = candidate.getBoundingClientRect();
    if (width > 0 && height > 0) consider(candidate);
  }
  for (const x of [0.04, 0.5, 0.96])
    for (const y of [0.01, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.99]) {
      const [top] = document.elementsFromPoint(innerWidth * x, innerHeight * y);
      if (top !== undefined) consider(top);
    }
  return [...found];
}

/** True if it contains a button that accepts or declines. */
function hasAnswerButton(front: Surface): boolean {
  const answer =
    /accept|agree|allow|consent|reject|refuse|decline|deny|necessary|got it|^\W*ok(?:ay)?\W*$|understand|dismiss|close|continue|akzept|zustimm|ablehn|einverstanden|weiter|alle|aceptar|acepto|rechazar|accepter|refuser|accetta|rifiuta|aceitar|godkänn|acceptera|accepteer|同意|принять|согласен|[×✕✖]/i;
  const clickable = front.querySelectorAll(
    "button,a,[role=button],input[type=button],input[type=submit]",
  );
  return Array.from(clickable).some((element) => {
    const said = `${element.textContent ?? ""} ${element.getAttribute("aria-label") ?? ""} ${element.getAttribute("value") ?? ""}`;
    return said.length < 80 && answer.test(said);
  });
}

/** Removes the banners and their backdrop, and makes the page scrollable again. */
function removeBanners(): number {
  const banners = findBanners();
  for (const banner of banners) banner.remove();
  if (banners.length === 0) return 0;
  const [veil] = document.elementsFromPoint(innerWidth / 2, innerHeight / 2);
  if (veil !== undefined && /fixed/.test(getComputedStyle(veil).position)) {
    const { width, height } = veil.getBoundingClientRect();
    const isVeil = width > innerWidth * 0.9 && height > innerHeight * 0.9;
    if (isVeil && (veil.textContent ?? "").trim() === "") veil.remove();
  }
  for (const element of [document.documentElement, document.body])
    if (element !== null && getComputedStyle(element).overflowY === "hidden")
      element.style.setProperty("overflow-y", "auto", "important");
  return banners.length;
}

/** Script for PageWorld.run: returns whether there is a banner. */
export const FIND_BANNER = `() => { "use strict";
${[hasAnswerButton, findBanners].map(String).join("\n")}
return findBanners().length > 0; }`;

/** Script for PageWorld.run: removes the banners and returns their number. */
export const REMOVE_BANNERS = `() => { "use strict";
${[hasAnswerButton, findBanners, removeBanners].map(String).join("\n")}
return removeBanners(); }`;
