// Finds the texts that appeared on the page while its actions ran, such as the answer to a form.
import { APPEARED_CHARACTERS } from "../../capture.ts";
import type { Action } from "../../contract/page/actions.ts";
import type { Deadline } from "../../deadline.ts";
import type { PageDocument, PageElement, PageNode } from "./capture-surface.ts";
import type { PageWorld } from "./page-world.ts";

declare const document: PageDocument;
declare const self: { shownBefore?: Set<string> };

const LIMITS = { nodes: 50_000, texts: 2_000, characters: APPEARED_CHARACTERS, frames: 3 };
type Limits = typeof LIMITS;

/** Actions that can make a page show text. Scrolling only loads more of the same page. */
const SHOWING: ReadonlySet<Action["type"]> = new Set([
  "click",
  "write",
  "press",
  "executeJavascript",
]);

/** Records the texts of the page before its actions. Costs nothing if no action can show text. */
export async function rememberTexts(
  world: PageWorld,
  actions: readonly Action[],
  deadline: Deadline,
): Promise<boolean> {
  if (!actions.some(({ type }) => SHOWING.has(type))) return false;
  await world.run<null>(toSource("remember"), LIMITS, deadline);
  return true;
}

/**
 * Returns the beginnings of the texts that the page shows now and did not show before. Empty for
 * another page, and where most of the text is new, which makes it another page.
 */
export async function readAppeared(world: PageWorld, deadline: Deadline): Promise<string[]> {
  return await world.run<string[]>(toSource("compare"), LIMITS, deadline);
}

/** Runs in the page, as do the functions below. */
function remember(limits: Limits): null {
  self.shownBefore = new Set(listShownTexts(limits));
  return null;
}

function compare(limits: Limits): string[] {
  const before = self.shownBefore;
  if (before === undefined) return [];
  const appeared = new Set<string>();
  let [all, own] = [0, 0];
  for (const text of listShownTexts(limits)) {
    all += text.length;
    if (before.has(text)) continue;
    own += text.length;
    appeared.add(text);
  }
  return own * 2 > all ? [] : Array.from(appeared).slice(0, limits.texts);
}

/** Returns the visible texts, cut to `limits.characters`, with those of shadow roots and frames. */
function listShownTexts({ nodes, characters, frames }: Limits): string[] {
  const texts: string[] = [];
  if (document.body === null) return texts;
  const open: { node: PageNode; depth: number }[] = [{ node: document.body, depth: 0 }];
  let left = nodes;
  for (let next = open.pop(); next !== undefined && left > 0; next = open.pop()) {
    const { node, depth } = next;
    left--;
    if (node.nodeType === 3) {
      const text = (node.textContent ?? "").replaceAll(/\s+/g, " ").trim();
      if (text !== "") texts.push(text.slice(0, characters));
      continue;
    }
    if (node.nodeType !== 1 || /^(?:SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/.test(node.nodeName)) continue;
    const element = node as PageElement;
    if (element.checkVisibility?.({ visibilityProperty: true }) === false) continue;
    for (const child of Array.from(element.childNodes)) open.push({ node: child, depth });
    if (element.shadowRoot)
      for (const child of Array.from(element.shadowRoot.childNodes))
        open.push({ node: child, depth });
    const body = element.localName === "iframe" && depth < frames ? findBody(element) : undefined;
    if (body !== undefined) open.push({ node: body, depth: depth + 1 });
  }
  return texts;
}

function findBody(frame: PageElement): PageElement | undefined {
  try {
    return frame.contentDocument?.body ?? undefined;
  } catch {
    return undefined;
  }
}

const toSource = (task: "remember" | "compare"): string => `(argument) => { "use strict";
${[findBody, listShownTexts, remember, compare].map(String).join("\n")}
return ${task}(argument); }`;
